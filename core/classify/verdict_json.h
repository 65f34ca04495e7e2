// A verdict as JSON: one form for the command line, the boundary and every host. Judges nothing.
#pragma once

#include <optional>
#include <string_view>

#include "base/json_writer.h"
#include "canonical/failure.h"
#include "classify/messages.h"

namespace shunt::classify {

// "text", "image", "video", "audio"; none = another word.
std::optional<Medium> medium_named(std::string_view name);
// What a provider makes, where its name alone says so; text otherwise.
Medium medium_of(std::string_view provider);

// Writes the verdict's members into the object that is open: class, sub, …, log_message. `sub` and
// `retry_after_s` are null when there is none; `penalise` is true for penalties normal and long.
void write_verdict(json::Writer& out, const Verdict& verdict, Medium medium);

}  // namespace shunt::classify
