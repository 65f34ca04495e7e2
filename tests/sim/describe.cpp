// What a log says of each input and effect.
#include "sim/describe.h"

#include "canonical/events.h"

namespace shunt::sim {
namespace {

using namespace exchange;

// One line of at most a hundred characters.
std::string shown(std::string_view text) {
  constexpr std::size_t kMost = 100;
  std::string out = " \"";
  for (const char c : text.substr(0, kMost)) out += c == '\n' ? ' ' : c;
  return out + (text.size() > kMost ? "…\"" : "\"");
}
std::string numbered(const char* what, std::uint64_t number) { return what + (" " + std::to_string(number)); }

}  // namespace

std::string describe(const Input& input) {
  return std::visit(
      overloaded{
          [](const RequestArrived& e) { return "request " + std::string(e.target); },
          [](const RequestBytes& e) { return "body" + shown(e.bytes); },
          [](const RequestEnded&) { return std::string("body ends"); },
          [](const HeadArrived& e) {
            return numbered("head of attempt", e.attempt) + ": " + std::to_string(e.status) +
                   shown(e.headers);
          },
          [](const BytesArrived& e) { return numbered("bytes of attempt", e.attempt) + shown(e.bytes); },
          [](const AttemptEnded& e) { return numbered("end of attempt", e.attempt); },
          [](const AttemptBroke& e) {
            return numbered("break of attempt", e.attempt) + ": " + std::string(name_of(e.fault));
          },
          [](const ClientPaused&) { return std::string("client pauses"); },
          [](const ClientReady&) { return std::string("client is ready"); },
          [](const ClientGone&) { return std::string("client is gone"); },
          [](const TimerFired&) { return std::string("timer"); },
          [](const Woken&) { return std::string("woken"); },
          [](const Started&) { return std::string("started"); },
          [](const StoreAnswered& e) {
            static constexpr const char* kResults[] = {"ok", "missing", "failed"};
            return numbered("store answers", e.request) + ": " +
                   kResults[static_cast<std::size_t>(e.result)] + numbered(", bytes", e.bytes.size());
          },
      },
      input);
}

std::string describe(const Effect& effect) {
  return std::visit(
      overloaded{
          [](const StartAttempt& e) {
            return numbered("-> attempt", e.attempt) + numbered(" on line", index_of(e.deployment)) +
                   numbered(" key", e.slot);
          },
          [](const AttemptBody& e) { return numbered("-> more body of attempt", e.attempt); },
          [](const ReleaseBody&) { return std::string("-> body released"); },
          [](const AbortAttempt& e) { return numbered("-> abort attempt", e.attempt); },
          [](const SendHead& e) {
            return numbered("-> head", static_cast<std::uint64_t>(e.status)) + shown(e.headers);
          },
          [](const SendBytes& e) { return "-> bytes" + shown(e.bytes); },
          [](const SendEnd& e) { return std::string(e.clean ? "-> end" : "-> end, broken off"); },
          [](const StoreGet& e) { return numbered("-> store get", e.request) + shown(e.key); },
          [](const StorePut& e) {
            return numbered("-> store put", e.request) + shown(e.key) + numbered(", bytes", e.bytes.size());
          },
          [](const StoreLease& e) { return numbered("-> store lease", e.request) + shown(e.key); },
          [](const StoreTake& e) { return numbered("-> store take", e.request) + shown(e.key); },
          [](const Wake& e) { return numbered("-> wake", e.exchange); },
          [](const Emit& e) { return "-> emit " + std::string(e.json); },
      },
      effect);
}

}  // namespace shunt::sim
