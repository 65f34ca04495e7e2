// "clients", "tasks", "limits" and "cors": who may call, from where, and how much: each, and all of them
// together.
#include "base/limits.h"
#include "config/drafts.h"
#include "config/names.h"
#include "config/quota.h"

namespace shunt::config {
namespace {

using exchange::Client;
using exchange::EnginePolicy;
using exchange::QueuePolicy;
using exchange::TaskLimits;
constexpr std::size_t kMaxClients = 10'000;
constexpr std::size_t kMaxTasks = 1000;

struct ClientDraft {
  Client& row;
  std::uint64_t limits_at = 0;
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

void read_priority(Reader& in, C& into) {
  const Names names(kPriorityNames.begin(), kPriorityNames.end());
  if (const auto place = read_word_of(in, names)) into.row.priority = static_cast<PriorityClass>(*place);
}

void read_client_limits(Reader& in, C& into) {
  into.limits_at = in.at();
  read_object(in, into.row.limits, kQuota);
}

constexpr auto kClient = table<C>({
    {"id", own<read_client_id>(), Stand::required},
    {"key_sha256", own<read_client_key>()},
    {"hmac", own<read_hmac>(), Stand::later},
    {"priority", own<read_priority>()},
    {"limits", own<read_client_limits>()},
});

constexpr auto kQueue = table<QueuePolicy>({
    {"size", integer<&QueuePolicy::size>(range<0, limits::kExchanges>)},
    {"max_wait_ms", integer<&QueuePolicy::max_wait>(range<0, 600'000>)},
});

constexpr std::int64_t kMegabyte = 1024 * 1024;
constexpr auto kLimits = table<EnginePolicy>({
    {"body_buffer_bytes", integer<&EnginePolicy::body_buffer_bytes>(range<1024, 1024 * kMegabyte>)},
    {"held_bytes", integer<&EnginePolicy::held_bytes>(range<1024, 65536 * kMegabyte>)},
    {"answer_bytes", integer<&EnginePolicy::answer_bytes>(range<1024, 1024 * kMegabyte>)},
    {"answer_bytes_all", integer<&EnginePolicy::answer_bytes_all>(range<1024, 65536 * kMegabyte>)},
    {"max_wait_ms", integer<&EnginePolicy::longest_wait>(range<0, 600'000>)},
    {"concurrency", integer<&EnginePolicy::limits, &Quota::concurrency>(range<1, limits::kExchanges>)},
    {"rpm", integer<&EnginePolicy::limits, &Quota::rpm>(range<1, kMany>)},
    {"tpm", integer<&EnginePolicy::limits, &Quota::tpm>(range<1, kMany>)},
    {"budget_usd_day", micros<&EnginePolicy::limits, &Quota::usd_micros_day>(range<1, kMany>)},
    {"budget_tokens_day", integer<&EnginePolicy::limits, &Quota::tokens_day>(range<1, kMany>)},
    {"queue", object<&EnginePolicy::queue>(kQueue)},
});

constexpr auto kTask = table<TaskLimits>({
    {"limits", object<&TaskLimits::limits>(kQuota), Stand::required},
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
      continue;
    }
    into.note_limits(client.row.limits, client.limits_at);
  }
}

void read_limits(Reader& in, Draft& into) {
  const std::uint64_t at = in.at();
  EnginePolicy& engine = into.engine;
  if (read_object(in, engine, kLimits) == kNoObject) return;
  into.note_limits(engine.limits, at);
  if (engine.body_buffer_bytes > engine.held_bytes) {
    in.report().fault(at, "body_buffer_bytes above held_bytes",
                      "one body's share at most what is held for all");
  }
  if (engine.answer_bytes > engine.answer_bytes_all) {
    in.report().fault(at, "answer_bytes above answer_bytes_all",
                      "one answer's share at most what is held for all");
  }
}

void read_tasks(Reader& in, Draft& into) {
  std::vector<TaskLimits>& tasks = into.engine.tasks;
  for (Members members(in); members.next();) {
    const bool named = check_id(in, members.name(), members.at());
    const std::uint64_t at = in.at();
    TaskLimits task{members.name(), {}};
    const bool read = read_object(in, task, kTask) != kNoObject;
    if (tasks.size() == kMaxTasks) {
      in.report().fault(members.at(), "one task type too many", "at most 1000 task types");
    } else if (named && read) {
      into.note_limits(task.limits, at);
      into.tasks_at.push_back(members.at());
      tasks.push_back(std::move(task));
    }
  }
}

void read_cors(Reader& in, Draft& into) { read_object(in, into.engine, kCors); }

}  // namespace shunt::config
