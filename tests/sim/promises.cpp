// Plain configurations, and promises with their figures.
#include "sim/promises.h"

namespace shunt::sim {
namespace {

std::string percent(std::uint64_t millionths) {
  return number(millionths / 10'000) + "." + number(millionths % 10'000 / 1000) +
         number(millionths % 1000 / 100) + " %";
}
std::string share(std::string_view what, std::uint64_t part, std::uint64_t whole) {
  return std::string(what) + " " + number(part) + " of " + number(whole);
}

}  // namespace

std::string config_of(const PlainLines& lines) {
  std::string providers;
  std::string deployments;
  std::string entries;
  for (int i = 0; i < lines.lines; ++i) {
    const std::string n = std::to_string(i);
    const char* comma = i == 0 ? "" : ", ";
    providers += comma + (R"("p)" + n + R"(": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:)") +
                 std::to_string(i + 1) + R"(/v1", "keys": ["KEY_)" + n + R"("]})";
    deployments += comma + (R"({"id": "m@p)" + n + R"(", "provider": "p)") + n + R"(", "model": "m"})";
    if (i >= lines.lines - lines.unlisted) continue;
    entries += comma + (R"({"id": "m@p)" + n + R"(", "priority": )") +
               std::to_string(lines.ranked ? i + 1 : 1) + "}";
  }
  return "{" + std::string(lines.defaults) + std::string(lines.more) + R"("providers": {)" + providers +
         R"(}, "deployments": [)" + deployments + R"(], "routes": {"chat": {"deployments": [)" + entries +
         "]" + std::string(lines.route_rules) + "}}}";
}

std::string number(std::uint64_t n) { return std::to_string(n); }

std::string promise(bool holds, const std::string& words) { return (holds ? "" : "NOT ") + words; }

std::string at_most(std::string_view what, std::uint64_t value, std::uint64_t most) {
  return promise(value <= most, std::string(what) + " " + number(value) + " ≤ " + number(most));
}
std::string at_least(std::string_view what, std::uint64_t value, std::uint64_t least) {
  return promise(value >= least, std::string(what) + " " + number(value) + " ≥ " + number(least));
}
std::string share_at_least(std::string_view what, std::uint64_t part, std::uint64_t whole,
                           std::uint64_t millionths) {
  const bool holds = whole > 0 && part * 1'000'000 >= whole * millionths;
  return promise(holds, share(what, part, whole) + " ≥ " + percent(millionths));
}
std::string share_at_most(std::string_view what, std::uint64_t part, std::uint64_t whole,
                          std::uint64_t millionths) {
  const bool holds = whole > 0 && part * 1'000'000 <= whole * millionths;
  return promise(holds, share(what, part, whole) + " ≤ " + percent(millionths));
}

}  // namespace shunt::sim
