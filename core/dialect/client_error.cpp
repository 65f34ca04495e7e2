// What a client is told when no answer can be given. See client_error.h.
#include "dialect/client_error.h"

#include <array>

#include "dialect/fill.h"

namespace shunt::dialect {
namespace {

struct Row {
  int status;
  std::string_view openai;
  std::string_view anthropic;
};

// Types as the two providers document them; what no row names is the caller's doing below 500 and ours from
// there on.
constexpr std::array<Row, 11> kTypes = {{
    {401, "authentication_error", "authentication_error"},
    {402, "insufficient_quota", "billing_error"},
    {403, "permission_error", "permission_error"},
    {404, "not_found_error", "not_found_error"},
    {408, "timeout_error", "timeout_error"},
    {409, "conflict_error", "invalid_request_error"},
    {413, "invalid_request_error", "request_too_large"},
    {429, "rate_limit_error", "rate_limit_error"},
    {503, "service_unavailable", "overloaded_error"},
    {504, "timeout_error", "timeout_error"},
    {529, "service_unavailable", "overloaded_error"},
}};

std::string_view type_of(const ErrorText& error, std::string_view Row::* column, std::string_view server) {
  if (!error.type.empty()) return error.type;
  for (const Row& row : kTypes) {
    if (row.status == error.status) return row.*column;
  }
  return error.status < 500 ? "invalid_request_error" : server;
}

void close(const ErrorText& error, std::string& out) {
  if (!error.extra.empty()) {
    out += ',';
    out += error.extra;
  }
  out += "}}";
}

}  // namespace

void write_openai_error(const ErrorText& error, std::string& out) {
  fill(out, R"({"error":{"message":"$",)", error.message);
  fill(out, R"("type":"$","param":null,)", type_of(error, &Row::openai, "server_error"));
  fill(out, error.code.empty() ? R"("code":null)" : R"("code":"$")", error.code);
  close(error, out);
}

void write_anthropic_error(const ErrorText& error, std::string& out) {
  fill(out, R"({"type":"error","error":{"type":"$",)", type_of(error, &Row::anthropic, "api_error"));
  fill(out, R"("message":"$")", error.message);
  if (!error.code.empty()) fill(out, R"(,"code":"$")", error.code);
  close(error, out);
}

}  // namespace shunt::dialect
