// A seeded storm over real engines: every input at any moment, from honest hosts and from hosts no one should
// have, several exchanges at once. Knows only the rules every effect must keep, not what is decided.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/strings.h"
#include "core/exchange/storm_says.h"
#include "core/exchange/world.h"
#include "core/fuzz.h"
#include "exchange/endpoints.h"

namespace shunt::exchange {

using namespace storm;

namespace {

constexpr std::uint64_t kCampaigns = 600;  // SHUNT_STORM_CAMPAIGNS says another number
constexpr int kSeats = 10;
constexpr std::string_view kKeyName = "STORM_KEY_NAME";

constexpr char kConfig[] = R"({
  "providers": {
    "p": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1", "keys": ["STORM_KEY_NAME_1", "STORM_KEY_NAME_2"]},
    "q": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:2/v1", "keys": ["STORM_KEY_NAME_3"]},
    "c": {"dialect": "anthropic_messages", "base_url": "http://127.0.0.1:3", "keys": ["STORM_KEY_NAME_4"]},
    "g": {"dialect": "gemini_generate", "base_url": "http://127.0.0.1:4", "keys": ["STORM_KEY_NAME_5"]},
    "r": {"dialect": "openai_responses", "base_url": "http://127.0.0.1:5/v1", "keys": ["STORM_KEY_NAME_6"]},
    "w": {"dialect": "bedrock_converse", "base_url": "http://127.0.0.1:6", "keys": ["STORM_KEY_NAME_7"]},
    "o": {"dialect": "ollama_chat", "base_url": "http://127.0.0.1:7", "keys": ["STORM_KEY_NAME_8"]},
    "h": {"dialect": "cohere_chat", "base_url": "http://127.0.0.1:8", "keys": ["STORM_KEY_NAME_9"]},
    "d": {"dialect": "dashscope_native", "base_url": "http://127.0.0.1:9", "keys": ["STORM_KEY_NAME_10"]}
  },
  "deployments": [
    {"id": "a@p", "provider": "p", "model": "m-a", "priority": 1},
    {"id": "b@q", "provider": "q", "model": "m-b", "priority": 2},
    {"id": "c@c", "provider": "c", "model": "m-c", "priority": 3},
    {"id": "g@g", "provider": "g", "model": "m-g"}, {"id": "r@r", "provider": "r", "model": "m-r"},
    {"id": "w@w", "provider": "w", "model": "m-w"}, {"id": "o@o", "provider": "o", "model": "m-o"},
    {"id": "h@h", "provider": "h", "model": "m-h"},
    {"id": "d@d", "provider": "d", "model": "m-d", "override": {"system_prefix": "Be \"brief\"."}}
  ],
  "routes": {
    "chat": {"deployments": ["a@p", "b@q"], "keepalive_ms": 700},
    "mixed": {"deployments": ["a@p", "c@c", "b@q"], "retry": {"attempts": 6, "budget": {"ratio": 9, "min_per_s": 100}}},
    "one": {"deployments": ["a@p"], "last_line": "protect"},
    "claude": {"deployments": ["c@c"], "keepalive_ms": 300, "timeouts": {"attempt_ms": 200000, "total_ms": 250000}},
    "raced": {"deployments": ["a@p", "b@q", "c@c"], "keepalive_ms": 300},
    "zoo": {"deployments": ["g@g", "r@r", "w@w", "o@o", "h@h", "d@d", "a@p", "c@c"], "strategy": "weighted",
            "text": {"math": true, "think": "tagged"},
            "retry": {"attempts": 6, "budget": {"ratio": 9, "min_per_s": 100}}}
  },
  "limits": {"body_buffer_bytes": 20000, "held_bytes": 120000, "answer_bytes_all": 9000000},
  "cors": {"origins": ["https://app.example"]}
})";

// Route "raced" is hedged after a moment, as its lines are quick, and half of its answers are shadowed;
// "mixed" is shadowed always.
void race(config::Loaded& loaded) {
  Catalog& catalog = loaded.catalog;
  Route& raced = catalog.routes[index_of(*catalog.find_route("raced"))];
  raced.hedge = {950, 1000000};
  raced.shadow = {"c@c", 500000, {}};
  catalog.routes[index_of(*catalog.find_route("mixed"))].shadow = {"c@c", 1000000, {}};
}

