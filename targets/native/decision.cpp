// Decision records read back into views, policy and seed, and planned again.
#include "native/decision.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/limits.h"
#include "base/strings.h"
#include "route/plan.h"
#include "route/strategies.h"

namespace shunt::native {
namespace {

using Json = nlohmann::json;
using route::LineView;
using route::name_of;

constexpr std::string_view kFormat = "shunt-record/1";

// Members of one object, by type and range. The first that is not as it should be is the fault.
class Members {
 public:
  Members(const Json& object, std::string where, std::string& fault)
      : object_(object), where_(std::move(where)), fault_(fault) {
    if (!object.is_object()) fail("", "is no object");
  }

  template <typename Number>
  void number(const char* key, Number& out) {
    const Json* value = member(key);
    if (value == nullptr) return;
    const bool fits =
        value->is_number_integer() &&
        (!value->is_number_unsigned() || value->get<std::uint64_t>() <= std::uint64_t{INT64_MAX}) &&
        value->get<std::int64_t>() >= std::int64_t{std::numeric_limits<Number>::min()} &&
        value->get<std::int64_t>() <= std::int64_t{std::numeric_limits<Number>::max()};
    if (!fits) return fail(key, "is no number of its range");
    out = static_cast<Number>(value->get<std::int64_t>());
  }

  void micros(const char* key, std::int64_t& out) {
    const Json* value = member(key);
    if (value == nullptr) return;
    if (!value->is_number() || !(std::abs(value->get<double>()) < 9e12)) return fail(key, "is no decimal");
    out = std::llround(value->get<double>() * 1e6);
  }

  void flag(const char* key, bool& out) {
    const Json* value = member(key);
    if (value == nullptr) return;
    if (!value->is_boolean()) return fail(key, "is not true or false");
    out = value->get<bool>();
  }

  void text(const char* key, std::string& out) {
    const Json* value = member(key);
    if (value == nullptr) return;
    if (!value->is_string()) return fail(key, "is no text");
    out = value->get<std::string>();
  }

  void hex(const char* key, std::uint64_t& out) {
    std::string digits;
    text(key, digits);
    if (!fault_.empty()) return;
    const char* end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, out, 16);
    if (digits.size() != 16 || read.ptr != end) fail(key, "is no 16 hexadecimal digits");
  }

  // A word of `Enum`, which has `count` of them.
  template <typename Enum>
  void word(const char* key, Enum& out, int count) {
    std::string said;
    text(key, said);
    if (!fault_.empty()) return;
    for (int i = 0; i < count; ++i) {
      if (name_of(static_cast<Enum>(i)) != said) continue;
      out = static_cast<Enum>(i);
      return;
    }
    fail(key, "is no word that is known here");
  }

  const Json* member(const char* key) {
    if (!fault_.empty()) return nullptr;
    const auto found = object_.find(key);
    if (found != object_.end()) return &*found;
    fail(key, "is missing");
    return nullptr;
  }

  void fail(const char* key, std::string_view what) {
    if (fault_.empty()) fault_ = fmt::format("\"{}/{}\" {}", where_, key, what);
  }

