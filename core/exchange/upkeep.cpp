// Reads, writes and leases of one upkeep exchange.
#include "exchange/upkeep.h"

#include <algorithm>

#include "base/strings.h"
#include "health/codec.h"
#include "health/record.h"

namespace shunt::exchange {
namespace {

// A write goes over what others wrote since the last read: that must be news of this moment.
constexpr Duration kFresh{1000};
// Given up for lost: the host comes back at a timer this late at the most.
constexpr Duration kGrace{10000};

using What = Outbox::Ask::What;

}  // namespace

Upkeep::Upkeep(Engine& engine, std::uint64_t seed, Timers& timers, Outbox& out)
    : engine_(engine), seed_(seed), timers_(timers), out_(out), read_at_(health::kPast) {}

Upkeep::~Upkeep() { engine_.sharing().close(keeper_); }

void Upkeep::handle(Instant now, const Input& input) {
  now_ = now;
  if (const auto* started = std::get_if<Started>(&input)) start(*started);
  if (const auto* answer = std::get_if<StoreAnswered>(&input)) hear(*answer);
  if (keeper_ == 0 || !engine_.sharing().renew(keeper_, now_ + kGrace)) {
    finished_ = true;
    return;
  }
  expire();
  go_on();
}

void Upkeep::start(const Started& input) {
  if (keeper_ != 0) return;
  started_ = now_;
  started_wall_ = input.wall;
  engine_.health().observe_wall(now_, input.wall);
  keeper_ = engine_.sharing().open(now_, now_ + kGrace);
}

std::uint32_t Upkeep::ask(Asked asked, std::uint32_t line) {
  open_.push_back({++asked_, asked, line, now_ + kStoreWait});
  return asked_;
}

bool Upkeep::waits_for(Asked asked) const {
  return std::any_of(open_.begin(), open_.end(), [asked](const Question& q) { return q.asked == asked; });
}

void Upkeep::hear(const StoreAnswered& input) {
  const auto at =
      std::find_if(open_.begin(), open_.end(), [&](const Question& q) { return q.number == input.request; });
  if (at == open_.end()) return;  // too late, or never asked
  const Question question = *at;
  if (question.asked == Asked::read && read_.size() <= health::kRecordBytes) read_.append(input.bytes);
  if (input.more) return;
  open_.erase(at);
  answered(question, input.result);
}

void Upkeep::expire() {
  while (!open_.empty() && open_.front().until <= now_) {  // they expire in the order of asking
    const Question question = open_.front();
    open_.erase(open_.begin());
    answered(question, StoreResult::failed);
  }
}

void Upkeep::answered(const Question& question, StoreResult result) {
  switch (question.asked) {
    case Asked::read: return was_read(result);
    case Asked::write:
      if (result != StoreResult::ok) engine_.sharing().publisher().note(health::News::soon, now_);
      return;
    case Asked::lease:
      // A store that is down knows nothing: whether to probe is drawn by lot then.
      if (result != StoreResult::failed)
        engine_.sharing().leased(question.line, result == StoreResult::ok, now_ + Sharing::kLease);
      return;
  }
}

void Upkeep::was_read(StoreResult result) {
  engine_.sharing().was_read(now_);
  read_at_ = now_;
  const std::string document = std::move(read_);
  read_.clear();
  if (result == StoreResult::failed) return;
  health::HealthTable& health = engine_.health();
  health::Merge merge;
  if (result == StoreResult::ok) merge = health.merge_records(document, now_, wall());
  if (merge.result == health::LoadResult::refused) {  // no document, or garbage: nothing of ours stands there
    std::string empty(health::kRecordMagic);
    health::put_check(empty, 0);
    merge = health.merge_records(empty, now_, wall());
  }
  engine_.sharing().publisher().saw(merge.lacks_ours, now_, seed_);
}

void Upkeep::go_on() {
  Sharing& sharing = engine_.sharing();
  const std::string key = joined({"shunt/health/", engine_.loaded().engine.state.shard});
  sharing.publisher().note(engine_.health().take_news(), now_);
  const bool to_write = !waits_for(Asked::write) && sharing.publisher().due() <= now_;
  const bool stale = read_at_ + kFresh < now_;
  if (!waits_for(Asked::read)) {
    if (sharing.next_read() <= now_ || (to_write && stale)) {
      out_.ask({What::get, ask(Asked::read), key, {}, {}});
    } else if (to_write) {
      std::string document;
      engine_.health().export_records(document, now_, wall());
      sharing.publisher().wrote(now_);
      out_.ask({What::put, ask(Asked::write), key, std::move(document), {}});
    }
  }
  ask_leases();
  Instant next = kNever;
  if (!waits_for(Asked::read)) next = waits_for(Asked::write) ? sharing.next_read() : sharing.due();
  const bool lasts = next <= now_ + Sharing::kSoon && now_ < started_ + kLife;
  finished_ = open_.empty() && !lasts;
  timers_.set(TimerReason::store, open_.empty() ? kNever : open_.front().until);
  timers_.set(TimerReason::upkeep, lasts ? std::max(next, now_) : kNever);
}

void Upkeep::ask_leases() {
  std::vector<std::uint32_t> lines;
  engine_.health().list_out_of_order(lines);
  for (const std::uint32_t line : lines) {
    const health::LineState state = engine_.health().read(line, now_);
    const bool recovering = state.availability == health::Availability::probe ||
                            (state.availability == health::Availability::out &&
                             state.cause == health::Cause::breaker && state.until <= now_ + Sharing::kSoon);
    const bool asked = std::any_of(open_.begin(), open_.end(), [line](const Question& q) {
      return q.asked == Asked::lease && q.line == line;
    });
    if (!recovering || asked || !engine_.sharing().lacks_lease(line, now_)) continue;
    const std::uint32_t number = ask(Asked::lease, line);
    out_.ask({What::lease, number, engine_.lease_key(line), {}, Sharing::kLease});
  }
}

}  // namespace shunt::exchange
