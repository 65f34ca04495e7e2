// The cross-checks. Each says at the place that has to change what it contradicts.
#include "config/checks.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/strings.h"
#include "config/shown.h"

namespace shunt::config {
namespace {

struct Limit {
  std::string_view key;
  std::optional<Duration> TimeoutOverrides::* set;
  Duration Timeouts::* value;
};
constexpr auto kAllLimits = std::to_array<Limit>({
    {"connect_ms", &TimeoutOverrides::connect, &Timeouts::connect},
    {"first_byte_ms", &TimeoutOverrides::first_byte, &Timeouts::first_byte},
    {"first_token_ms", &TimeoutOverrides::first_token, &Timeouts::first_token},
    {"idle_ms", &TimeoutOverrides::idle, &Timeouts::idle},
    {"attempt_ms", &TimeoutOverrides::attempt, &Timeouts::attempt},
    {"total_ms", &TimeoutOverrides::total, &Timeouts::total},
    {"plain_total_ms", &TimeoutOverrides::plain_total, &Timeouts::plain_total},
    {"client_stall_ms", &TimeoutOverrides::client_stall, &Timeouts::client_stall},
});

// Inner before outer, as places in kAllLimits.
struct Nesting {
  std::size_t inner, outer;
};
constexpr auto kNestings = std::to_array<Nesting>({
    {0, 1},
    {0, 2},
    {0, 4},
    {0, 5},
    {0, 6},  // connect
    {1, 2},
    {1, 4},
    {1, 5},  // first byte
    {2, 4},
    {2, 5},  // first token
    {3, 4},
    {3, 5},  // idle
    {4, 5},  // attempt
});

std::string said(const Limit& limit, Duration value, bool set) {
  std::string out = std::string(limit.key) + " ";
  append_int(out, value.ms);
  return set ? out : out + " (built in)";
}

std::string none_of(std::string_view what, const Index& known) {
  if (known.empty()) return joined({"a ", what, "; the configuration has none"});
  std::vector<std::string_view> names;
  for (const auto& [name, index] : known) {
    if (names.size() == 10) break;
    names.push_back(name);
  }
  return joined(
      {"a ", what, " of this configuration: ", listed(names), known.size() > names.size() ? ", …" : ""});
}

}  // namespace

void report_unknown(Report& report, const Name& name, std::string_view what, const Index& known) {
  if (report.full())
    return report.fault(name.at, {}, {});  // not kept: spare the search for the nearest of thousands
  std::vector<std::string_view> names;
  for (const auto& [known_name, index] : known) names.push_back(known_name);
  report.fault(name.at, joined({"unknown ", what, " ", quoted(name.value)}), none_of(what, known),
               nearest(name.value, names));
}

TimeoutOverrides merged(const TimeoutOverrides& outer, const TimeoutOverrides& inner) {
  TimeoutOverrides out = outer;
  for (const Limit& limit : kAllLimits) {
    if (inner.*limit.set) out.*limit.set = inner.*limit.set;
  }
  return out;
}

void check_limits(Report& report, const TimeoutOverrides& set, std::uint64_t at) {
  const Timeouts limits = overridden(Timeouts{}, set);
  for (const Nesting& pair : kNestings) {
    const Limit& inner = kAllLimits[pair.inner];
    const Limit& outer = kAllLimits[pair.outer];
    const Duration inner_limit = limits.*inner.value;
    const Duration outer_limit = limits.*outer.value;
    if (!(set.*inner.set) || inner_limit.ms == 0 || outer_limit.ms == 0 || inner_limit < outer_limit)
      continue;
    const std::string found = joined(
        {said(inner, inner_limit, true), " inside ", said(outer, outer_limit, (set.*outer.set).has_value())});
    if (inner_limit > outer_limit) {
      report.fault(at, found, "an inner limit shorter than its outer one");
    } else {
      report.warn(at, found, "an inner limit as long as its outer one never ends first");
    }
  }
}

void check_steps(Report& report, const Draft& draft, const Index& deployments, const Index& routes) {
  for (const RouteDraft& route : draft.routes) {
    std::vector<std::string_view> roles;
    for (const EntryDraft& entry : route.entries) {
      if (!entry.role.value.empty()) roles.push_back(entry.role.value);
      const auto line = deployments.find(entry.id.value);
      if (line == deployments.end()) continue;
      for (const std::string& role : draft.deployments[line->second].row.roles) roles.push_back(role);
    }
    const auto among = [](const auto& names, std::string_view name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (const Name& line : route.lines_named) {
      if (!deployments.contains(line.value)) report_unknown(report, line, "deployment", deployments);
    }
    for (const Name& other : route.routes_named) {
      if (!routes.contains(other.value)) report_unknown(report, other, "route", routes);
    }
    for (const Name& role : route.roles_named) {
      if (among(roles, role.value)) continue;
      report.fault(role.at, "unknown role " + quoted(role.value), "a role that a line of this route has",
                   nearest(role.value, roles));
    }
    for (const Name& prompt : route.prompts_named) {
      if (among(route.prompts, prompt.value)) continue;
      report.fault(prompt.at, "unknown prompt " + quoted(prompt.value),
                   "a name under this route's \"prompts\"");
    }
  }
}

// Depth first with a stack of its own: a chain may be as long as there are routes.
void check_fallback_cycles(Report& report, const Draft& draft, const Index& routes) {
  enum class Mark : std::uint8_t { fresh, open, done };
  struct Step {
    std::uint32_t route;
    std::size_t next = 0;
  };
  std::vector<Mark> marks(draft.routes.size(), Mark::fresh);
  std::vector<Step> stack;
  for (std::uint32_t start = 0; start < draft.routes.size(); ++start) {
    if (marks[start] == Mark::fresh) stack.push_back({start});
    while (!stack.empty()) {
      Step& step = stack.back();
      const std::vector<Name>& targets = draft.routes[step.route].routes_named;
      marks[step.route] = Mark::open;
      if (step.next == targets.size()) {
        marks[step.route] = Mark::done;
        stack.pop_back();
        continue;
      }
      const Name& target = targets[step.next++];
      const auto found = routes.find(target.value);
      if (found == routes.end()) continue;
      if (marks[found->second] == Mark::open) {
        report.fault(target.at, "a fallback that comes back to the route " + quoted(target.value),
                     "fallbacks that end: none may lead back to where it started");
      } else if (marks[found->second] == Mark::fresh) {
        stack.push_back({found->second});
      }
    }
  }
}

}  // namespace shunt::config
