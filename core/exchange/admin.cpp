// An operator's view of the lines, and the acts on them.
#include "exchange/admin.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/json.h"
#include "base/json_writer.h"
#include "base/strings.h"
#include "route/strategies.h"

namespace shunt::exchange {
namespace {

using health::LineReport;
using health::Mode;
using json::Writer;

// How a line is called, for programs and for people; the first row that holds.
struct Status {
  std::string_view status, zh, en;
};
constexpr Status kNormal{"normal", "正常", "normal"};
constexpr Status kLimited{"limited", "已限流", "limited"};
constexpr Status kOpen{"open", "已熔断", "open"};
constexpr Status kHalfOpen{"half_open", "已熔断", "open"};
constexpr Status kLatched{"latched", "已熔断", "open"};
constexpr Status kForcedOpen{"forced_open", "已熔断", "open"};
constexpr Status kDisabled{"disabled", "已停用", "disabled"};

const Status& status_of(const LineReport& report) {
  if (report.mode == Mode::disabled) return kDisabled;
  if (report.mode == Mode::forced_open) return kForcedOpen;
  if (report.state.availability == health::Availability::ready) return kNormal;
  if (report.state.availability == health::Availability::probe) return kHalfOpen;
  if (report.state.cause == health::Cause::latch) return kLatched;
  return report.state.cause == health::Cause::cooldown ? kLimited : kOpen;
}

class Lister {
 public:
  Lister(const Engine& engine, Instant now, WallTime wall, std::string& out)
      : engine_(engine), now_(now), wall_(wall), out_(out) {}

  void list(const std::vector<std::uint32_t>& lines) {
    out_.begin_object().flag("isolate_only", !engine_.loaded().engine.state.shared());
    out_.key("providers").begin_array();
    for (const std::uint32_t line : lines) write(line);
    out_.end_array().end_object();
  }

 private:
  void time(std::string_view key, std::optional<Instant> at) {
    out_.key(key);
    at ? out_.integer(wall_.ms - (now_ - *at).ms) : out_.null();
  }
  // Rounded up: what has 0.4 s left is not over.
  void left(std::string_view key, Instant end) {
    out_.field(key, end > now_ ? ((end - now_).ms + 999) / 1000 : std::int64_t{0});
  }
  void write(std::uint32_t line);

