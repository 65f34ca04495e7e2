// The cross-checks. Each says at the place that has to change what it contradicts.
#include "config/checks.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "config/shown.h"

namespace shunt::config {
namespace {

struct Limit {
  const char* key;
  Duration Timeouts::* value;
};
constexpr auto kAllLimits = std::to_array<Limit>({
    {"connect_ms", &Timeouts::connect},
    {"first_byte_ms", &Timeouts::first_byte},
    {"first_token_ms", &Timeouts::first_token},
    {"idle_ms", &Timeouts::idle},
    {"attempt_ms", &Timeouts::attempt},
    {"total_ms", &Timeouts::total},
    {"plain_total_ms", &Timeouts::plain_total},
});

// Inner before outer, as places in kAllLimits.
struct Nesting {
  std::uint8_t inner, outer;
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

void append_limit(std::string& out, const Limit& limit, const Timeouts& limits, bool set) {
  out += limit.key;
  out += ' ';
  append_int(out, (limits.*limit.value).ms);
  if (!set) out += " (built in)";
}

// What may stand in place of a name that is not among `names`: the first of them.
std::string none_of(const char* what, const Names& names) {
  if (names.empty()) return joined({"a ", what, "; the configuration has none"});
  constexpr std::size_t kShown = 10;
  const Names first(names.begin(),
                    names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kShown)));
  return joined({"a ", what, " of this configuration: ", listed(first), names.size() > kShown ? ", …" : ""});
}

bool among(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// The roles that the lines of a route have, there or by themselves.
Names roles_of(const RouteDraft& route, const std::vector<Deployment>& lines, const Index& deployments) {
  Names roles;
  for (const EntryDraft& entry : route.entries) {
    if (!entry.role.value.empty()) roles.push_back(entry.role.value);
    const auto line = find(deployments, entry.id.value);
    if (!line) continue;
    for (const std::string& role : lines[*line].roles) roles.push_back(role);
  }
  return roles;
}

// A prompt belongs to a role, or is what an assessment asks with.
void check_prompts(Report& report, const RouteDraft& route, const Names& roles) {
  for (const Name& prompt : route.prompts) {
    const bool used = std::any_of(route.references.begin(), route.references.end(), [&](const Reference& by) {
      return by.to == Reference::To::prompt && by.name.value == prompt.value;
    });
    if (!used && !among(roles, prompt.value))
      report.fault(prompt.at, "a prompt for the unknown role " + quoted(prompt.value),
                   "a role that a line of this route has", nearest(prompt.value, roles));
  }
}

}  // namespace

void report_unknown(Report& report, const Name& name, const char* what, const Index& known) {
  if (report.full())
    return report.fault(name.at, "", "");  // not kept: spare the search for the nearest of thousands
  Names names;
  for (const auto& [known_name, index] : known) names.push_back(known_name);
  report.fault(name.at, joined({"unknown ", what, " ", quoted(name.value)}), none_of(what, names),
               nearest(name.value, names));
}

TimeoutOverrides merged(const TimeoutOverrides& outer, const TimeoutOverrides& inner) {
  TimeoutOverrides out = outer;
  override_limits(out, inner);
  return out;
}

void check_limits(Report& report, const TimeoutOverrides& set, std::uint64_t at) {
  const Timeouts limits = overridden(Timeouts{}, set);
  for (const Nesting& pair : kNestings) {
    const Limit& inner = kAllLimits[pair.inner];
    const Limit& outer = kAllLimits[pair.outer];
    const Duration inner_limit = limits.*inner.value;
    const Duration outer_limit = limits.*outer.value;
    if (set.*inner.value == kInherited || inner_limit.ms == 0 || outer_limit.ms == 0 ||
        inner_limit < outer_limit)
      continue;
    std::string found;
    append_limit(found, inner, limits, true);
    found += " inside ";
    append_limit(found, outer, limits, set.*outer.value != kInherited);
    if (inner_limit > outer_limit) {
      report.fault(at, found, "an inner limit shorter than its outer one");
    } else {
      report.warn(at, found, "an inner limit as long as its outer one never ends first");
    }
  }
}

void check_steps(Report& report, const Draft& draft, const std::vector<Deployment>& lines,
                 const Index& deployments, const Index& routes) {
  for (const RouteDraft& route : draft.routes) {
    const Names roles = roles_of(route, lines, deployments);
    Names prompts;
    for (const Name& prompt : route.prompts) prompts.push_back(prompt.value);
    for (const auto& [to, name] : route.references) {
      switch (to) {
        case Reference::To::line:
          if (!find(deployments, name.value)) report_unknown(report, name, "deployment", deployments);
          break;
        case Reference::To::route:
          if (!find(routes, name.value)) report_unknown(report, name, "route", routes);
          break;
        case Reference::To::role:
          if (!among(roles, name.value))
            report.fault(name.at, "unknown role " + quoted(name.value),
                         "a role that a line of this route has", nearest(name.value, roles));
          break;
        case Reference::To::prompt:
          if (!among(prompts, name.value))
            report.fault_about(name.at, "unknown prompt %", name.value,
                               "a name under this route's \"prompts\"");
          break;
      }
    }
    check_prompts(report, route, roles);
  }
}

void check_tasks(Report& report, const Draft& draft, const std::vector<Route>& routes) {
  const std::vector<exchange::TaskLimits>& tasks = draft.engine.tasks;
  if (tasks.empty()) return;
  Index known;
  for (const Route& route : routes) add(known, route.task.empty() ? route.name : route.task, 0);
  std::size_t said = 0;
  for (std::size_t i = 0; i < tasks.size() && said < kFaults; ++i) {
    if (find(known, tasks[i].task)) continue;
    ++said;
    Names names;
    for (const auto& [name, place] : known) names.push_back(name);
    report.warn(draft.tasks_at[i],
                "limits of the task type " + quoted(tasks[i].task) + ", which no route names",
                "the \"task\" of a route, or a route's own name; else only x-shunt-task names it",
                nearest(tasks[i].task, names));
  }
}

void check_sharing(Report& report, const Draft& draft) {
  const exchange::Store store = draft.engine.state.store;
  if (!draft.limits_at || store == exchange::Store::durable_object || store == exchange::Store::redis) return;
  report.warn(*draft.limits_at, joined({"limits with the store ", exchange::name_of(store)}),
              "each isolate or process counts them alone; the store durable_object counts for all together",
              {});
}

// Depth first with a stack of its own: a chain may be as long as there are routes.
void check_fallback_cycles(Report& report, const Draft& draft, const Index& routes) {
  enum class Mark : std::uint8_t { fresh, open, done };
  struct Visit {
    const std::list<Reference>* targets;
    std::list<Reference>::const_iterator next;
    Mark mark = Mark::fresh;
  };
  std::vector<Visit> visits;  // by place among the routes
  for (const RouteDraft& route : draft.routes)
    visits.push_back({&route.references, route.references.begin()});
  std::vector<std::uint32_t> stack;
  for (std::uint32_t start = 0; start < visits.size(); ++start) {
    if (visits[start].mark == Mark::fresh) stack.push_back(start);
    while (!stack.empty()) {
      Visit& visit = visits[stack.back()];
      visit.mark = Mark::open;
      if (visit.next == visit.targets->end()) {
        visit.mark = Mark::done;
        stack.pop_back();
        continue;
      }
      const auto& [to, target] = *visit.next++;
      if (to != Reference::To::route) continue;
      const auto found = find(routes, target.value);
      if (!found) continue;
      const Mark mark = visits[*found].mark;
      if (mark == Mark::open) {
        report.fault_about(target.at, "a fallback that comes back to the route %", target.value,
                           "fallbacks that end: none may lead back to where it started");
      } else if (mark == Mark::fresh) {
        stack.push_back(*found);
      }
    }
  }
}

}  // namespace shunt::config
