// Lends and takes back.
#include "exchange/lending.h"

#include <algorithm>

#include "base/strings.h"
#include "canonical/http.h"

namespace shunt::exchange {

std::string lend_retries(Upstream& attempt, route::RetryBudget& budget, std::int64_t most, Instant now) {
  const auto lent = budget.reserve(now, std::max<std::int64_t>(most, 0));
  attempt.lend(lent);
  std::string lines;
  std::string number;
  append_uint(number, attempt.line().no);
  append_header(lines, "x-shunt-attempt", number);
  number.clear();
  append_int(number, lent.tokens);
  append_header(lines, "x-shunt-retries-left", number);
  return lines;
}

std::int64_t used_of_lent(const Upstream& attempt) {
  const std::int64_t lent = attempt.line().lent.tokens;
  const auto made = parse_uint(HeaderBlock(attempt.headers()).get("x-shunt-attempts"));
  if (!made) return lent;
  const std::uint64_t used = *made > 0 ? *made - 1 : 0;
  return static_cast<std::int64_t>(std::min(used, static_cast<std::uint64_t>(lent)));
}

void take_retries_back(const Upstream& attempt, route::RetryBudget& budget, Instant now) {
  const auto& lent = attempt.line().lent;
  if (lent.tokens > 0) budget.give_back(now, lent, lent.tokens - used_of_lent(attempt));
}

}  // namespace shunt::exchange
