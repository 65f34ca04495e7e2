// What a client is told when no answer can be given, in the shape its own SDK reads.
#pragma once

#include <string>

#include "dialect/dialect.h"

namespace shunt::dialect {

// {"error":{"message","type","param":null,"code",…extra}}
void write_openai_error(const ErrorText& error, std::string& out);
// {"type":"error","error":{"type","message",…extra}}
void write_anthropic_error(const ErrorText& error, std::string& out);
// {"error":{"code":status,"message","status","details":[{"reason":code}],…extra}}, google.rpc.Status
void write_gemini_error(const ErrorText& error, std::string& out);

}  // namespace shunt::dialect
