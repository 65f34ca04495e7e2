// Pages: known by their first tags wherever those stand, and read for their words.
#include "classify/page.h"

#include <gtest/gtest.h>

#include <string>

namespace shunt::classify {
namespace {

TEST(Page, IsKnownByAFirstTagNearTheBeginning) {
  for (const char* tag : {"<!DOCTYPE html>", "<html>", "<HTML lang=en>", "<head>", "<Head"}) {
    for (const std::size_t before : {0U, 1U, 14U, 15U, 16U, 17U, 31U, 200U, 490U}) {
      for (const char filler : {' ', '<', 'h'}) {
        const std::string text = std::string(before, filler) + tag;
        EXPECT_TRUE(looks_like_page(text)) << before << filler << tag;
        EXPECT_TRUE(looks_like_page(text + std::string(100, '<'))) << before << filler << tag;
      }
    }
    EXPECT_FALSE(looks_like_page(std::string(600, ' ') + tag)) << tag;
  }
}

TEST(Page, OtherBracketsAreNone) {
  for (const char* text :
       {"", "<", "a < b", "<h", "<htm", "<body>", "<p>html</p>", "html>", "< html>", "<!-- x -->"}) {
    EXPECT_FALSE(looks_like_page(text)) << text;
    EXPECT_FALSE(looks_like_page(text + std::string(40, '<'))) << text;
  }
}

TEST(Page, IsReadForItsWords) {
  EXPECT_EQ(text_of_page("<h1>502</h1> Bad <b>Gateway</b>", 100), " 502  Bad  Gateway ");
  EXPECT_EQ(text_of_page("a<script>var x = '<p>';</script>b", 100), "a  b");
  EXPECT_EQ(text_of_page("a<STYLE>p{}</STYLE>b<script src=x>", 100), "a  b ");
  EXPECT_EQ(text_of_page("a<unclosed b", 100), "a ");
  EXPECT_EQ(text_of_page("", 100), "");
}

TEST(Page, GivesNoMoreThanWasAsked) {
  EXPECT_EQ(text_of_page("abc<p>def", 2), "ab");
  EXPECT_EQ(text_of_page("abc<p>def", 3), "abc");
  EXPECT_EQ(text_of_page("abc<p>def", 5), "abc d");
}

}  // namespace
}  // namespace shunt::classify
