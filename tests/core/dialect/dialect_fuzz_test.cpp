// Any bytes, cut anywhere, are an answer or an error to every decoder, and come out in every dialect that
// clients speak the same however they were cut, by its rules. SHUNT_FUZZ_RUNS sets how many for each decoder;
// the default is short.
#include <gtest/gtest.h>

#include "core/fuzz.h"
#include "core/wire/aws_message.h"
#include "dialect/normalizer.h"
#include "exchanges.h"
#include "invariants.h"

namespace shunt::dialect::test {
namespace {

constexpr std::string_view kPieces[] = {
    "{",        "}",    "[",      "]",    "\"",         "\\",         "\\u0000", "\\ud800", "\xFF",
    "\xE9\x99", "null", "1e99",   "-1",   "\"index\":", "data: ",     "\n\n",    "\r",      "[DONE]",
    ",",        ":",    "999999", "true", "\"id\"",     "event: x\n", "error",   "\"\"",    "[[[[[[[[[[[[[[",
    "{\"a\":"};
// A choice opens those before it: 128 at most, which is where our encoders end, in two chunks each.
constexpr std::size_t kChoicesRoom = std::size_t{128} * 2 * 200;
constexpr DialectId kWritten[] = {DialectId::openai_chat, DialectId::openai_responses,
                                  DialectId::anthropic_messages, DialectId::gemini_generate};

struct Said {
  std::string bytes;
  bool streamed = false;
};

Said normalized(const std::string& body, DialectId from, DialectId to, std::size_t chunk) {
  Normalizer normalizer({find(from), 0, {}}, *find(to), {"made-id", "made-model", 1, true});
  Said out;
  for (std::size_t at = 0; at < body.size(); at += chunk) {
    const std::string piece = body.substr(at, chunk);
    normalizer.feed(piece, out.bytes);
  }
  normalizer.end(out.bytes);
  out.streamed = normalizer.streamed();
  return out;
}

// A seed of this kind is a name, a tab and a payload a line: messages with right lengths and checksums, or a
// decoder would never see what was changed in them.
std::string body_of(const Seed& seed, const std::string& bytes) {
  if (!seed.name.ends_with(".aws")) return bytes;
  std::string out;
  for (std::string_view left = bytes; !left.empty();) {
    const std::size_t end = std::min(left.find('\n'), left.size() - 1);
    const std::string_view line = left.substr(0, end);
    const std::size_t tab = std::min(line.find('\t'), line.size());
    out += wire::test::aws_event(line.substr(0, std::min<std::size_t>(tab, 200)),
                                 line.substr(std::min(tab + 1, line.size())));
    left.remove_prefix(end + 1);
  }
  return out;
}

void check(DialectId from, const std::string& body, Dice& dice) {
  const DialectId to = dice.of(kWritten);
  const Said whole = normalized(body, from, to, std::max<std::size_t>(body.size(), 1));
  const std::string where =
      std::string(name_of(from)) + " to " + std::string(name_of(to)) + "\n" + body + "\n";
  const std::size_t chunk = 1 + dice.below(dice.below(3) == 0 ? 9 : 400);
  ASSERT_EQ(whole.bytes, normalized(body, from, to, chunk).bytes) << where;
  ASSERT_LE(whole.bytes.size(), kChoicesRoom + 40 * body.size()) << where;
  // Within one dialect what no event says goes out as it came, broken or not. The oracle is slower than the
  // core.
  if (!whole.streamed || from == to || dice.below(4) != 0) return;
  const bool broken = !fold_stream(to, whole.bytes).errors.empty();
  ASSERT_EQ(breach_of(to, whole.bytes, broken), "") << where << whole.bytes;
}

class DialectFuzz : public testing::TestWithParam<DialectId> {};

TEST_P(DialectFuzz, AnyBytesAreSaidTheSameInEveryDialectHoweverTheyAreCut) {
  fuzz(std::string(name_of(GetParam())), kPieces, 2'400,
       [](const Seed& seed, const std::string& bytes, Dice& dice) {
         check(GetParam(), body_of(seed, bytes), dice);
         // By another dialect's reader, too.
         if (dice.below(8) == 0) check(static_cast<DialectId>(dice.below(kDialectNames.size())), bytes, dice);
       });
}

std::vector<DialectId> decoders() {
  std::vector<DialectId> all;
  for (std::size_t i = 0; i < kDialectNames.size(); ++i) {
    if (find(static_cast<DialectId>(i)) != nullptr) all.push_back(static_cast<DialectId>(i));
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Each, DialectFuzz, testing::ValuesIn(decoders()),
                         [](const auto& row) { return std::string(name_of(row.param)); });

}  // namespace
}  // namespace shunt::dialect::test
