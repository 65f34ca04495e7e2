// The decision record of one exchange: enough to run its decision again, no content and no key.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "canonical/failure.h"
#include "canonical/outcome.h"
#include "canonical/usage.h"
#include "catalog/catalog.h"
#include "route/line_view.h"
#include "route/plan.h"

namespace shunt::exchange {

struct AttemptRecord {
  std::uint32_t no = 0;
  DeploymentId deployment{};
  std::uint32_t slot = 0;
  Purpose purpose = Purpose::main;
  bool kept = false;
  Instant began;
  Instant ended;
  int status = 0;
  std::optional<Duration> first_byte;
  std::optional<Duration> first_token;
  OutcomeKind outcome = OutcomeKind::neutral;
  bool superseded = false;         // another attempt answered first
  std::optional<Verdict> verdict;  // of a failure
  std::size_t bad_frames = 0;
  std::int64_t cost_micros = 0;  // millionths of a dollar; 0 = not known
  route::LineView view;          // as it stood when the attempt began
};

enum class Result : std::uint8_t { answered, failed, refused, broken, client_gone, local };
constexpr std::string_view name_of(Result r) {
  constexpr std::string_view kNames[] = {"answered", "failed", "refused", "broken", "client_gone", "local"};
  return kNames[static_cast<std::size_t>(r)];
}

struct DecisionRecord {
  std::string id;  // x-shunt-request-id
  std::uint64_t seed = 0;
  std::string route;  // as the client named it
  std::string client;
  DialectId dialect = DialectId::openai_chat;
  bool stream = false;
  WallTime wall;
  Instant arrived;
  Instant ended;
  std::uint64_t request_bytes = 0;
  bool sent_once = false;
  Duration waited;                          // in the queue, before the first attempt
  bool budget_spent = false;                // a further attempt was wanted, and the route's budget had none
  std::optional<route::PlanPolicy> policy;  // of the plan that was made
  std::size_t planned = 0;                  // views it was made over; those behind them are the fallback's
  route::PlanVerdict plan = route::PlanVerdict::empty;
  std::vector<route::LineView> views;  // every candidate, in configuration order
  std::vector<std::uint16_t> order;
  std::optional<Duration> hedge_after;  // none: not asked for, or too little is known of the lines
  std::vector<AttemptRecord> attempts;
  std::string_view fallback;  // the last step of the route's fallback that was taken; empty = none
  Result result = Result::local;
  int status = 0;  // sent to the client
  Usage usage;
  std::vector<std::string> dropped;  // request parts the chosen dialect could not say
};

// One JSON object.
void write_record(const DecisionRecord& record, const Catalog& catalog, std::string_view config_hash,
                  std::string& out);
// Of an attempt whose answer nobody sees: a record of its own, "shunt-shadow/1".
void write_shadow(const DecisionRecord& record, const AttemptRecord& attempt, const Usage& usage,
                  const Catalog& catalog, std::string_view config_hash, std::string& out);

// Why this line answered, in words: "first choice", "after gpt@openai: RATE_LIMITED (429)",
// "hedge after 850 ms: gpt@openai was slow to begin".
// `serving` is the line under way, null when none is.
std::string reason_in_words(const DecisionRecord& record, const Catalog& catalog,
                            const route::LineView* serving);

}  // namespace shunt::exchange
