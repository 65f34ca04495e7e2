// What people and recordings call a dialect. Knows names only.
#pragma once

#include <optional>
#include <string_view>

#include "catalog/dialect_id.h"

namespace shunt::native {

// A dialect by its name or by what recordings call it ("zhipu_v3", "chat.completions"); none = unknown.
std::optional<DialectId> dialect_called(std::string_view name);
// What a model speaks under Bedrock's InvokeModel.
DialectId dialect_of_invoked(std::string_view model);

}  // namespace shunt::native
