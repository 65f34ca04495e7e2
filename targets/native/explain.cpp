// `shunt explain`: who could serve a request and who may not now, each with the reason. The same exchange
// decides as in traffic; it is ended at its first attempt.
#include <map>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_writer.h"
#include "base/limits.h"
#include "canonical/http.h"
#include "config/config.h"
#include "exchange/engine.h"
#include "exchange/exchange.h"
#include "native/base64.h"
#include "native/commands.h"
#include "native/files.h"
#include "native/order_words.h"
#include "route/plan.h"
#include "route/strategies.h"

namespace shunt::native {
namespace {

using json = nlohmann::json;
namespace core_json = shunt::json;

constexpr Instant kNow{0};  // a snapshot tells ends as time left: any clock will do
constexpr WallTime kWall{0};

// What one exchange came to before its first call.
struct Decision {
  std::string record;
  std::string refusal;  // the body of an answer without a call
  int status = 0;
  std::string first_call;
  std::uint32_t first_slot = 0;
};

Decision decide(exchange::Engine& engine, const ExplainOptions& options, const std::string& body) {
  Decision decision;
  exchange::Exchange one(engine, options.seed);
  const auto tell = [&](const exchange::Input& input) {
    if (one.finished()) return;
    one.handle(kNow, input);
    while (const auto effect = one.poll()) {
      if (const auto* start = std::get_if<exchange::StartAttempt>(&*effect)) {
        decision.first_call = engine.catalog().deployment(start->deployment).id;
        decision.first_slot = start->slot;
      }
      if (const auto* head = std::get_if<exchange::SendHead>(&*effect)) decision.status = head->status;
      if (const auto* bytes = std::get_if<exchange::SendBytes>(&*effect)) decision.refusal += bytes->bytes;
      if (const auto* emit = std::get_if<exchange::Emit>(&*effect)) decision.record = emit->json;
    }
  };
  std::string headers;
  for (const std::string& header : options.headers) {
    const std::size_t colon = header.find(':');
    const std::size_t value = colon == std::string::npos ? colon : header.find_first_not_of(' ', colon + 1);
    if (value != std::string::npos) append_header(headers, header.substr(0, colon), header.substr(value));
  }
  // Whom the host would let in is not asked here: any client of the configuration will do.
  const auto& clients = engine.loaded().engine.clients;
  const std::string client = clients.empty() ? "" : clients.front().id;
  tell(exchange::RequestArrived{"POST", options.path, headers, client, kWall, body.size()});
  for (std::size_t at = 0; at < body.size(); at += limits::kSliceBytes)
    tell(exchange::RequestBytes{std::string_view(body).substr(at, limits::kSliceBytes)});
  tell(exchange::RequestEnded{});
  tell(exchange::ClientGone{});
  return decision;
}

// Why a line is where it is, in words.
std::string reason(const json& view) {
  static const std::map<std::string, std::string> kCauses = {
      {"breaker", "its breaker is open after failures"},
      {"cooldown", "its provider asked for a wait"},
      {"long", "its account, key or model is in trouble"},
      {"latch", "its breaker has latched: only an operator's reset brings it back"},
      {"operator", "an operator has taken it out"},
      {"disabled", "an operator has switched it off"},
      {"excluded", "the request excludes it"},
      {"incapable", "it lacks a capability that the request needs"},
      {"limit", "it is over a limit: its own, or its provider's as far as that is known"},
      {"gated", "it is being tried out in the shadow and has not shown yet what its gate asks"},
  };
  if (view["kept"].get<bool>()) return "kept: it is out, but every line is, and it is the nearest to its end";
  const std::string state = view["state"];
  if (state == "ready") return "well";
  if (state == "probe") return "recovering: the request that takes it is the probe";
  const auto cause = kCauses.find(view["cause"].get<std::string>());
  std::string words = cause == kCauses.end() ? "it is out" : cause->second;
  if (view.contains("until")) {
    const std::int64_t left_ms = view["until"].get<std::int64_t>() - kNow.ms;
    words += fmt::format(", for {}.{} s more", left_ms / 1000, left_ms % 1000 / 100);
  }
  return words;
}

// How the route chose, from the record's policy; from the configuration where the record has none.
json policy_of(const json& record, const Catalog& catalog) {
  if (record.contains("policy")) return record["policy"];
  route::PlanPolicy policy;
  if (const auto id = catalog.find_route(record["route"].get<std::string>())) {
    const Route& route = catalog.route(*id);
    policy.strategy = route.strategy;
    policy.across = route.across.value_or(route::across_by_default(route.strategy));
    policy.quota = route.quota;
    policy.degrade_micros = route.degrade_micros;
  }
  std::string text;
  core_json::Writer out(text);
  route::append_policy(out, policy);
  return json::parse(text);
}

json candidate(const json& record, std::size_t index, const json& policy, const Catalog& catalog) {
  json view = record["lines"][index];
  view["region"] = catalog.deployments[view["deployment"].get<std::size_t>()].region;
  json out;
  out["id"] = view["id"];
  out["in"] = false;
  out["place"] = nullptr;
  for (std::size_t place = 0; place < record["order"].size(); ++place) {
    if (record["order"][place] != index) continue;
    out["in"] = true;
    out["place"] = place + 1;
  }
  out["state"] = view["state"];
  out["cause"] = view["cause"];
  out["reason"] = reason(view);
  out["key"] = view["slot"];
  out["left_ms"] = view.contains("until") ? view["until"] : json(nullptr);
  for (const char* same : {"kept", "priority", "weight", "success", "cost_nanos", "quota", "p90_ms",
                           "ttft_micros", "in_flight", "region", "task_score", "role", "local"}) {
    out[same] = view[same];
  }
  out["strategy"] = policy["strategy"];
  out["why"] = numbers_in_words(view, policy);
  return out;
}

std::string as_text(const json& line) {
  const std::string place = line["in"].get<bool>() ? fmt::format("{}.", line["place"].get<int>()) : "-";
  return fmt::format("  {:<4}{:<28} {:<4} {} ({})\n", place, line["id"].get<std::string>(),
                     line["in"].get<bool>() ? "in" : "out", line["reason"].get<std::string>(),
                     line["why"].get<std::string>());
}

std::string headline(const json& record, const json& policy, const Decision& decision) {
  const std::string route = record["route"];
  if (!decision.first_call.empty()) {
    const std::string how = record["order"].size() < 2 ? "" : ": " + strategy_in_words(policy);
    return fmt::format("{}: {}, key {} is called first{}\n", route, decision.first_call,
                       decision.first_slot + 1, how);
  }
  std::string said = decision.refusal;
  const json body = json::parse(decision.refusal, nullptr, false);
  if (body.is_object() && body.contains("error") && body["error"].contains("message"))
    said = body["error"]["message"];
  return fmt::format("{}: nobody is called, the answer is {}: {}\n", route.empty() ? "no route" : route,
                     decision.status, said);
}

bool load_snapshot(exchange::Engine& engine, const std::string& path) {
  auto bytes = read_input(path);
  if (!bytes) return false;
  auto& health = engine.health();
  if (health.load(*bytes, kNow, kWall) == health::LoadResult::loaded) return true;
  // As a trace's header holds it.
  while (!bytes->empty() && (bytes->back() == '\n' || bytes->back() == '\r')) bytes->pop_back();
  const auto decoded = from_base64(*bytes);
  if (decoded && health.load(*decoded, kNow, kWall) == health::LoadResult::loaded) return true;
  note(shown_name(path) + ": no snapshot of this build's, as bytes or in base64");
  return false;
}

}  // namespace

int run_explain(const ExplainOptions& options) {
  if (options.config.empty() || options.request.empty()) {
    note("explain: say --config and --request");
    return kUsage;
  }
  const auto document = read_input(options.config);
  const auto body = read_input(options.request);
  if (!document || !body) return kUsage;
  config::Loaded loaded;
  std::vector<config::Fault> faults;
  if (!config::load(*document, loaded, faults)) {
    for (const config::Fault& fault : faults) note(options.config + ": " + config::fault_json(fault));
    return kDifference;
  }
  exchange::Engine engine(std::move(loaded));
  if (!options.snapshot.empty() && !load_snapshot(engine, options.snapshot)) return kDifference;

  const Decision decision = decide(engine, options, *body);
  const json record = json::parse(decision.record, nullptr, false);
  if (!record.is_object()) {
    note(options.path + ": no request that a provider is asked for");
    return kDifference;
  }
  const json policy = policy_of(record, engine.catalog());
  if (!options.json) print(headline(record, policy, decision));
  for (std::size_t i = 0; i < record["lines"].size(); ++i) {
    const json line = candidate(record, i, policy, engine.catalog());
    print(options.json ? json_line(line.dump()) : as_text(line));
  }
  if (options.json && decision.first_call.empty()) note(headline(record, policy, decision));
  return decision.first_call.empty() ? kDifference : kFine;
}

}  // namespace shunt::native
