// Arguments put together from patches.
#include "dialect/partial_args.h"

#include <gtest/gtest.h>

namespace shunt::dialect::test {
namespace {

std::string text(const PartialArgs& args) {
  std::string out;
  args.write(out);
  EXPECT_LE(out.size(), args.bytes());
  return out;
}

TEST(PartialArgs, NothingWrittenIsAnEmptyObject) { EXPECT_EQ(text(PartialArgs()), "{}"); }

TEST(PartialArgs, PatchesMakeObjectsListsAndTexts) {
  PartialArgs args;
  EXPECT_TRUE(args.apply({"$.city", "Bos", true}));
  EXPECT_TRUE(args.apply({"$.city", "ton \\\"x\\\"", true}));
  EXPECT_TRUE(args.apply({"$.n[0].k", "2", false}));
  EXPECT_TRUE(args.apply({"$.n[1].k", "2.50", false}));
  EXPECT_TRUE(args.apply({"$.n[0].l", "true", false}));
  EXPECT_TRUE(args.apply({"$.empty", "", true}));
  EXPECT_TRUE(args.apply({"$['a key']", "null", false}));
  EXPECT_TRUE(args.apply({"$[\"q\"].r", "1", false}));
  EXPECT_EQ(
      text(args),
      R"({"city":"Boston \"x\"","n":[{"k":2,"l":true},{"k":2.50}],"empty":"","a key":null,"q":{"r":1}})");
  args.clear();
  EXPECT_EQ(text(args), "{}");
}

TEST(PartialArgs, ALaterValueReplacesAnEarlierOne) {
  PartialArgs args;
  EXPECT_TRUE(args.apply({"$.n", "1", false}));
  EXPECT_TRUE(args.apply({"$.n", "12", false}));
  EXPECT_EQ(text(args), R"({"n":12})");
}

TEST(PartialArgs, WhatNamesNoPlaceIsRefused) {
  for (const char* path : {"", "$", "city", "$city", "$.", "$..a", "$[", "$.n[x]", "$.n[-1]", "$.n[1]",
                           "$[0]", "$['a]", "$.n[0", "$.a['b'"}) {
    PartialArgs args;
    EXPECT_FALSE(args.apply({path, "1", false})) << path;
    text(args);
  }
  PartialArgs args;
  EXPECT_TRUE(args.apply({"$.a", "x", true}));
  EXPECT_FALSE(args.apply({"$.a.b", "1", false}));
  EXPECT_FALSE(args.apply({"$.a", "1", false}));
  EXPECT_EQ(text(args), R"({"a":"x"})");
}

TEST(PartialArgs, DepthNodesAndBytesAreBounded) {
  std::string deep = "$";
  for (std::size_t i = 0; i <= PartialArgs::kDepth; ++i) deep += ".a";
  PartialArgs args;
  EXPECT_FALSE(args.apply({deep, "1", false}));
  deep.resize(deep.size() - 2);
  args.clear();
  EXPECT_TRUE(args.apply({deep, "1", false}));
  args.clear();
  std::size_t applied = 0;
  while (args.apply({"$.n[" + std::to_string(applied) + "]", "0", false})) ++applied;
  EXPECT_EQ(applied, PartialArgs::kNodes - 2);
  EXPECT_EQ(text(args).size(), 7 + 2 * applied);
  args.clear();
  const std::string large(1024 * 1024, 'x');
  while (args.apply({"$.text", large, true})) continue;
  EXPECT_LT(text(args).size(), 5 * large.size());
}

}  // namespace
}  // namespace shunt::dialect::test
