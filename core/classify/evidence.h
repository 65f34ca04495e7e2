// What is known of one failed attempt when it is judged: everything borrowed, nothing interpreted.
// Knows no rules.
#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"
#include "canonical/failure.h"
#include "canonical/http.h"
#include "catalog/dialect_id.h"

namespace shunt::classify {

struct Evidence {
  // The transport: its fault in the core's vocabulary, and the runtime's own words for it (never
  // shown to anyone).
  TransportFault fault = TransportFault::none;
  std::string_view fault_text;

  // The reply, as far as it came. `body` may be a whole body, an SSE text, or the raw error value
  // of a stream event.
  int status = 0;  // 0 = no head came
  HeaderBlock headers;
  std::string_view body;
  bool body_cut = false;  // ended before its end, or longer than limits::kErrorBodyBytes
  bool told_error =
      false;  // `body` is the error value alone: that it is one was told by what stood around it

  // Who was asked.
  std::string_view provider;    // preset name or an alias of it; may be empty
  std::string_view configured;  // its name in the configuration, for the operator's own rules
  DialectId dialect = DialectId::openai_chat;
  bool stream = false;  // a stream was asked for

  std::optional<WallTime> wall;    // for absolute dates without a Date header; none = they give no wait
  bool content_delivered = false;  // part of the answer has reached the client
};

}  // namespace shunt::classify
