// What an operator asks and orders over HTTP: lines as they are, and acts on them. The host has checked who
// asks.
#pragma once

#include <string>
#include <string_view>

#include "base/time.h"
#include "exchange/engine.h"
#include "exchange/replies.h"

namespace shunt::exchange {

//   GET  /admin/providers                       all lines
//   POST /admin/providers/NAME/ACT              reset, disable, enable, open
//   POST /admin/providers/NAME/priority|weight  {"value": n}, null = as configured
// also under /api. NAME is a deployment's id or the name of a provider, which means all its lines,
// percent-encoded. A POST answers with the lines it acted on.
struct AdminCall {
  static constexpr std::size_t kBodyBytes = 4096;

  std::string method;
  std::string target;
  std::string body;  // at most kBodyBytes
};

Reply answer_admin(Engine& engine, const AdminCall& call, Instant now, WallTime wall);

}  // namespace shunt::exchange