// ---- one exchange, its host, and the rules ----

class Seat {
 public:
  Seat(Engine& engine, std::uint64_t seed, std::uint64_t dice)
      : exchange_(std::make_unique<Exchange>(engine, seed)), dice_(dice) {
    static constexpr const char* kMethods[] = {"POST", "POST", "POST", "POST", "POST",
                                               "POST", "POST", "GET",  "HEAD", "OPTIONS"};
    static constexpr const char* kTargets[] = {"/v1/chat/completions",
                                               "/v1/chat/completions",
                                               "/v1/chat/completions",
                                               "/v1/messages?beta=true",
                                               "/v1/messages",
                                               "/v1/messages",
                                               "/v1/models",
                                               "/healthz",
                                               "/nowhere"};
    static constexpr const char* kHeaders[] = {"",
                                               "",
                                               "",
                                               "origin: https://app.example\n",
                                               "x-shunt-route: mixed\n",
                                               "x-shunt-deployment: b@q\n",
                                               "x-shunt-exclude: a@p, b@q\n",
                                               "x-shunt-repeatable: no\n",
                                               "anthropic-version: 1\n: x\nnonsense\n"};
    method_ = dice_.once_in(9) ? dice_.of(kMethods) : "POST";
    target_ = dice_.once_in(9) ? dice_.of(kTargets) : kTargets[dice_.below(6)];
    headers_ = dice_.once_in(2) ? dice_.of(kHeaders) : "";
    body_ = request_body(dice_);
    foreign_ = dice_.once_in(2);
    if (foreign_) {
      Spoke spoke = foreign_request(dice_);
      method_ = "POST";
      target_ = spoke.target;
      headers_ += "x-shunt-route: zoo\n";
      body_ = std::move(spoke.body);
    }
    switch (dice_.below(4)) {
      case 0: break;
      case 1: length_ = dice_.below(40000); break;
      default: length_ = body_.size();
    }
    counted_ = match_endpoint(method_, target_).endpoint;
  }

  // One thing happens. Mostly what an honest host would tell next.
  void act(Instant& now) {
    const std::uint64_t what = dice_.below(100);
    if (what < 40) return request_goes_on(now);
    if (what < 78) return provider_goes_on(now);
    if (what < 86) {
      const bool soon = !over() && exchange_->wake_at().at < now + seconds(3);
      if (soon || dice_.once_in(25)) ring(now);
      return;
    }
    if (what < 93) return untimely(now);
    if (what < 95) return tell(now, ClientPaused{});
    if (what < 97) return tell(now, ClientReady{});
    if (what == 97 && dice_.once_in(9)) now.ms += static_cast<std::int64_t>(dice_.below(90000));
    if (what == 98 && dice_.once_in(9)) now.ms -= static_cast<std::int64_t>(dice_.below(200000));
    if (what == 99 && dice_.once_in(6)) tell(now, ClientGone{});
  }
  // Nothing but timers: a host whose client and providers are silent still gets to an end.
  void to_end(Instant& now) {
    for (int i = 0; i < 3000 && arrived_ && !over(); ++i) ring(now);
    EXPECT_TRUE(over() || !arrived_) << "timers alone lead to no end";
  }
  void abandon() { exchange_.reset(); }

  int races() const { return races_; }
  int shadows() const { return shadows_; }
  bool foreign_answered() const { return foreign_ && clean_ && status_ == 200; }
  bool over() const { return !exchange_ || exchange_->finished(); }
  bool waits_in_vain() const { return arrived_ && !over() && exchange_->wake_at().at == kNever; }

 private:
  struct Attempt {
    AttemptNo no = 0;
    Said said;
    std::size_t said_at = 0;
    bool head_told = false;
    bool over = false;
    bool more = false;
    bool shadow = false;
  };

  void request_goes_on(Instant now) {
    if (!arrived_) {
      arrived_ = true;
      return tell(
          now, RequestArrived{method_, target_, headers_, "", WallTime{1'800'000'000'000 + now.ms}, length_});
    }
    if (at_ < body_.size()) {
      const std::size_t most = dice_.once_in(3) ? 40 : dice_.once_in(2) ? 9000 : 65536;
      const std::string slice = body_.substr(at_, 1 + dice_.below(most));
      at_ += slice.size();
      return tell(now, RequestBytes{slice});
    }
    if (!std::exchange(request_ended_, true)) tell(now, RequestEnded{});
  }

