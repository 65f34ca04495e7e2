// What leaves the core about a configuration: the host's table at load, and faults for machines.
#include "base/json_writer.h"
#include "config/config.h"

namespace shunt::config {
namespace {

constexpr std::string_view name_of(AuthKind kind) {
  switch (kind) {
    case AuthKind::none: return "none";
    case AuthKind::bearer: return "bearer";
    case AuthKind::header: return "header";
    case AuthKind::query: return "query";
    case AuthKind::aws_sigv4: return "aws_sigv4";
    case AuthKind::oauth2: return "oauth2";
    case AuthKind::google_service_account: return "google_service_account";
  }
  return "none";
}

void write_fault(json::Writer& to, const Fault& fault) {
  to.begin_object();
  if (fault.warning) to.flag("warning", true);
  to.field("path", fault.path)
      .field("line", std::int64_t{fault.line})
      .field("column", std::int64_t{fault.column});
  to.field("found", fault.found).field("allowed", fault.allowed).field("suggestion", fault.suggestion);
  to.end_object();
}

void write_line(json::Writer& to, const Deployment& line, const Provider& provider) {
  to.begin_object().field("id", line.id).field("provider", provider.name);
  to.field("auth", name_of(provider.auth)).field("auth_name", provider.auth_name);
  to.key("keys").begin_array();
  for (const std::string& key : provider.keys) to.string(key);
  to.end_array().flag("client_key", provider.client_key);
  to.key("headers").begin_object();
  for (const auto& [name, value] : provider.headers) to.field(name, value);
  to.end_object().end_object();
}

}  // namespace

std::string describe_catalog(const Loaded& loaded) {
  std::string out;
  json::Writer to(out);
  to.begin_object().field("hash", loaded.hash).key("deployments").begin_array();
  for (const Deployment& line : loaded.catalog.deployments) {
    write_line(to, line, loaded.catalog.providers[index_of(line.provider)]);
  }
  to.end_array().key("clients").begin_array();
  for (const exchange::Client& client : loaded.engine.clients) {
    to.begin_object().field("id", client.id).field("key_sha256", client.key_sha256).end_object();
  }
  to.end_array().key("cors").begin_object().key("origins").begin_array();
  for (const std::string& origin : loaded.engine.cors_origins) to.string(origin);
  to.end_array().end_object();
  const exchange::EnginePolicy& engine = loaded.engine;
  to.key("state").begin_object().field("store", name_of(engine.state.store));
  to.field("shard", engine.state.shard).end_object();
  if (!engine.admin_token.empty()) to.field("admin_token", engine.admin_token);
  if (engine.checks.every_s > 0)
    to.key("active_checks").begin_object().field("every_s", std::int64_t{engine.checks.every_s}).end_object();
  to.key("warnings").begin_array();
  for (const Fault& warning : loaded.warnings) write_fault(to, warning);
  to.end_array().end_object();
  return out;
}

std::string fault_json(const Fault& fault) {
  std::string out;
  json::Writer to(out);
  write_fault(to, fault);
  return out;
}

}  // namespace shunt::config
