// What wraps a dialect at a cloud: where the model is said, and what is said in its place. Rows of facts; the
// dialect's own reader and writer do the rest.
#pragma once

#include "catalog/providers.h"
#include "catalog/quirks.h"

namespace shunt {

struct Envelope {
  Quirk quirk;          // of a provider that wraps so
  DialectShape shape;   // in place of the dialect's own
  const char* version;  // a member of the body, in place of `model` and of the header that says it
  bool stream_in_path;  // … and in place of `stream`
};

// Null: the dialect goes as it is.
const Envelope* envelope_of(Quirks quirks);

}  // namespace shunt
