// The top-level sections whose rooms do not exist yet: checked like all others, so that a file written for
// them stays right.
#pragma once

#include "config/drafts.h"
#include "config/reader.h"

namespace shunt::config {

void read_state(Reader& in, Draft& into);
void read_answers(Reader& in, Draft& into);
void read_admin(Reader& in, Draft& into);
void read_log(Reader& in, Draft& into);
void read_record(Reader& in, Draft& into);
void read_alerts(Reader& in, Draft& into);
void read_rules(Reader& in, Draft& into);

}  // namespace shunt::config
