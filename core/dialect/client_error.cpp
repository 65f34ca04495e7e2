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
  std::string_view google;
};

// Types as the providers document them; what no row names is the caller's doing below 500 and ours from
// there on.
constexpr std::array<Row, 11> kTypes = {{
    {401, "authentication_error", "authentication_error", "UNAUTHENTICATED"},
    {402, "insufficient_quota", "billing_error", "FAILED_PRECONDITION"},
    {403, "permission_error", "permission_error", "PERMISSION_DENIED"},
    {404, "not_found_error", "not_found_error", "NOT_FOUND"},
    {408, "timeout_error", "timeout_error", "DEADLINE_EXCEEDED"},
    {409, "conflict_error", "invalid_request_error", "ABORTED"},
    {413, "invalid_request_error", "request_too_large", "INVALID_ARGUMENT"},
    {429, "rate_limit_error", "rate_limit_error", "RESOURCE_EXHAUSTED"},
    {503, "service_unavailable", "overloaded_error", "UNAVAILABLE"},
    {504, "timeout_error", "timeout_error", "DEADLINE_EXCEEDED"},
    {529, "service_unavailable", "overloaded_error", "UNAVAILABLE"},
}};

std::string_view by_status(int status, std::string_view Row::* column, std::string_view client,
                           std::string_view server) {
  for (const Row& row : kTypes) {
    if (row.status == status) return row.*column;
  }
  return status < 500 ? client : server;
}

std::string_view type_of(const ErrorText& error, std::string_view Row::* column, std::string_view server) {
  if (!error.type.empty()) return error.type;
  return by_status(error.status, column, "invalid_request_error", server);
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

void write_gemini_error(const ErrorText& error, std::string& out) {
  fill(out, R"({"error":{"code":$,)", std::int64_t{error.status});
  fill(out, R"("message":"$",)", error.message);
  fill(out, R"("status":"$")", by_status(error.status, &Row::google, "INVALID_ARGUMENT", "INTERNAL"));
  if (!error.code.empty()) {
    fill(out, R"(,"details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"$"}])",
         error.code);
  }
  close(error, out);
}

}  // namespace shunt::dialect
