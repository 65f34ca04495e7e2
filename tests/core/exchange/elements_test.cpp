// Frames as elements of an array.
#include "exchange/elements.h"

#include <gtest/gtest.h>

namespace shunt::exchange {
namespace {

TEST(Elements, AreTheDataOfFramesInTheirOrder) {
  std::string out;
  Elements elements;
  elements.add_frames("data: {\"a\":\"x y\"}\r\n\r\ndata: {\"b\":\"data: 1\"}\r\n\r\n", out);
  elements.add_frames("", out);
  EXPECT_EQ(out, R"([{"a":"x y"},)"
                 "\r\n"
                 R"({"b":"data: 1"})");
  elements.add("{\"c\":1}", out);
  elements.end(out);
  EXPECT_TRUE(out.ends_with(",\r\n{\"c\":1}\r\n]")) << out;
}

TEST(Elements, NoneAreAnEmptyArray) {
  std::string out;
  Elements().end(out);
  EXPECT_EQ(out, "[]");
}

}  // namespace
}  // namespace shunt::exchange
