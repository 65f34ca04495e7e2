// Active checks: whose turn it is.
#include "exchange/probe.h"

#include <algorithm>

#include "base/order.h"
#include "base/strings.h"
#include "exchange/engine.h"

namespace shunt::exchange {

bool Checks::take(std::uint32_t line, Instant now) {
  const Duration turn = seconds(policy_.every_s);
  const Instant hour_ago = now - seconds(3600);
  made_.erase(std::remove_if(made_.begin(), made_.end(),
                             [&](const Made& made) { return made.at <= hour_ago && made.at + turn <= now; }),
              made_.end());
  std::uint32_t used = 0;
  for (const Made& made : made_) {
    if (made.line == line && made.at + turn > now) return false;
    if (made.at > hour_ago) ++used;
  }
  if (policy_.every_s == 0 || used >= policy_.per_hour) return false;
  made_.push_back({line, now});
  return true;
}

std::optional<std::uint32_t> next_check(Engine& engine, std::uint32_t from, std::uint64_t seed, Instant now) {
  std::vector<std::uint32_t> lines;
  engine.health().list_out_of_order(lines);
  stable_order(lines, [](std::uint32_t a, std::uint32_t b) { return a < b; });
  for (const std::uint32_t line : lines) {
    if (line < from || engine.catalog().deployments[line].model.empty()) continue;
    const health::LineState state = engine.health().read(line, now);
    const bool by_time = state.availability == health::Availability::probe ||
                         state.cause == health::Cause::breaker || state.cause == health::Cause::cooldown;
    if (by_time && engine.may_probe(line, seed, now) && engine.checks().take(line, now)) return line;
  }
  return std::nullopt;
}

std::string check_body(std::string_view line) {
  return joined(
      {R"({"model":")", line, R"(","max_tokens":1,"messages":[{"role":"user","content":"ping"}]})"});
}

BodyPieces as_literals(const BodyPieces& body, std::string_view source) {
  BodyPieces whole;
  for (const BodyPieces::Piece& piece : body.pieces) {
    const std::string_view from = piece.literal ? std::string_view(body.text) : source;
    whole.literal(
        from.substr(static_cast<std::size_t>(piece.offset), static_cast<std::size_t>(piece.length)));
  }
  whole.dropped = body.dropped;
  return whole;
}

}  // namespace shunt::exchange