  void provider_goes_on(Instant now) {
    if (attempts_.empty()) return;
    // One of the last three: those before are over.
    const auto back = dice_.below(std::min<std::uint64_t>(3, attempts_.size()));
    Attempt& call = attempts_[attempts_.size() - 1 - static_cast<std::size_t>(back)];
    if (call.over) return;
    if (!call.head_told) {
      if (dice_.once_in(3)) return;  // slow to begin
      call.head_told = true;
      if (dice_.once_in(12)) return break_off(now, call);
      return tell(now, HeadArrived{call.no, call.said.status, call.said.headers});
    }
    if (call.said_at < call.said.body.size()) {
      if (dice_.once_in(40)) return break_off(now, call);
      const std::size_t most = dice_.once_in(3) || call.said.body.size() > 100000 ? 65536 : 60;
      const std::string chunk = call.said.body.substr(call.said_at, 1 + dice_.below(most));
      call.said_at += chunk.size();
      return tell(now, BytesArrived{call.no, chunk});
    }
    if (dice_.once_in(10)) return;  // it stalls
    if (dice_.once_in(8)) return break_off(now, call);
    call.over = true;
    tell(now, AttemptEnded{call.no});
  }
  // May start another attempt: the reference is not used any more then.
  void break_off(Instant now, Attempt& call) {
    call.over = true;
    tell(now, AttemptBroke{call.no, static_cast<TransportFault>(dice_.below(13)), "ECONNRESET by storm"});
  }

  void ring(Instant& now) {
    if (over()) return;
    const Instant due = exchange_->wake_at().at;
    if (due == kNever) return;
    // On time, too late, or by a host whose timers know nothing of its clock.
    if (!dice_.once_in(4))
      now = std::max(now, due + milliseconds(static_cast<std::int64_t>(dice_.below(50))));
    tell(now, TimerFired{});
  }

  // What no correct host says.
  void untimely(Instant now) {
    const auto last = static_cast<AttemptNo>(attempts_.size());
    auto any = static_cast<AttemptNo>(dice_.below(last + 2));
    const Attempt* call = any >= 1 && any <= last ? &attempts_[any - 1] : nullptr;
    if (call != nullptr && !call->over) any = 0;  // what is under way is told by provider_goes_on alone
    switch (dice_.below(9)) {
      case 0: return tell(now, BytesArrived{any, "data: {\"late\":true}\n\n"});
      case 1: return tell(now, HeadArrived{any, 200, "content-type: text/event-stream\n"});
      case 2:
        if (call != nullptr && call->head_told && !call->over) tell(now, HeadArrived{call->no, 500, ""});
        return;
      case 3: return tell(now, AttemptEnded{any});
      case 4: return tell(now, AttemptBroke{any, TransportFault::reset, "late"});
      case 5:
        if (arrived_) tell(now, RequestArrived{"POST", "/v1/messages", "", "", {}, 3});
        return;
      case 6:
        if (dice_.once_in(9)) tell(now, RequestBytes{"{\"model\""});
        return;
      case 7:
        if (arrived_ && dice_.once_in(9)) tell(now, RequestEnded{});
        return;
      default: return tell(now, TimerFired{});
    }
  }

