// Any request that a client may send, toward any dialect: what comes of it is JSON of bounded length, and
// the same however the body arrives.
#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/limits.h"
#include "core/fuzz.h"
#include "exchange/intake.h"
#include "exchange/upload.h"

namespace shunt::exchange {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::string_view, 22> kPieces = {"null",
                                                      "true",
                                                      "-1",
                                                      "1e400",
                                                      "0.1",
                                                      "\"\"",
                                                      "[]",
                                                      "{}",
                                                      "[[[[",
                                                      "}}",
                                                      ",",
                                                      ":",
                                                      "\\u0000",
                                                      "\\ud800",
                                                      "\"model\":\"x\",",
                                                      "\"role\":\"tool\",",
                                                      "\"type\":\"text\",",
                                                      "\"content\":[]",
                                                      "\"stream\":true,",
                                                      "\xff",
                                                      "\n",
                                                      "\"\\\""};

Json::iterator member_of(Json& node, Dice& dice) {
  auto at = node.begin();
  std::advance(at, static_cast<std::ptrdiff_t>(dice.below(node.size())));
  return at;
}

// Any node of the document but itself, drawn.
Json* node_of(Json& all, Dice& dice) {
  Json* at = &all;
  while (at->is_structured() && !at->empty() && (at == &all || dice.below(5) != 0))
    at = &*member_of(*at, dice);
  return at;
}

// A well-formed document of another shape: values of other kinds, pieces of other requests, members that are
// missing or there twice.
std::string reshaped(const std::string& seed, const std::vector<Seed>& corpus, Dice& dice) {
  static const std::vector<Json> kValues = {
      nullptr,
      true,
      0,
      -1,
      1e300,
      0.25,
      "",
      "x",
      std::string(300, 'y'),
      "\u0000",
      Json::array(),
      Json::object(),
      Json::parse(R"([{"type":"text","text":"t"}])"),
      Json::parse(R"({"type":"image_url"})"),
      Json::parse(R"({"role":"tool","content":[{"type":"image_url","image_url":{"url":"data:,"}}]})"),
      INT64_MAX};
  Json all = Json::parse(seed, nullptr, false);
  if (all.is_discarded()) return seed;
  for (std::size_t left = 1 + dice.below(4); left > 0; --left) {
    Json& at = *node_of(all, dice);
    switch (dice.below(5)) {
      case 0: at = kValues[dice.below(kValues.size())]; break;
      case 1: {
        Json other = Json::parse(corpus[dice.below(corpus.size())].bytes);
        at = Json(*node_of(other, dice));
        break;
      }
      case 2:
        if (at.is_array() && !at.empty()) at.push_back(Json(at[dice.below(at.size())]));
        break;
      case 3:
        if (at.is_structured() && !at.empty()) at.erase(member_of(at, dice));
        break;
      default:
        if (at.is_object() && !at.empty()) {
          const auto moved = member_of(at, dice);
          const std::string key = moved.key();
          Json value = *moved;
          at.erase(key);
          at[key] = std::move(value);
        }
        break;
    }
  }
  return all.dump();
}

std::string said(const BodyPieces& body, const std::string& source) {
  std::string out;
  for (const auto& piece : body.pieces) {
    const std::string_view from = piece.literal ? std::string_view(body.text) : std::string_view(source);
    EXPECT_LE(piece.offset + piece.length, from.size());
    out += from.substr(piece.offset, piece.length);
  }
  return out;
}

Intake intake(DialectId from) {
  RequestArrived arrived;
  arrived.method = "POST";
  EndpointMatch match{Endpoint::completion, from};
  if (from == DialectId::gemini_generate) match.path = {"asked", true};
  return Intake(arrived, match);
}

// With an image that is too long to be gathered: only such strings are sent on while they arrive.
std::string with_long_image(std::string body) {
  constexpr std::string_view kImage = "iVBORw0KGgo";
  const std::size_t at = body.find(kImage);
  if (at != std::string::npos)
    body.insert(at + kImage.size(), limits::kOutlineKeep + 2 * limits::kTokenBytes, 'A');
  return body;
}

// How often it came to what only some requests come to, lest the rules be kept by nobody.
struct Tally {
  int built = 0;
  int early = 0;  // … and begun before the request had ended
};

void check(DialectId from, const std::string& given, Dice& dice, Tally& tally) {
  const std::string body = dice.once_in(3) ? with_long_image(given) : given;
  Deployment deployment;
  deployment.model = "served";
  if (dice.below(2) == 0) deployment.adaptation.system_prefix = "By \"us\".";
  Provider provider;
  do provider.dialect = static_cast<DialectId>(dice.below(kDialectNames.size()));
  while (dialect::find(provider.dialect) == nullptr);
  const BodyTarget target{&deployment, &provider, deployment.model};
  const std::string where =
      std::string(name_of(from)) + " to " + std::string(name_of(provider.dialect)) + "\n" + body + "\n";

  Intake whole = intake(from);
  BodyPieces pieces;
  RequestProblem problem;
  const bool read = whole.feed(body, true) && whole.read();
  const bool built = read && build_body(whole, target, pieces, problem);
  const std::string want = built ? said(pieces, body) : "";
  if (read && !built) {
    ASSERT_FALSE(problem.what.empty()) << where;
  }
  if (built) {
    ++tally.built;
    ASSERT_TRUE(json::valid(want)) << where << want;
    // Where we read more than the oracle (lone surrogates, 1e400), it may come out again.
    ASSERT_TRUE(Json::accept(want) || !Json::accept(body)) << where << want;
    ASSERT_LE(want.size(), 20'000 + 20 * body.size()) << where;
  }

  Intake arriving = intake(from);
  Upload upload;
  std::string sent;
  bool going = true;
  const std::size_t step = 1 + dice.below(body.size() > limits::kTokenBytes ? 4000 : 200);
  for (std::size_t at = 0; going && at < body.size(); at += step) {
    going = arriving.feed(std::string_view(body).substr(at, step), false);
    if (!going || !arriving.read()) continue;
    going = upload.advance(arriving, target, false, pieces, problem);
    sent += said(pieces, body);
  }
  const bool early = !sent.empty();
  going = going && arriving.feed({}, true) && arriving.read() &&
          upload.advance(arriving, target, true, pieces, problem);
  if (!going) return;  // its keys stand in an order that cannot be sent as it comes
  sent += said(pieces, body);
  tally.early += early ? 1 : 0;
  ASSERT_TRUE(built) << where << sent;
  ASSERT_EQ(sent, want) << where;
}

constexpr std::uint64_t kRuns = 600;

class RequestFuzz : public testing::TestWithParam<DialectId> {};

TEST_P(RequestFuzz, AnyRequestIsSaidAsJsonOrRefused) {
  const std::string target = "request_" + std::string(name_of(GetParam()));
  const std::vector<Seed> corpus = corpus_of(target);
  Tally tally;
  fuzz(target, kPieces, kRuns, [&](const Seed& seed, const std::string& bytes, Dice& dice) {
    check(GetParam(), bytes, dice, tally);
    for (int shapes = 0; shapes < 3; ++shapes)
      check(GetParam(), reshaped(seed.bytes, corpus, dice), dice, tally);
  });
  if (fuzz_setting("SHUNT_FUZZ_RUNS", kRuns) < kRuns) return;
  EXPECT_GT(tally.built, 100);
  EXPECT_GT(tally.early, 5);
}

INSTANTIATE_TEST_SUITE_P(Each, RequestFuzz,
                         testing::Values(DialectId::openai_chat, DialectId::openai_responses,
                                         DialectId::anthropic_messages, DialectId::gemini_generate),
                         [](const auto& row) { return std::string(name_of(row.param)); });

}  // namespace
}  // namespace shunt::exchange
