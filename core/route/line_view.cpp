// How a LineView stands in a decision record. Every member is written, so that the decision can be
// run again from it.
#include "route/line_view.h"

#include "base/rng.h"

namespace shunt::route {

// Mixed, because ids differ in their last letters.
std::uint64_t name_hash(std::string_view id) { return mix64(hash_of(id)); }

void append_view(json::Writer& out, const LineView& view, std::string_view id) {
  out.begin_object();
  out.field("id", id);
  out.field("deployment", std::int64_t{view.deployment});
  out.field("slot", std::int64_t{view.slot});
  out.field("state", name_of(view.availability));
  out.field("cause", name_of(view.cause));
  out.flag("kept", view.kept);
  if (view.until != kNever) out.field("until", view.until.ms);
  out.field("priority", std::int64_t{view.priority});
  out.field("weight", std::int64_t{view.weight});
  out.key("success").micros(view.success_micros);
  out.field("cost_nanos", view.cost_nanos);
  out.key("quota").micros(view.quota_micros);
  out.field("p90_ms", std::int64_t{view.p90_ms});
  out.field("ttft_micros", std::int64_t{view.ttft_micros});
  out.field("in_flight", std::int64_t{view.in_flight});
  out.field("region", std::int64_t{view.region});
  out.field("task_score", std::int64_t{view.task_score});
  out.field("role", std::int64_t{view.role});
  out.flag("local", view.local);
  out.end_object();
}

}  // namespace shunt::route
