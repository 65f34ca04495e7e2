// A world for exchanges: scripted providers, a client that sees what it is sent, a virtual clock. Real
// engine, no sockets.
#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <functional>

#include "canonical/events.h"
#include "canonical/http.h"
#include "config/config.h"
#include "exchange/engine.h"
#include "exchange/exchange.h"

namespace shunt::exchange {

// What a provider does with one call.
struct Script {
  int status = 200;  // 0 = no head at all
  std::string headers;
  std::vector<std::string> chunks;
  enum class End { clean, reset, hang } end = End::clean;
  TransportFault fault = TransportFault::reset;
};

inline Script says(int status, std::string body, std::string headers = "content-type: application/json\n") {
  return {status, std::move(headers), {std::move(body)}, Script::End::clean, TransportFault::reset};
}
inline Script streams(std::vector<std::string> chunks, Script::End end = Script::End::clean) {
  return {200, "content-type: text/event-stream\n", std::move(chunks), end, TransportFault::reset};
}
inline Script breaks(TransportFault fault) { return {0, "", {}, Script::End::reset, fault}; }
inline Script hangs() { return {0, "", {}, Script::End::hang, TransportFault::reset}; }

inline std::string openai_chunk(const std::string& text) {
  return R"(data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":")" +
         text + R"("},"finish_reason":null}]})" + "\n\n";
}
inline std::string openai_finish() {
  return R"(data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})"
         "\n\n";
}
inline std::string openai_done() { return "data: [DONE]\n\n"; }
inline Script openai_stream(const std::string& text) {
  return streams({openai_chunk(text), openai_finish() + openai_done()});
}
inline std::string openai_answer(const std::string& text) {
  return R"({"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":")" +
         text +
         R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}})";
}

struct Call {
  std::string deployment;
  std::string url;
  std::string headers;
  std::string body;
  std::uint32_t slot = 0;
  Instant at;
  bool aborted = false;
  bool shadow = false;
};

// What an exchange asked of the store.
struct Ask {
  std::uint32_t request = 0;
  std::string what;  // get, put or lease
  std::string key;
  std::string bytes = {};
  Duration ttl = {};
};

// What the client of one exchange saw.
struct Seen {
  int status = 0;
  std::string headers;
  std::string body;
  bool ended = false;
  bool clean = false;
  std::vector<std::string> records;
  std::string header(std::string_view name) const { return std::string(HeaderBlock(headers).get(name)); }
};

class World {
 public:
  // `change` may set what the configuration cannot say.
  explicit World(const std::string& config, const std::function<void(config::Loaded&)>& change = {}) {
    config::Loaded loaded;
    std::vector<config::Fault> faults;
    const bool ok = config::load(config, loaded, faults);
    for (const auto& fault : faults) ADD_FAILURE() << config::fault_json(fault);
    EXPECT_TRUE(ok);
    if (change) change(loaded);
    engine = std::make_unique<Engine>(std::move(loaded));
  }

  // `times` streams of a line were answered, each beginning after `wait`.
  void learn_waits(std::uint32_t line, std::uint32_t task, int times, Duration wait) {
    for (int i = 0; i < times; ++i) {
      const auto ticket = engine->health().begin(line, 0, now, now + seconds(60));
      Outcome outcome;
      outcome.kind = OutcomeKind::success;
      outcome.began = now;
      outcome.first_byte = outcome.first_token = outcome.total = wait;
      outcome.task = task;
      engine->health().settle(*ticket, outcome, now, 1);
    }
  }

  // The next call of `deployment` gets this; the last script repeats.
  void on(const std::string& deployment, Script script) { scripts_[deployment].push_back(std::move(script)); }

  // One client request from its first byte to the end of the exchange.
  Seen run(const std::string& target, const std::string& body, const std::string& headers = "") {
    Play play(*this, seed_++);
    play.send(target, body, headers);
    play.to_end();
    return play.seen;
  }
  Seen chat(const std::string& body) { return run("/v1/chat/completions", body); }

  std::vector<std::string> called() const {
    std::vector<std::string> ids;
    for (const Call& call : calls) ids.push_back(call.deployment);
    return ids;
  }

  // One exchange and its host, a step at a time.
  class Play {
   public:
    Play(World& world, std::uint64_t seed, Kind kind = Kind::request, std::uint32_t name = 0)
        : world_(world), exchange(*world.engine, seed, kind, name) {}