 private:
  const Json& object_;
  std::string where_;
  std::string& fault_;
};

LineView read_view(const Json& json, const std::string& where, std::string& id, std::string& fault) {
  LineView view;
  Members in(json, where, fault);
  in.text("id", id);
  in.number("deployment", view.deployment);
  in.number("slot", view.slot);
  in.word("state", view.availability, 3);
  in.word("cause", view.cause, 11);
  in.flag("kept", view.kept);
  if (json.is_object() && json.contains("until")) in.number("until", view.until.ms);
  in.number("priority", view.priority);
  in.number("weight", view.weight);
  in.micros("success", view.success_micros);
  in.number("cost_nanos", view.cost_nanos);
  in.micros("quota", view.quota_micros);
  in.number("p90_ms", view.p90_ms);
  in.number("ttft_micros", view.ttft_micros);
  in.number("in_flight", view.in_flight);
  in.number("region", view.region);
  in.number("task_score", view.task_score);
  in.number("role", view.role);
  in.flag("local", view.local);
  view.name_hash = route::name_hash(id);
  return view;
}

route::PlanPolicy read_policy(const Json& json, std::string& fault) {
  route::PlanPolicy policy;
  Members in(json, "policy", fault);
  in.word("strategy", policy.strategy, 11);
  in.word("last_line", policy.last_line, 2);
  in.flag("across", policy.across);
  in.flag("quota", policy.quota);
  in.number("min_score", policy.min_score);
  in.micros("degrade", policy.degrade_micros);
  in.number("region", policy.region);
  in.hex("affinity", policy.affinity);
  return policy;
}

// What the record says of its plan.
struct RecordedPlan {
  std::vector<LineView> views;
  std::vector<std::string> ids;
  std::optional<std::size_t> kept;
  route::PlanPolicy policy;
  std::uint64_t seed = 0;
  std::string verdict;
  std::vector<std::size_t> order;
};

void read_order(const Json& json, RecordedPlan& out, std::string& fault) {
  if (!json.is_array()) {
    fault = "\"/order\" is no list";
    return;
  }
  for (const Json& index : json) {
    if (!index.is_number_unsigned() || index.get<std::uint64_t>() >= out.views.size()) {
      fault = "\"/order\" names a line that is not there";
      return;
    }
    out.order.push_back(index.get<std::size_t>());
  }
}

RecordedPlan read_record(const Json& json, std::string& fault) {
  RecordedPlan out;
  Members in(json, "", fault);
  in.hex("seed", out.seed);
  in.text("plan", out.verdict);
  const Json* lines = in.member("lines");
  const Json* order = in.member("order");
  const Json* policy = in.member("policy");
  if (!fault.empty()) return out;
  if (!lines->is_array()) {
    in.fail("lines", "is no list");
    return out;
  }
  // Lines behind these were asked when the plan was at its end: the route's fallback.
  std::size_t planned = lines->size();
  if (json.contains("planned")) {
    std::uint32_t said = 0;
    in.number("planned", said);
    planned = std::min<std::size_t>(planned, said);
  }
  if (planned > limits::kPlanLines) in.fail("lines", "holds more lines than a route may have");
  for (std::size_t i = 0; i < planned && fault.empty(); ++i) {
    out.views.push_back(read_view((*lines)[i], fmt::format("lines/{}", i), out.ids.emplace_back(), fault));
    if (out.views.back().kept) out.kept = i;
  }
  if (fault.empty()) out.policy = read_policy(*policy, fault);
  if (fault.empty()) read_order(*order, out, fault);
  return out;
}

std::string listed(const std::vector<std::string>& ids) {
  return Json(ids).dump(-1, ' ', false, Json::error_handler_t::replace);
}

void plan_again(RecordedPlan& record, Replanned& out) {
  const route::Plan plan = route::plan(record.views, record.policy, record.seed);
  out.planned = true;
  out.verdict = name_of(plan.verdict);
  for (const std::uint16_t line : plan.order) out.order.push_back(record.ids[line]);
  if (plan.kept) out.kept = record.ids[*plan.kept];
  if (out.verdict != record.verdict) out.differences.push_back({"/plan", record.verdict, out.verdict});
  if (std::vector<std::size_t>(plan.order.begin(), plan.order.end()) != record.order) {
    std::vector<std::string> wanted;
    for (const std::size_t line : record.order) wanted.push_back(record.ids[line]);
    out.differences.push_back({"/order", listed(wanted), listed(out.order)});
  }
  const auto name = [&](std::optional<std::size_t> line) { return line ? record.ids[*line] : "none"; };
  const std::optional<std::size_t> kept = plan.kept;
  if (kept != record.kept) out.differences.push_back({"/lines/*/kept", name(record.kept), name(kept)});
}

bool is_record(const Json& json) {
  const auto format = json.is_object() ? json.find("record") : json.end();
  return format != json.end() && format->is_string() && format->get<std::string>() == kFormat;
}

Replanned replan_one(const Json& json) {
  Replanned out;
  // Who it is, as far as it says so.
  const auto said = [&](const char* key) {
    return json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
  };
  out.id = said("id");
  out.route = said("route");
  // What was refused before there was anything to plan, and checks of one line.
  const bool ordered = json.contains("order") && json["order"].is_array() && !json["order"].empty();
  if (!json.contains("policy") && !ordered) return out;
  RecordedPlan record = read_record(json, out.fault);
  if (out.fault.empty()) plan_again(record, out);
  return out;
}

Json parse(std::string_view row) { return Json::parse(row, nullptr, false); }

}  // namespace

bool holds_decisions(std::string_view text) {
  while (!text.empty()) {
    const std::string_view row = trim(cut(text, '\n'));
    if (!row.empty()) return is_record(parse(row));
  }
  return false;
}

std::vector<Replanned> replan(std::string_view text) {
  std::vector<Replanned> all;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view row = trim(cut(text, '\n'));
    if (row.empty()) continue;
    const Json json = parse(row);
    if (json.is_object() && !is_record(json)) continue;
    Replanned one;
    if (json.is_object()) {
      one = replan_one(json);
    } else {
      one.fault = "the line is no decision record";
    }
    one.number = number;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace shunt::native
