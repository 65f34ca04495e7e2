// "clients", "limits" and "cors": who may call, from where, and how much the engine holds for all of them.
#include "base/strings.h"
#include "config/drafts.h"
#include "config/keys.h"
#include "config/names.h"

namespace shunt::config {
namespace {

using exchange::Client;
using exchange::EnginePolicy;
constexpr std::int64_t kMany = 1'000'000'000'000;
constexpr std::int64_t kMaxClients = 10'000;

struct ClientDraft {
  Client row;
  std::uint64_t id_at = 0;
  std::uint64_t key_at = 0;
  bool signs = false;
};
using C = ClientDraft;

constexpr auto kClientLimits = std::to_array<Key<C>>({
    {"rpm", expect_integer<1, kMany>},
    {"tpm", expect_integer<1, kMany>},
    {"concurrency", expect_integer<1, kMany>},
    {"budget_usd_day", expect_micros<0, kMany>},
});

enum class Priority : std::uint8_t { low, normal, high };
constexpr auto kPriorities = std::to_array<Word<Priority>>(
    {{"low", Priority::low}, {"normal", Priority::normal}, {"high", Priority::high}});

void expect_secret(Reader& in, C&) { read_secret_name(in); }
constexpr auto kHmac = std::to_array<Key<C>>({
    {"secret", expect_secret, Stand::required},
    {"window_s", expect_integer<1, 3600>},
});
void read_hmac(Reader& in, C& into) {
  into.signs = read_object(in, into, std::span<const Key<C>>(kHmac)).has_value();
}

void read_client_id(Reader& in, C& into) {
  const auto id = read_id(in);
  if (!id) return;
  into.row.id = id->value;
  into.id_at = id->at;
}

void read_client_key(Reader& in, C& into) {
  into.key_at = in.at();
  if (auto hash = read_sha256(in)) into.row.key_sha256 = std::move(*hash);
}

constexpr auto kClient = std::to_array<Key<C>>({
    {"id", read_client_id, Stand::required},
    {"key_sha256", read_client_key},
    {"hmac", read_hmac, Stand::later},
    {"priority", expect_word<kPriorities>, Stand::later},
    {"limits", expect_object<kClientLimits>, Stand::later},
});

constexpr std::int64_t kMegabyte = 1024 * 1024;
constexpr auto kLimits = std::to_array<Key<EnginePolicy>>({
    {"body_buffer_bytes", integer<&EnginePolicy::body_buffer_bytes, 1024, 1024 * kMegabyte>},
    {"held_bytes", integer<&EnginePolicy::held_bytes, 1024, 65536 * kMegabyte>},
    {"answer_bytes", integer<&EnginePolicy::answer_bytes, 1024, 1024 * kMegabyte>},
    {"answer_bytes_all", integer<&EnginePolicy::answer_bytes_all, 1024, 65536 * kMegabyte>},
    {"max_wait_ms", duration<&EnginePolicy::longest_wait, 0, 600'000>},
    {"concurrency", expect_integer<1, limits::kExchanges>, Stand::later},
    {"rpm", expect_integer<1, kMany>, Stand::later},
    {"tpm", expect_integer<1, kMany>, Stand::later},
});

void read_origins(Reader& in, EnginePolicy& into) {
  if (!in.enter_array()) return;
  while (in.next_element()) {
    if (auto origin = read_origin(in)) into.cors_origins.push_back(std::move(*origin));
  }
}
constexpr auto kCors = std::to_array<Key<EnginePolicy>>({{"origins", read_origins, Stand::required}});

}  // namespace

void read_clients(Reader& in, Draft& into) {
  if (!in.enter_array()) return;
  std::set<std::string> ids;
  std::set<std::string> keys;
  while (in.next_element()) {
    const std::uint64_t at = in.at();
    C client;
    if (!read_object(in, client, std::span<const Key<C>>(kClient))) continue;
    if (client.key_at == 0 && !client.signs)
      in.report().fault(at, "no \"key_sha256\"", "the key is required");
    if (client.row.id.empty()) continue;
    if (!ids.insert(client.row.id).second) {
      in.report().fault(client.id_at, joined({"the client \"", client.row.id, "\" a second time"}),
                        "each id once");
    }
    if (!client.row.key_sha256.empty() && !keys.insert(client.row.key_sha256).second) {
      in.report().fault(client.key_at, "a key that another client has", "one client per key");
    }
    if (static_cast<std::int64_t>(into.engine.clients.size()) == kMaxClients) {
      in.report().fault(at, "one client too many", "at most 10000 clients");
    } else {
      into.engine.clients.push_back(std::move(client.row));
    }
  }
}

void read_limits(Reader& in, Draft& into) {
  const std::uint64_t at = in.at();
  EnginePolicy& engine = into.engine;
  if (!read_object(in, engine, std::span<const Key<EnginePolicy>>(kLimits))) return;
  if (engine.body_buffer_bytes > engine.held_bytes) {
    in.report().fault(at, "body_buffer_bytes above held_bytes",
                      "one body's share at most what is held for all");
  }
  if (engine.answer_bytes > engine.answer_bytes_all) {
    in.report().fault(at, "answer_bytes above answer_bytes_all",
                      "one answer's share at most what is held for all");
  }
}

void read_cors(Reader& in, Draft& into) {
  read_object(in, into.engine, std::span<const Key<EnginePolicy>>(kCors));
}

}  // namespace shunt::config
