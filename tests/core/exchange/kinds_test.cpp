// Whatever a host, a store or a provider says to an exchange of any kind, in any order: it does what its kind
// may, waits for nothing without a timer, and gives everything back.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "core/exchange/lines.h"

namespace shunt::exchange {
namespace {

std::string config() {
  std::string text = kConfig;
  text.resize(text.rfind('}'));
  return text +
         R"(, "state": {"store": "durable_object"}, "active_checks": {"every_s": 1, "per_hour": 1000}})";
}

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : seed_(seed) {}
  std::uint32_t below(std::uint32_t bound) { return draw_below(seed_, Draw::route, ++count_, bound); }

 private:
  std::uint64_t seed_;
  std::uint64_t count_ = 0;
};

struct Texts {
  std::string document;  // a good one
  std::string bytes;
};

Input any_input(Dice& dice, const World& world, Texts& texts) {
  const AttemptNo no = dice.below(4);
  constexpr const char* kTargets[] = {"/admin/providers", "/admin/providers/a@p/reset", "/v1/models",
                                      "/admin/providers/p/weight", "/v1/chat/completions"};
  const std::string pieces[] = {"",
                                R"({"value":7})",
                                openai_answer("x"),
                                std::string(300, '\xFE'),
                                texts.document,
                                texts.document.substr(0, texts.document.size() / 2),
                                kPlain};
  texts.bytes = pieces[dice.below(std::size(pieces))];
  switch (dice.below(14)) {
    case 0:
      return RequestArrived{dice.below(2) == 0 ? "GET" : "POST",
                            kTargets[dice.below(std::size(kTargets))],
                            "",
                            "",
                            world.wall(),
                            std::nullopt};
    case 1: return RequestBytes{texts.bytes};
    case 2: return RequestEnded{};
    case 3: return HeadArrived{no, dice.below(2) == 0 ? 200 : 429, "content-type: application/json\n"};
    case 4: return BytesArrived{no, texts.bytes};
    case 5: return AttemptEnded{no};
    case 6: return AttemptBroke{no, TransportFault::reset, texts.bytes};
    case 7: return ClientPaused{};
    case 8: return ClientReady{};
    case 9: return dice.below(4) == 0 ? Input(ClientGone{}) : Input(ClientReady{});
    case 10: return Started{world.wall()};
    case 11:
    case 12:
      return StoreAnswered{dice.below(5), static_cast<StoreResult>(dice.below(kStoreResults)), texts.bytes,
                           dice.below(3) == 0};
    default: return TimerFired{};
  }
}

TEST(Kinds, EachDoesWhatItMayWhateverItIsTold) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    World world(config());
    Dice dice(seed);
    world.on("a@p", says(500, "{}"));
    for (std::uint32_t i = dice.below(4); i > 0; --i)
      world.run("/v1/chat/completions", R"({"model":"a@p","messages":[{"role":"user","content":"x"}]})");
    Texts texts;
    world.engine->health().export_records(texts.document, world.now, world.wall());
    for (int kind = 0; kind < kKinds; ++kind) {
      Exchange exchange(*world.engine, seed, static_cast<Kind>(kind));
      const bool client = kind == static_cast<int>(Kind::request) || kind == static_cast<int>(Kind::admin);
      const bool keeps = kind == static_cast<int>(Kind::upkeep);
      bool started = false;
      for (int step = 0; step < 40; ++step) {
        world.now = world.now + milliseconds(dice.below(3000));
        const Input input = step == 0 && !client && dice.below(8) != 0 ? Input(Started{world.wall()})
                                                                       : any_input(dice, world, texts);
        const bool over = exchange.finished();
        exchange.handle(world.now, input);
        started = started || input.index() == Input(Started{}).index();
        while (const auto effect = exchange.poll()) {
          const std::size_t what = effect->index();
          EXPECT_FALSE(over);
          const bool to_client = what == Effect(SendHead{}).index() || what == Effect(SendBytes{}).index() ||
                                 what == Effect(SendEnd{}).index() || what == Effect(ReleaseBody{}).index();
          const bool to_store = what == Effect(StoreGet{}).index() || what == Effect(StorePut{}).index() ||
                                what == Effect(StoreLease{}).index();
          EXPECT_TRUE(client || !to_client) << "kind " << kind << " effect " << what;
          EXPECT_EQ(keeps, to_store) << "kind " << kind << " effect " << what;
        }
        const bool waits = started && !client && !exchange.finished();
        EXPECT_FALSE(waits && exchange.wake_at().at == kNever) << "kind " << kind << " waits for nothing";
        EXPECT_LT(exchange.memory(), 500'000u);
      }
    }
    EXPECT_EQ(world.engine->loans().count(), 0u);
    const std::uint32_t keeper = world.engine->sharing().open(world.now, world.now);
    EXPECT_NE(keeper, 0u) << "the upkeep gave its place back";
  }
}

}  // namespace
}  // namespace shunt::exchange
