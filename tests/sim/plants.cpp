// How each planted fault meddles.
#include "sim/plants.h"

#include "canonical/events.h"

namespace shunt::sim {

using exchange::Effect;
using exchange::Input;

const std::vector<Plant>& plants() {
  static const std::vector<Plant> kPlants = {
      {"two_ends", Rule::one_terminal, "an answer ends twice"},
      {"late_bytes", Rule::nothing_after_end, "bytes follow the end"},
      {"retry_after_content", Rule::none_after_content, "an attempt begins behind the first content"},
      {"retry_storm", Rule::within_budget, "each attempt is made three times"},
      {"call_ejected", Rule::none_to_ejected, "a call goes to a line that is out"},
      {"shared_lease", Rule::none_to_ejected, "every attempt is told to be a leased probe"},
      {"deaf_to_waits", Rule::none_in_wait, "the wait of a rate limit is not heard"},
      {"lost_timer", Rule::by_deadline, "a timer never fires"},
      {"lost_loan", Rule::all_comes_back, "something taken of the engine is never given back"},
      {"lost_slot", Rule::all_comes_back, "a line's slot is taken by nobody for ever"},
      {"told_key", Rule::no_secret, "an answer ends with a provider's key"},
      {"no_line_limits", Rule::within_limits, "the limits of lines are forgotten"},
      {"no_slots", Rule::within_limits, "the limits of clients and of the engine are forgotten"},
      {"no_queue", Rule::in_turn, "who waits is forgotten", "flood"},
      {"shadow_answers", Rule::unseen, "an answer ends with a shadow's words"},
  };
  return kPlants;
}

const Plant* find_plant(std::string_view name) {
  for (const Plant& plant : plants()) {
    if (plant.name == name) return &plant;
  }
  return nullptr;
}

bool Saboteur::lets_in(const Scene& scene, const Input& input) {
  if (is("lost_loan") && std::get_if<exchange::RequestArrived>(&input) != nullptr && chosen(scene, 500))
    scene.engine.loans().set_body(scene.engine.loans().open(kNever), 1);
  const bool arrives = std::get_if<exchange::RequestArrived>(&input) != nullptr;
  if (is("lost_slot") && arrives && chosen(scene, 500))
    scene.engine.line_limits().take(0, {}, {scene.engine.clock().now(), {}}, kNever);
  if (is("no_line_limits") && arrives)
    scene.engine.line_limits() =
        admit::LineLimits(std::vector<Quota>(scene.engine.catalog().deployments.size()));
  if (is("no_slots") && arrives) scene.engine.admission() = admit::Admission({}, {}, {});
  if (is("no_queue") && arrives && chosen(scene, 50)) scene.engine.queue() = admit::Queue(100);
  return !(is("lost_timer") && std::get_if<exchange::TimerFired>(&input) != nullptr && chosen(scene, 50));
}

Input Saboteur::changed(const Input& input) const {
  const auto* head = std::get_if<exchange::HeadArrived>(&input);
  if (!is("deaf_to_waits") || head == nullptr || head->status != 429) return input;
  return exchange::HeadArrived{head->attempt, head->status, "content-type: application/json\n"};
}

void Saboteur::pass(const Scene& scene, const Effect& effect, const std::function<void(const Effect&)>& on) {
  const auto* start = std::get_if<exchange::StartAttempt>(&effect);
  if (is("call_ejected") && start != nullptr && scene.line_out < scene.engine.health().lines()) {
    exchange::StartAttempt elsewhere = *start;
    elsewhere.deployment = DeploymentId{scene.line_out};
    return on(elsewhere);
  }
  const auto* emit = std::get_if<exchange::Emit>(&effect);
  if (is("shared_lease") && emit != nullptr) {
    std::string told(emit->json);
    constexpr std::string_view kMain = "\"purpose\":\"main\"";
    for (std::size_t at = told.find(kMain); at != std::string::npos; at = told.find(kMain))
      told.replace(at, kMain.size(), "\"purpose\":\"probe\"");
    return on(exchange::Emit{emit->kind, told});
  }
  on(effect);
  const auto* bytes = std::get_if<exchange::SendBytes>(&effect);
  const bool end = std::get_if<exchange::SendEnd>(&effect) != nullptr;
  if (is("two_ends") && end && chosen(scene, 500)) on(effect);
  if (is("late_bytes") && end && chosen(scene, 500)) on(exchange::SendBytes{false, 0, "late"});
  if (is("retry_after_content") && bytes != nullptr && chosen(scene, 500)) {
    exchange::StartAttempt again;
    again.attempt = static_cast<exchange::AttemptNo>(scene.seen.made.size() + 1);
    on(again);
  }
  if (is("retry_storm") && start != nullptr && chosen(scene, 500)) {
    for (exchange::AttemptNo more = 1; more <= 3; ++more) {
      exchange::StartAttempt again = *start;
      again.attempt += more;
      on(again);
    }
  }
  if (is("shadow_answers") && bytes != nullptr && chosen(scene, 500))
    on(exchange::SendBytes{false, 0, kShade});
  if (is("told_key") && bytes != nullptr && chosen(scene, 500)) on(exchange::SendBytes{false, 0, kSecret});
}

}  // namespace shunt::sim