  // The payload of an input dies with the call: here it does.
  void tell(Instant now, const Input& input) {
    if (!exchange_) return;
    std::vector<std::unique_ptr<std::string>> owned;
    const auto own = [&](std::string_view& view) {
      fed_ += view.size();
      owned.push_back(std::make_unique<std::string>(view));
      view = *owned.back();
    };
    Input mine = input;
    if (auto* e = std::get_if<RequestArrived>(&mine)) own(e->method), own(e->target), own(e->headers);
    if (auto* e = std::get_if<RequestBytes>(&mine)) own(e->bytes);
    if (auto* e = std::get_if<HeadArrived>(&mine)) own(e->headers);
    if (auto* e = std::get_if<BytesArrived>(&mine)) own(e->bytes);
    if (auto* e = std::get_if<AttemptBroke>(&mine)) own(e->text);

    const bool was_over = over();
    exchange_->handle(now, mine);
    while (const auto effect = exchange_->poll()) {
      EXPECT_FALSE(was_over) << "an effect of a finished exchange";
      std::visit([this](const auto& each) { keep_rules(each); }, *effect);
    }
    EXPECT_FALSE(waits_in_vain());
    EXPECT_LE(exchange_->memory(), 400'000 + 64 * fed_);
    if (over() && !was_over) at_the_end();
  }

  void keep_rules(const SendHead& e) {
    EXPECT_EQ(heads_++, 0) << "a second head: " << e.status;
    EXPECT_FALSE(ended_) << "a head after the end";
    EXPECT_TRUE(e.status >= 200 && e.status <= 599) << e.status;
    status_ = e.status;
    std::string_view lines = e.headers;
    while (!lines.empty()) {
      const std::string_view line = cut(lines, '\n');
      EXPECT_NE(line.find(": "), std::string_view::npos) << line;
      EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char c) { return c >= ' ' && c < 0x7F; })) << line;
    }
    hides_keys(e.headers);
  }
  void keep_rules(const SendBytes& e) {
    EXPECT_EQ(heads_, 1) << "bytes without a head";
    EXPECT_FALSE(ended_) << "bytes after the end";
    EXPECT_FALSE(e.bytes.empty());
    if (e.bytes != ": keep-alive\n\n") content_sent_ = true;
    hides_keys(e.bytes);
  }
  void keep_rules(const SendEnd& e) {
    EXPECT_FALSE(ended_) << "a second end";
    EXPECT_TRUE(heads_ == 1 || !e.clean) << "a clean end without a head";
    ended_ = true;
    clean_ = e.clean;
  }
  void keep_rules(const StartAttempt& e) {
    EXPECT_EQ(e.attempt, attempts_.size() + 1);
    if (e.shadow) {
      EXPECT_EQ(shadows_++, 0) << "a second shadow";
      EXPECT_TRUE(content_sent_ || ended_) << "a shadow of no answer";
      EXPECT_FALSE(e.more);
    } else {
      const auto running = std::count_if(attempts_.begin(), attempts_.end(),
                                         [](const Attempt& each) { return !each.over && !each.shadow; });
      EXPECT_LE(running, races_ == 0 ? 1 : 0) << "the attempt before is still under way";
      races_ += running > 0 ? 1 : 0;
      EXPECT_FALSE(ended_) << "an attempt after the end";
      EXPECT_FALSE(content_sent_) << "an attempt after content";
    }
    attempts_.push_back({e.attempt,
                         foreign_ && !dice_.once_in(6) ? foreign_says(dice_) : provider_says(dice_), 0, false,
                         false, e.more, e.shadow});
    hides_keys(e.url);
    hides_keys(e.headers);
    in_bounds(*e.body);
    EXPECT_LE(e.attempt, 6u + static_cast<unsigned>(shadows_));
  }
  void keep_rules(const AttemptBody& e) {
    EXPECT_EQ(e.attempt, attempts_.size());
    Attempt& call = attempts_.back();
    EXPECT_TRUE(call.more) << "more of a body that was whole";
    EXPECT_FALSE(call.over && !ended_) << "more body for an attempt that is over";
    call.more = e.more;
    in_bounds(*e.body);
  }
  void keep_rules(const AbortAttempt& e) {
    EXPECT_GE(e.attempt, 1u);
    EXPECT_LE(e.attempt, attempts_.size());
    attempts_.at(e.attempt - 1).over = true;
  }
  void keep_rules(const ReleaseBody&) { released_ = true; }
  void keep_rules(const StoreGet&) { ADD_FAILURE() << "a request waits for no store"; }
  void keep_rules(const StorePut&) { ADD_FAILURE() << "a request waits for no store"; }
  void keep_rules(const StoreLease&) { ADD_FAILURE() << "a request waits for no store"; }
  void keep_rules(const StoreTake&) { ADD_FAILURE() << "a request waits for no store"; }
  void keep_rules(const Wake&) { ADD_FAILURE() << "nobody sleeps here"; }
  void keep_rules(const Emit& e) {
    EXPECT_EQ(e.kind, Emit::Kind::record);
    EXPECT_TRUE(json::valid(e.json)) << e.json;
    hides_keys(e.json);
    const std::size_t attempts = count(e.json, "\"attempt\":");
    if (e.json.find("shunt-shadow/1") != std::string_view::npos) {
      EXPECT_EQ(shadow_records_++, 0);
      EXPECT_EQ(attempts, 1u);
      return;
    }
    ++records_;
    EXPECT_EQ(attempts, attempts_.size() - static_cast<std::size_t>(shadows_)) << e.json;
  }

  // Pieces name bytes that the host has and has not been told to forget.
  void in_bounds(const BodyPieces& body) const {
    for (const BodyPieces::Piece& piece : body.pieces) {
      const std::uint64_t end = piece.offset + piece.length;
      if (piece.literal) {
        EXPECT_LE(end, body.text.size());
      } else {
        EXPECT_LE(end, fed_);
        EXPECT_FALSE(released_) << "a range of a body that was released";
      }
    }
  }
  static void hides_keys(std::string_view text) {
    EXPECT_EQ(text.find(kSecret), std::string_view::npos) << text.substr(0, 2000);
    EXPECT_EQ(text.find(kKeyName), std::string_view::npos) << text.substr(0, 2000);
  }
  static std::size_t count(std::string_view text, std::string_view what) {
    std::size_t n = 0;
    for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what, at + 1)) ++n;
    return n;
  }
  void at_the_end() const {
    const bool local =
        counted_ == Endpoint::models || counted_ == Endpoint::health || counted_ == Endpoint::preflight;
    EXPECT_EQ(records_, local && arrived_ && heads_ == 1 ? 0 : 1);
    EXPECT_EQ(shadow_records_, shadows_);
  }

  std::unique_ptr<Exchange> exchange_;
  Dice dice_;
  std::string method_, target_, headers_, body_;
  bool foreign_ = false;  // of any dialect, toward lines of all
  std::optional<std::uint64_t> length_;
  Endpoint counted_ = Endpoint::completion;
  std::size_t at_ = 0;
  std::uint64_t fed_ = 0;
  bool arrived_ = false;
  bool request_ended_ = false;

  std::deque<Attempt> attempts_;  // by number less one; references outlive what is added
  int races_ = 0;
  int shadows_ = 0;
  int shadow_records_ = 0;

  int heads_ = 0;
  int records_ = 0;
  bool content_sent_ = false;
  bool ended_ = false;
  bool clean_ = false;
  int status_ = 0;
  bool released_ = false;
};

