// Names and schemas of the Gemini API.
#include <gtest/gtest.h>

#include <string>

#include "dialect/gemini_request.h"

namespace shunt::dialect::test {
namespace {

TEST(GeminiSchema, KeysStandInTwoForms) {
  for (const char* key : {"topP", "top_p"}) EXPECT_TRUE(same_name(key, "topP")) << key;
  EXPECT_TRUE(same_name("response_json_schema", "responseJsonSchema"));
  EXPECT_TRUE(same_name("_responseJsonSchema", "_responseJsonSchema"));
  for (const char* key : {"", "top", "topp", "top_P", "top__p", "topP_", "TopP", "top_pp"}) {
    EXPECT_FALSE(same_name(key, "topP")) << key;
  }
}

std::string json_schema(std::string_view schema) {
  std::string out;
  return json_schema_of(schema, out) ? out : "refused";
}

TEST(GeminiSchema, TypesAndCountsBecomeJsonSchemas) {
  EXPECT_EQ(json_schema(R"({ "type":"OBJECT","properties":{"type":{"type":"STRING","minLength":"1"},)"
                        R"("n":{"type":"ARRAY","items":{"type":3},"maxItems":5}},"required":["type"]})"),
            R"({ "type":"object","properties":{"type":{"type":"string","minLength":1},)"
            R"("n":{"type":"array","items":{"type":"integer"},"maxItems":5}},"required":["type"]})");
}

TEST(GeminiSchema, WhatIsJsonSchemaAlreadyStays) {
  for (const char* schema : {"{}", R"({"type":"string","enum":["OBJECT"],"description":"type"})",
                             R"({"type":["string","null"],"minItems":"many"})", R"({"type":99})"}) {
    EXPECT_EQ(json_schema(schema), schema);
  }
  EXPECT_EQ(json_schema("{"), "refused");
}

}  // namespace
}  // namespace shunt::dialect::test
