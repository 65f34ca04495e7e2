// A draft -> the catalog and the policies beside it: names become indexes, levels of settings become values.
#pragma once

#include "config/config.h"
#include "config/drafts.h"

namespace shunt::config {

// Uses the draft up. Reports what refers to nothing or contradicts itself. The result is used only when
// nothing was reported.
void build(Draft& draft, Report& report, Loaded& out);

}  // namespace shunt::config
