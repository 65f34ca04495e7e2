// The dialects that a table describes: what each member of their JSON means. Facts only.
#pragma once

#include "dialect/table_reader.h"

namespace shunt::dialect {

extern const Field kBedrockTable[];
extern const Field kCohereTable[];
extern const Field kOllamaTable[];
extern const Field kDashscopeTable[];
extern const Field kWorkersAiTable[];
extern const Field kLmStudioTable[];
extern const Field kErnieTable[];
extern const Field kCompletionsTable[];

}  // namespace shunt::dialect