    void send(const std::string& target, const std::string& body, const std::string& headers = "",
              std::optional<std::uint64_t> length = std::nullopt) {
      begin(target, headers, length.value_or(body.size()));
      for (std::size_t at = 0; at < body.size(); at += limits::kSliceBytes)
        feed(body.substr(at, limits::kSliceBytes));
      tell(RequestEnded{});
    }
    void begin(const std::string& target, const std::string& headers, std::uint64_t length) {
      tell(RequestArrived{"POST", target, headers, client, world_.wall(), length});
    }
    void feed(std::string_view slice) {
      body_.append(slice);
      tell(RequestBytes{slice});
    }
    // Hands in an input and performs what comes out.
    void tell(const Input& input) {
      exchange.handle(world_.now, input);
      while (auto effect = exchange.poll()) perform(*effect);
      wake = exchange.wake_at();
      EXPECT_TRUE(exchange.finished() || wake.at != kNever) << "waits for nothing";
    }
    // One thing happens: a provider's next event, else the timer. False when the exchange is over.
    bool step() {
      if (exchange.finished()) return false;
      for (auto& [no, events] : pending_) {
        if (events.empty()) continue;
        auto next = std::move(events.front());
        events.pop_front();
        next();
        return true;
      }
      EXPECT_NE(wake.at, kNever);
      world_.now = std::max(world_.now, wake.at);
      tell(TimerFired{});
      return true;
    }
    void to_end() {
      for (int i = 0; i < 10000 && step(); ++i) {
      }
      EXPECT_TRUE(exchange.finished());
    }

    std::string client;  // as the host knows it
    Seen seen;
    std::vector<Ask> asked;
    std::vector<std::uint32_t> woken;
    Wakeup wake;

   private:
    void perform(const Effect& effect) {
      std::visit(
          overloaded{[&](const StartAttempt& e) { start(e); },
                     [&](const AttemptBody& e) { call(e.attempt).body += materialise(*e.body); },
                     [](const ReleaseBody&) {},
                     [&](const AbortAttempt& e) {
                       call(e.attempt).aborted = true;
                       pending_[e.attempt].clear();
                     },
                     [&](const SendHead& e) {
                       EXPECT_EQ(seen.status, 0) << "a second head";
                       seen.status = e.status;
                       seen.headers = e.headers;
                     },
                     [&](const SendBytes& e) {
                       EXPECT_FALSE(seen.ended) << "bytes after the end";
                       EXPECT_NE(seen.status, 0) << "bytes before the head";
                       seen.body += e.bytes;
                     },
                     [&](const SendEnd& e) {
                       EXPECT_FALSE(seen.ended) << "a second end";
                       seen.ended = true;
                       seen.clean = e.clean;
                     },
                     [&](const StoreGet& e) { asked.push_back({e.request, "get", std::string(e.key)}); },
                     [&](const StorePut& e) {
                       asked.push_back({e.request, "put", std::string(e.key), std::string(e.bytes)});
                     },
                     [&](const StoreLease& e) {
                       asked.push_back({e.request, "lease", std::string(e.key), "", e.ttl});
                     },
                     [&](const StoreTake& e) {
                       asked.push_back({e.request, "take", std::string(e.key), std::to_string(e.amount)});
                     },
                     [&](const Wake& e) { woken.push_back(e.exchange); },
                     [&](const Emit& e) { seen.records.emplace_back(e.json); }},
          effect);
    }
    std::string materialise(const BodyPieces& body) const {
      std::string out;
      for (const auto& piece : body.pieces) {
        out += (piece.literal ? std::string_view(body.text) : std::string_view(body_))
                   .substr(piece.offset, piece.length);
      }
      return out;
    }
    Call& call(AttemptNo no) { return world_.calls[call_.at(no)]; }
    void start(const StartAttempt& e) {
      const std::string& id = world_.engine->catalog().deployment(e.deployment).id;
      call_[e.attempt] = world_.calls.size();
      world_.calls.push_back({id, std::string(e.url), std::string(e.headers), materialise(*e.body), e.slot,
                              world_.now, false, e.shadow});
      auto& queue = world_.scripts_[id];
      ASSERT_FALSE(queue.empty()) << "nobody said what " << id << " does";
      const Script script = queue.front();
      if (queue.size() > 1) queue.pop_front();
      const AttemptNo no = e.attempt;
      auto& events = pending_[no];
      if (script.status != 0) {
        events.push_back([this, no, script] { tell(HeadArrived{no, script.status, script.headers}); });
        for (const std::string& chunk : script.chunks) {
          events.push_back([this, no, chunk] { tell(BytesArrived{no, chunk}); });
        }
      }
      switch (script.end) {
        case Script::End::clean: events.push_back([this, no] { tell(AttemptEnded{no}); }); break;
        case Script::End::reset:
          events.push_back([this, no, script] { tell(AttemptBroke{no, script.fault, "ECONNRESET"}); });
          break;
        case Script::End::hang: break;
      }
    }

    World& world_;
    std::string body_;
    std::map<AttemptNo, std::deque<std::function<void()>>> pending_;  // what providers will still say
    std::map<AttemptNo, std::size_t> call_;                           // places in the world's calls

   public:
    Exchange exchange;
  };

  WallTime wall() const { return {1'800'000'000'000 + now.ms}; }

  Instant now{1000};
  std::unique_ptr<Engine> engine;
  std::vector<Call> calls;

 private:
  std::map<std::string, std::deque<Script>> scripts_;
  std::uint64_t seed_ = 1;
};

}  // namespace shunt::exchange
