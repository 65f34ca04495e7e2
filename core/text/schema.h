// Keys that a model misspelt, mended by a JSON schema. Knows properties, items and local references only.
#pragma once

#include <string>
#include <string_view>

namespace shunt::text {

// `json` (well formed) with each key that is no property of its object's schema but within edit distance 2 of
// exactly one that is not there itself, under that property's name. Nested objects, items and "$ref" to
// "#/…" are followed; a schema that says nothing, or names more than kSchemaProperties,
// changes nothing.
std::string mend_keys(std::string_view json, std::string_view schema);

}  // namespace shunt::text
