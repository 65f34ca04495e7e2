// Each rule where what it forbids would be seen.
#include "sim/watch.h"

#include <algorithm>

#include "canonical/http.h"

namespace shunt::sim {
namespace {

constexpr std::string_view kKeepalive = ": keep-alive\n\n";
// Of the routes' built-in budgets: repeats 0.2 and first switches 1.0 of the requests, and a reserve of ten
// seconds and of the window each.
constexpr std::size_t kReserves = 2 * (10 + 10);
constexpr std::int64_t kWindowMs = 10'000;
constexpr std::size_t kWhole = 1'000'000;  // of a share

std::string_view between(std::string_view text, std::string_view before) {
  const std::size_t at = text.find(before);
  if (at == std::string_view::npos) return {};
  text.remove_prefix(at + before.size());
  return text.substr(0, text.find('"'));
}

// FNV-1a, over all parts of what a client was sent.
void digest(std::uint64_t& sum, std::string_view text) {
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
}

Told::Outcome outcome_of(std::string_view name) {
  if (name == "success") return Told::Outcome::success;
  return name == "failure" ? Told::Outcome::failure : Told::Outcome::neutral;
}

void forget(std::vector<std::int64_t>& times, std::int64_t before) {
  const auto first = std::find_if(times.begin(), times.end(), [&](std::int64_t t) { return t >= before; });
  if (first - times.begin() > 64 || first == times.end()) times.erase(times.begin(), first);
}

}  // namespace

void read_attempts(std::string_view record, std::vector<Told>& out) {
  constexpr std::string_view kStart = "{\"attempt\":";
  out.clear();
  for (std::size_t at = record.find(kStart); at != std::string_view::npos;) {
    const std::size_t next = record.find(kStart, at + 1);
    const std::string_view one = record.substr(at, next == std::string_view::npos ? next : next - at);
    const std::string_view own =
        one.substr(0, one.find("\"view\":"));  // the view has members of the same names
    Told told;
    told.attempt = static_cast<std::uint32_t>(std::atoi(std::string(own.substr(kStart.size(), 4)).c_str()));
    told.probe = between(own, "\"purpose\":\"") == "probe";
    told.kept = own.find("\"kept\":true") != std::string_view::npos;
    told.hedge = between(own, "\"purpose\":\"") == "hedge";
    told.outcome = outcome_of(between(own, "\"outcome\":\""));
    told.error_class = between(own, "\"class\":\"");
    out.push_back(told);
    at = next;
  }
}

bool is_shadows(std::string_view record) { return record.starts_with(R"({"record":"shunt-shadow/1")"); }

Told read_shadow(std::string_view record) {
  const std::string_view own = record.substr(0, record.find("\"view\":"));
  Told told;
  const std::size_t number = own.find("\"attempt\":");
  if (number != std::string_view::npos)
    told.attempt = static_cast<std::uint32_t>(std::atoi(std::string(own.substr(number + 10, 4)).c_str()));
  told.outcome = outcome_of(between(own, "\"outcome\":\""));
  told.error_class = between(own, "\"class\":\"");
  return told;
}

void Watch::note(Rule rule, const Watched& seen, std::string words) {
  if (!broken_) broken_ = Broken{rule, seen.exchange, now_ms_, std::move(words)};
}

void Watch::secret(const Watched& seen, std::string_view text) {
  if (text.find(kSecret) != std::string_view::npos) note(Rule::no_secret, seen, "a provider's key was told");
}

void Watch::head(Watched& seen, const exchange::SendHead& e) {
  secret(seen, e.headers);
  if (seen.ends > 0) note(Rule::nothing_after_end, seen, "a head after the end");
  if (seen.heads++ > 0) note(Rule::one_terminal, seen, "a second head");
  seen.status = e.status;
  digest(seen.digest, e.headers);
  const std::string_view wait = HeaderBlock(e.headers).get("retry-after");
  if (!wait.empty()) seen.retry_after = seconds(std::atoll(std::string(wait).c_str()));
}

void Watch::bytes(Watched& seen, const exchange::SendBytes& e, bool stream) {
  secret(seen, e.bytes);
  if (seen.ends > 0) note(Rule::nothing_after_end, seen, "bytes after the end");
  if (seen.heads == 0) note(Rule::one_terminal, seen, "bytes before a head");
  if (e.bytes.find(kShade) != std::string_view::npos) note(Rule::unseen, seen, "a shadow's words");
  digest(seen.digest, e.bytes);
  if (e.bytes != kKeepalive && !seen.content) {
    seen.content = true;
    seen.content_ms = now_ms_;
  }
  seen.answered_whole = is_whole(e.bytes, stream);
}

void Watch::end(Watched& seen, const exchange::SendEnd& e) {
  if (seen.ends++ > 0) note(Rule::one_terminal, seen, "a second end");
  if (e.clean && seen.heads == 0) note(Rule::one_terminal, seen, "a clean end without a head");
  seen.clean = e.clean;
  seen.ended_ms = now_ms_;
  digest(seen.digest, e.clean ? "." : "!");
}

void Watch::attempt(Watched& seen, const exchange::StartAttempt& e, const Made& made) {
  secret(seen, e.url);
  secret(seen, e.headers);
  seen.made.push_back(made);
  const auto count = [&](bool shadow) {
    return std::count_if(seen.made.begin(), seen.made.end(),
                         [shadow](const Made& each) { return each.shadow == shadow; });
  };
  if (made.shadow) {
    if (count(true) > 1) note(Rule::within_budget, seen, "a second shadow");
    if (!seen.content) note(Rule::unseen, seen, "a shadow before there is an answer");
    if (made.no_room) note(Rule::within_limits, seen, "a shadow on a line that is at its limits");
    if (made.in_wait) note(Rule::none_in_wait, seen, "a shadow inside a wait");
    if (made.standing >= Ledger::Standing::out)
      note(Rule::none_to_ejected, seen, "a shadow on a line that is out");
    return;
  }
  if (seen.ends > 0) note(Rule::nothing_after_end, seen, "an attempt after the end");
  if (seen.content) note(Rule::none_after_content, seen, "a second attempt after content");
  if (count(false) > attempts_most_)
    note(Rule::within_budget, seen, std::to_string(count(false)) + " attempts of one exchange");
}

// What an attempt was comes with the record; what it had to be was known when it began.
void Watch::record(Watched& seen, std::string_view json) {
  secret(seen, json);
  if (seen.records++ > 0) note(Rule::one_terminal, seen, "a second record");
  read_attempts(json, seen.told);
  const auto hedges =
      std::count_if(seen.told.begin(), seen.told.end(), [](const Told& each) { return each.hedge; });
  if (hedges > 1) note(Rule::within_budget, seen, "a second hedge");
  for (const Made& made : seen.made) {
    if (made.shadow) continue;
    const auto told = std::find_if(seen.told.begin(), seen.told.end(),
                                   [&](const Told& each) { return each.attempt == made.attempt; });
    if (told == seen.told.end()) {
      note(Rule::one_terminal, seen, "attempt " + std::to_string(made.attempt) + " is not in the record");
      continue;
    }
    const std::string where = "attempt " + std::to_string(made.attempt) + " on line " +
                              std::to_string(made.line) + " key " + std::to_string(made.slot);
    if (made.in_wait && !told->probe) note(Rule::none_in_wait, seen, where + " inside a wait it was told");
    if (made.no_room && !told->probe && !told->kept)
      note(Rule::within_limits, seen, where + ", which is at its limits");
    if (made.standing == Ledger::Standing::ordered_out)
      note(Rule::none_to_ejected, seen, where + ", which an operator has taken out");
    if (made.standing == Ledger::Standing::out && !told->probe && !told->kept)
      note(Rule::none_to_ejected, seen, where + ", which is out, neither probe nor kept");
    if (made.standing == Ledger::Standing::on_trial && !told->probe && !told->kept)
      note(Rule::none_to_ejected, seen, where + ", which no probe has proved well, is no probe");
  }
}

Told Watch::shadow_record(Watched& seen, std::string_view json) {
  secret(seen, json);
  if (seen.shadow_records++ > 0) note(Rule::one_terminal, seen, "a second record of a shadow");
  const Told told = read_shadow(json);
  const bool made = std::any_of(seen.made.begin(), seen.made.end(), [&](const Made& each) {
    return each.shadow && each.attempt == told.attempt;
  });
  if (!made) note(Rule::one_terminal, seen, "a record of a shadow that was not sent");
  return told;
}

void Watch::probe(const Watched& seen, const Made& made, Probe& last, std::int64_t grace_ms) {
  if (made.in_doubt) return;
  const std::int64_t ended = made.ended_ms == 0 ? now_ms_ : made.ended_ms;
  const std::int64_t shared = std::min(ended, last.to_ms) - std::max(made.at_ms, last.from_ms);
  if (shared > grace_ms)
    note(Rule::none_to_ejected, seen,
         "two probes of line " + std::to_string(made.line) + " key " + std::to_string(made.slot) +
             " at once for " + std::to_string(shared) + " ms");
  if (ended > last.to_ms) last = {made.at_ms, ended};
}

void Watch::over(const Watched& seen, bool client_gone) {
  const bool shadow =
      std::any_of(seen.made.begin(), seen.made.end(), [](const Made& each) { return each.shadow; });
  if (shadow && seen.shadow_records != 1) note(Rule::one_terminal, seen, "a shadow without its record");
  if (client_gone) return;
  if (seen.ends != 1) note(Rule::one_terminal, seen, std::to_string(seen.ends) + " ends");
  if (seen.records != 1) note(Rule::one_terminal, seen, std::to_string(seen.records) + " records");
}

void Repeats::request(std::int64_t now_ms) {
  forget(requests_, now_ms - 2 * kWindowMs);
  requests_.push_back(now_ms);
}

bool Room::there_is(Instant now) {
  if (now > last_ && quota_.rpm > 0) {
    // Full after at most six seconds, but for a rate of less than one in them.
    const std::int64_t gap = std::min<std::int64_t>(now.ms - last_.ms, 60'000);
    level_ = std::min(burst(), level_ + gap * quota_.rpm);
  }
  last_ = std::max(last_, now);
  if (quota_.concurrency > 0 && inside_ >= quota_.concurrency) return false;
  return quota_.rpm == 0 || level_ >= kRequest;
}

bool Repeats::repeat(std::int64_t now_ms, std::int64_t hedge_micros) {
  forget(repeats_, now_ms - kWindowMs);
  repeats_.push_back(now_ms);
  const auto after = [](const std::vector<std::int64_t>& times, std::int64_t from) {
    return static_cast<std::size_t>(times.end() - std::lower_bound(times.begin(), times.end(), from));
  };
  const std::size_t earned = after(requests_, now_ms - 2 * kWindowMs);
  return after(repeats_, now_ms - kWindowMs) * kWhole <=
         earned * static_cast<std::size_t>(1'200'000 + hedge_micros) + kReserves * kWhole;
}

}  // namespace shunt::sim
