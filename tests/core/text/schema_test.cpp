// Keys mended by a schema.
#include "text/schema.h"

#include <gtest/gtest.h>

#include <string>

#include "base/limits.h"

namespace shunt::text {
namespace {

constexpr std::string_view kSchema = R"({
  "type": "object",
  "properties": {
    "name": {"type": "string"},
    "first_name": {"type": "string"},
    "line1": {}, "line2": {},
    "id": {},
    "address": {"$ref": "#/$defs/address"},
    "items": {"type": "array", "items": {"type": "object", "properties": {"price": {}, "count": {}}}},
    "parent": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}
  },
  "$defs": {"address": {"type": "object", "properties": {"street": {}, "city": {}}}}
})";

std::string mended(std::string_view json) { return mend_keys(json, kSchema); }

TEST(Schema, KeysWithinTwoEditsAreMended) {
  EXPECT_EQ(mended(R"({"nme":1})"), R"({"name":1})");
  EXPECT_EQ(mended(R"({"Name":"\"","firstName":2})"), R"({"name":"\"","first_name":2})");
  EXPECT_EQ(mended(R"({"nxyz":1,"other":2})"), R"({"nxyz":1,"other":2})");
}

TEST(Schema, APropertyThatIsThereIsNoTarget) {
  EXPECT_EQ(mended(R"({"name":1,"nme":2})"), R"({"name":1,"nme":2})");
}

TEST(Schema, AmbiguityLeavesKeysAsTheyAre) {
  EXPECT_EQ(mended(R"({"line":1})"), R"({"line":1})");                // line1 or line2
  EXPECT_EQ(mended(R"({"nam":1,"nme":2})"), R"({"nam":1,"nme":2})");  // both near one property
  EXPECT_EQ(mended(R"({"line1":1,"line":2})"), R"({"line1":1,"line2":2})");
}

TEST(Schema, NothingInCommonIsNoSlip) {
  EXPECT_EQ(mended(R"({"xy":1})"), R"({"xy":1})");  // two edits from "id", which has two letters
}

TEST(Schema, NestedObjectsItemsAndReferences) {
  EXPECT_EQ(mended(R"({"adress":{"stret":"x","cty":"y"}})"), R"({"address":{"street":"x","city":"y"}})");
  EXPECT_EQ(mended(R"({"items":[{"prce":1},{"cuont":2}]})"), R"({"items":[{"price":1},{"count":2}]})");
  EXPECT_EQ(mended(R"({"parent":{"parent":{"nme":1}}})"), R"({"parent":{"parent":{"name":1}}})");
}

TEST(Schema, ASchemaThatSaysNothingChangesNothing) {
  for (const char* schema :
       {"", "true", "[]", "{}", R"({"$ref":"#"})", R"({"$ref":"#/a","a":{"$ref":"#/a"}})",
        R"({"$ref":"http://x"})", "{broken", R"({"properties":[]})"}) {
    EXPECT_EQ(mend_keys(R"({"nme":1})", schema), R"({"nme":1})") << schema;
  }
}

TEST(Schema, MorePropertiesThanAreWorthComparingChangeNothing) {
  const auto with = [](std::size_t count) {
    std::string schema = R"({"properties":{"name":{})";
    for (std::size_t i = 1; i < count; ++i) schema += ",\"property_" + std::to_string(1000 + i) + "\":{}";
    return schema + "}}";
  };
  EXPECT_EQ(mend_keys(R"({"nme":1})", with(limits::kSchemaProperties)), R"({"name":1})");
  EXPECT_EQ(mend_keys(R"({"nme":1})", with(limits::kSchemaProperties + 1)), R"({"nme":1})");
}

TEST(Schema, EscapedKeysAreReadAndWritten) {
  EXPECT_EQ(mend_keys(R"({"\u006eme":1})", kSchema), R"({"name":1})");
  EXPECT_EQ(mend_keys(R"({"ab":1})", R"({"properties":{"a\"bc":{}}})"), R"({"a\"bc":1})");
}

}  // namespace
}  // namespace shunt::text
