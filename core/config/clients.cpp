// "clients", "limits" and "cors": who may call, from where, and how much the engine holds for all of them.
#include "base/limits.h"
#include "config/drafts.h"
#include "config/names.h"
#include "config/quota.h"

namespace shunt::config {
namespace {

using exchange::Client;
using exchange::EnginePolicy;
constexpr std::size_t kMaxClients = 10'000;

struct ClientDraft {
  Client& row;
  std::uint64_t id_at = 0;
  std::uint64_t key_at = 0;
  bool signs = false;
};
using C = ClientDraft;

constexpr auto kHmac = table<void>({
    {"secret", own<check_secret_name>(), Stand::required},
    {"window_s", integer(range<1, 3600>)},
});
void read_hmac(Reader& in, C& into) { into.signs = check_object(in, kHmac) != kNoObject; }

void read_client_id(Reader& in, C& into) {
  Name id;
  if (!read_id(in, id)) return;
  into.row.id = std::move(id.value);
  into.id_at = id.at;
}

void read_client_key(Reader& in, C& into) {
  into.key_at = in.at();
  read_sha256(in, into.row.key_sha256);
}

constexpr auto kClient = table<C>({
    {"id", own<read_client_id>(), Stand::required},
    {"key_sha256", own<read_client_key>()},
    {"hmac", own<read_hmac>(), Stand::later},
    {"priority", word("low normal high"), Stand::later},
    {"limits", object(kQuota), Stand::later},
});

constexpr std::int64_t kMegabyte = 1024 * 1024;
constexpr auto kLimits = table<EnginePolicy>({
    {"body_buffer_bytes", integer<&EnginePolicy::body_buffer_bytes>(range<1024, 1024 * kMegabyte>)},
    {"held_bytes", integer<&EnginePolicy::held_bytes>(range<1024, 65536 * kMegabyte>)},
    {"answer_bytes", integer<&EnginePolicy::answer_bytes>(range<1024, 1024 * kMegabyte>)},
    {"answer_bytes_all", integer<&EnginePolicy::answer_bytes_all>(range<1024, 65536 * kMegabyte>)},
    {"max_wait_ms", integer<&EnginePolicy::longest_wait>(range<0, 600'000>)},
    {"concurrency", integer(range<1, limits::kExchanges>), Stand::later},
    {"rpm", integer(range<1, kMany>), Stand::later},
    {"tpm", integer(range<1, kMany>), Stand::later},
});

void read_origins(Reader& in, EnginePolicy& into) {
  if (!in.enter_array()) return;
  while (in.next_element()) {
    std::string origin;
    if (read_origin(in, origin)) into.cors_origins.push_back(std::move(origin));
  }
}
constexpr auto kCors = table<EnginePolicy>({{"origins", own<read_origins>(), Stand::required}});

}  // namespace

void read_clients(Reader& in, Draft& into) {
  if (!in.enter_array()) return;
  Index ids;
  Index keys;
  std::vector<Client>& clients = into.engine.clients;
  while (in.next_element()) {
    const std::uint64_t at = in.at();
    C client{clients.emplace_back()};
    const bool read = read_object(in, client, kClient) != kNoObject;
    const std::string& id = client.row.id;
    const std::string& key = client.row.key_sha256;
    if (read && client.key_at == 0 && !client.signs)
      in.report().fault(at, "no \"key_sha256\"", "the key is required");
    if (!read || id.empty()) {
      clients.pop_back();
      continue;
    }
    if (!add(ids, id, 0))
      in.report().fault_about(client.id_at, "the client % a second time", id, "each id once");
    if (!key.empty() && !add(keys, key, 0))
      in.report().fault(client.key_at, "a key that another client has", "one client per key");
    if (clients.size() > kMaxClients) {
      in.report().fault(at, "one client too many", "at most 10000 clients");
      clients.pop_back();
    }
  }
}

void read_limits(Reader& in, Draft& into) {
  const std::uint64_t at = in.at();
  EnginePolicy& engine = into.engine;
  if (read_object(in, engine, kLimits) == kNoObject) return;
  if (engine.body_buffer_bytes > engine.held_bytes) {
    in.report().fault(at, "body_buffer_bytes above held_bytes",
                      "one body's share at most what is held for all");
  }
  if (engine.answer_bytes > engine.answer_bytes_all) {
    in.report().fault(at, "answer_bytes above answer_bytes_all",
                      "one answer's share at most what is held for all");
  }
}

void read_cors(Reader& in, Draft& into) { read_object(in, into.engine, kCors); }

}  // namespace shunt::config
