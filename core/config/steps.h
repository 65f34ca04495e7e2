// What a route may do beside calling its lines: read and checked here; the names of others it uses are kept
// for the cross-checks.
#pragma once

#include "config/drafts.h"
#include "config/reader.h"

namespace shunt::config {

void read_fallback(Reader& in, RouteDraft& into);
void read_empty_when(Reader& in, RouteDraft& into);
void read_assess(Reader& in, RouteDraft& into);
void read_prompts(Reader& in, RouteDraft& into);
void read_shadow(Reader& in, RouteDraft& into);
void read_gate(Reader& in, RouteDraft& into);
void read_output(Reader& in, RouteDraft& into);
// Checked only.
void read_cache(Reader& in);

// The name of another, which must be there when all is read.
void read_reference(Reader& in, RouteDraft& into, Reference::To to);

}  // namespace shunt::config