// How often it came to what only some routes do, lest the rules be kept by nobody.
struct Tally {
  int races = 0;
  int shadows = 0;
  int foreign = 0;
};

void campaign(std::uint64_t seed, Tally& tally) {
  World world(kConfig, race);
  world.learn_waits(0, world.engine->task("raced"), 200, milliseconds(20));
  Dice dice(seed);
  std::vector<std::unique_ptr<Seat>> seats;
  for (std::uint64_t i = 0; i < kSeats; ++i)
    seats.push_back(std::make_unique<Seat>(*world.engine, seed * 1000 + i, seed * 7919 + i));
  for (int step = 0; step < kSeats * 150 && !testing::Test::HasFailure(); ++step) {
    Seat& seat = *seats[dice.below(kSeats)];
    seat.act(world.now);
    if (dice.once_in(2000)) seat.abandon();
  }
  for (const auto& seat : seats) {
    if (dice.once_in(4)) seat->abandon();
    if (!testing::Test::HasFailure()) seat->to_end(world.now);
  }
  for (const auto& seat : seats) {
    tally.races += seat->races();
    tally.shadows += seat->shadows();
    tally.foreign += seat->foreign_answered() ? 1 : 0;
  }
  seats.clear();
  EXPECT_EQ(world.engine->loans().count(), 0u);
  EXPECT_EQ(world.engine->loans().bodies(), 0u);
  EXPECT_EQ(world.engine->loans().answers(), 0u);
}

TEST(Storm, EveryRuleHoldsWhateverIsSaidByAnyoneAtAnyTime) {
  Tally tally;
  const std::uint64_t campaigns = fuzz_setting("SHUNT_STORM_CAMPAIGNS", kCampaigns);
  for (std::uint64_t seed = 1; seed <= campaigns; ++seed) {
    SCOPED_TRACE("campaign seed " + std::to_string(seed));
    campaign(seed, tally);
    if (HasFailure()) return;
  }
  EXPECT_GT(tally.races, 50);
  EXPECT_GT(tally.shadows, 50);
  EXPECT_GT(tally.foreign, 100);
}

}  // namespace
}  // namespace shunt::exchange