  const Engine& engine_;
  Instant now_;
  WallTime wall_;
  Writer out_;
};

void Lister::write(std::uint32_t line) {
  const Deployment& deployment = engine_.catalog().deployments[line];
  const LineReport report = engine_.health().report(line, now_);
  const health::LineState& state = report.state;
  const Status& status = status_of(report);
  out_.begin_object().field("name", deployment.id);
  out_.field("provider", engine_.catalog().provider_of(DeploymentId{line}).name);
  out_.field("model", deployment.model).field("status", status.status);
  out_.key("label").begin_object().field("zh", status.zh).field("en", status.en).end_object();
  out_.field("mode", name_of(report.mode)).field("trip", name_of(state.trip));
  out_.key("success_rate").micros(state.success_rate_micros);
  out_.field("failure_count", std::int64_t{state.failure_count});
  time("last_failure", state.last_failure);
  time("last_success", state.last_success);
  left("cooldown_s", report.limited_until);
  left("breaker_s", report.open_until);
  const bool out = state.availability == health::Availability::out;
  if (out && state.until == kNever) {
    out_.key("next_probe_s").null();
  } else {
    left("next_probe_s", out ? state.until : now_);
  }
  left("lease_s", report.lease_until);
  out_.key("recent_error");
  if (const RecentError* error = engine_.recent_error(line)) {
    out_.begin_object().field("class", name_of(error->error_class)).field("message", error->message);
    time("time", error->at);
    out_.end_object();
  } else {
    out_.null();
  }
  out_.field("priority",
             std::int64_t{report.priority.value_or(static_cast<std::uint32_t>(deployment.priority))});
  out_.field("weight", std::int64_t{report.weight.value_or(static_cast<std::uint32_t>(deployment.weight))});
  out_.end_object();
}

// The lines of that name: one deployment's, else all of a provider's.
std::vector<std::uint32_t> lines_named(const Catalog& catalog, std::string_view name) {
  if (const auto line = catalog.find_deployment(name)) return {index_of(*line)};
  std::vector<std::uint32_t> lines;
  for (std::uint32_t i = 0; i < catalog.deployments.size(); ++i) {
    if (name.empty() || catalog.provider_of(DeploymentId{i}).name == name) lines.push_back(i);
  }
  return lines;
}

struct Order {
  std::string_view name;
  std::optional<health::Act> act;  // else it sets a number
  std::int64_t least = 0, most = 0;
};
constexpr Order kOrders[] = {
    {"reset", health::Act::reset},       {"disable", health::Act::disable},
    {"enable", health::Act::enable},     {"open", health::Act::force_open},
    {"priority", std::nullopt, 1, 1000}, {"weight", std::nullopt, 0, route::kMaxWeight},
};

// {"value": n}; n null = as configured. False: the body says nothing of the kind.
bool read_value(std::string_view body, const Order& order, std::optional<std::uint32_t>& value) {
  json::Cursor in(body);
  bool given = false;
  std::string_view key;
  if (!in.enter_object()) return false;
  while (in.next_key(key)) {
    if (given || key != "value") return false;
    given = true;
    if (in.read_null()) continue;
    const auto number = in.read_int();
    if (!number || *number < order.least || *number > order.most) return false;
    value = static_cast<std::uint32_t>(*number);
  }
  return given && in.ok() && in.at_end();
}

Reply refused(int status, std::string_view code, std::string_view message) {
  return refusal_reply(*dialect::find(DialectId::openai_chat), {status, code, message});
}

Reply listed(const Engine& engine, const std::vector<std::uint32_t>& lines, Instant now, WallTime wall) {
  Reply reply{200, "content-type: application/json\ncache-control: no-store\n", {}};
  Lister(engine, now, wall, reply.body).list(lines);
  return reply;
}

}  // namespace

Reply answer_admin(Engine& engine, const AdminCall& call, Instant now, WallTime wall) {
  constexpr std::string_view kProviders = "/admin/providers";
  std::string_view path = std::string_view(call.target).substr(0, call.target.find('?'));
  if (path.starts_with("/api/")) path.remove_prefix(4);
  if (!path.starts_with(kProviders)) return refused(404, "not_found", "Use /admin/providers.");
  path.remove_prefix(kProviders.size());
  const Catalog& catalog = engine.catalog();
  if (path.empty() || path == "/") {
    if (call.method != "GET" && call.method != "HEAD")
      return refused(405, "method_not_allowed", "This path takes GET.");
    return listed(engine, lines_named(catalog, {}), now, wall);
  }
  const std::size_t slash = path.rfind('/');
  const std::string_view act = path.substr(slash + 1);
  const auto order = std::find_if(std::begin(kOrders), std::end(kOrders),
                                  [act](const Order& row) { return row.name == act; });
  if (path.front() != '/' || slash == 0 || order == std::end(kOrders)) {
    return refused(
        404, "not_found",
        "Use POST /admin/providers/NAME/ and one of reset, disable, enable, open, priority, weight.");
  }
  if (call.method != "POST") return refused(405, "method_not_allowed", "This path takes POST.");
  const std::string name = percent_decoded(path.substr(1, slash - 1));
  const std::vector<std::uint32_t> lines =
      name.empty() ? std::vector<std::uint32_t>{} : lines_named(catalog, name);
  if (lines.empty()) {
    return refused(404, "not_found",
                   joined({"There is no deployment or provider '", std::string_view(name).substr(0, kIdBytes),
                           "'. GET /admin/providers lists them."}));
  }
  std::optional<std::uint32_t> value;
  if (!order->act && !read_value(call.body, *order, value)) {
    std::string allowed = R"(The body must be {"value": n}: a whole number from )";
    append_int(allowed, order->least);
    allowed += " to ";
    append_int(allowed, order->most);
    return refused(400, "invalid_request", allowed + ", or null for the configured one.");
  }
  for (const std::uint32_t line : lines) {
    if (order->act) {
      engine.health().act(line, *order->act, now, wall);
      if (*order->act == health::Act::reset) engine.forget_limits(line, now);
    } else if (order->name == "priority") {
      engine.health().set_priority(line, value, now, wall);
    } else {
      engine.health().set_weight(line, value, now, wall);
    }
  }
  return listed(engine, lines, now, wall);
}

}  // namespace shunt::exchange
