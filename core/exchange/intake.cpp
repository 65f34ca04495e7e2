// The incoming side of a client's request.
#include "exchange/intake.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "base/rng.h"
#include "base/strings.h"
#include "canonical/http.h"
#include "dialect/request_common.h"

namespace shunt::exchange {
namespace {

// Client headers that go on to a provider, and to which dialects. Everything else stops here.
struct Passed {
  std::string_view name;
  std::optional<DialectId> only;
  std::optional<DialectId> also;
};
constexpr std::array<Passed, 7> kPassed = {
    {{"anthropic-beta", DialectId::anthropic_messages, {}},
     {"anthropic-version", DialectId::anthropic_messages, {}},
     {"openai-organization", DialectId::openai_chat, DialectId::openai_responses},
     {"openai-project", DialectId::openai_chat, DialectId::openai_responses},
     {"openai-beta", DialectId::openai_chat, DialectId::openai_responses},
     {"traceparent", {}, {}},
     {"tracestate", {}, {}}}};

// More than anyone may make.
constexpr std::uint64_t kMostRetries = 1000;
// Before the prompt of a body may stand this much else.
constexpr std::size_t kLead = 4096;

// What is no number allows nothing.
std::uint32_t retries(std::string_view value) {
  return static_cast<std::uint32_t>(std::min(parse_uint(value).value_or(0), kMostRetries));
}

}  // namespace

const std::array<Intake::Ours, 8> Intake::kOurs = {{{"origin", &Intake::origin_},
                                                    {"x-shunt-route", &Intake::route_},
                                                    {"x-shunt-deployment", &Intake::deployment_},
                                                    {"x-shunt-task", &Intake::task_},
                                                    {"x-shunt-role", &Intake::role_},
                                                    {"x-shunt-region", &Intake::region_},
                                                    {"x-shunt-session", &Intake::session_},
                                                    {"x-shunt-priority", &Intake::priority_}}};

Intake::Intake(const RequestArrived& arrived, EndpointMatch match)
    : match_(match),
      dialect_(dialect::find(match.dialect)),
      outline_(dialect::request_outline_options(match.dialect)),
      client_(arrived.client),
      path_model_(percent_decoded(match.path.model)),
      wall_(arrived.wall),
      head_(arrived.method == "HEAD") {
  if (passthrough()) {
    method_ = *std::find(kPassedMethods.begin(), kPassedMethods.end(), arrived.method);
    target_ = arrived.target;
    repeatable_ = method_ == "GET";  // whatever is sent may start a task
  }
  std::size_t count = 0;
  HeaderBlock(arrived.headers.substr(0, limits::kHeaderBytes))
      .each([&](std::string_view name, std::string_view value) {
        if (++count > limits::kHeaderCount) return;
        for (const Passed& row : kPassed) {
          if (row.name == name) append_header(passed_, name, value);
        }
        if (name == "anthropic-version") anthropic_version_ = true;
        if (name == "anthropic-beta") betas_ = true;
        for (const Ours& row : kOurs) {
          if (row.name == name) this->*row.value = value;
        }
        if (name == "x-shunt-retries-left") retries_left_ = retries(value);
        if (name == "x-shunt-repeatable") repeatable_ = !equal_fold(value, "no");
        if (name == "content-type" && passthrough()) content_type_ = value;
        if (name == "x-shunt-exclude") {
          while (!value.empty()) exclude_.emplace_back(trim(cut(value, ',')));
        }
      });
}

bool Intake::feed(std::string_view bytes, bool last) {
  if (passthrough()) {
    passed_bytes_ += bytes.size();
    return true;
  }
  if (keep_ > 0 && beginning_.size() < keep_ + kLead)
    beginning_.append(bytes.substr(0, keep_ + kLead - beginning_.size()));
  if (outline_.feed(bytes, last) != json::Outline::State::failed) return true;
  const json::Error& error = outline_.error();
  problem_ = {"", "The request body is not the JSON it should be: ", 400};
  problem_.what += error.what;
  problem_.what += " at byte ";
  append_uint(problem_.what, error.offset);
  problem_.what += ".";
  return false;
}

bool Intake::read() {
  request_ = std::make_unique<Request>();
  if (passthrough()) return true;
  if (outline_.empty() || outline_.kind(0) != json::Kind::object) {
    problem_ = {"", "The request body must be a JSON object.", 400};
    return false;
  }
  if (!dialect_->read_request(outline_, *request_, problem_)) return false;
  if (!path_model_.empty()) request_->stream = match_.path.stream;
  return true;
}

std::string Intake::wanted() const {
  if (!deployment_.empty()) return deployment_;
  if (!route_.empty()) return route_;
  if (!path_model_.empty()) return path_model_;
  if (outline_.empty()) return {};
  return outline_.text(outline_.find(0, "model")).value_or(std::string());
}

PriorityClass Intake::priority() const {
  for (std::size_t i = 0; i < kPriorityNames.size(); ++i) {
    if (kPriorityNames[i] == priority_) return static_cast<PriorityClass>(i);
  }
  return PriorityClass::high;
}

// A session by its header, else by what the request itself calls its user or cache.
std::uint64_t Intake::affinity(const Affinity& by) const {
  if (by.by == Affinity::By::none) return 0;
  if (!session_.empty()) return hash_of(session_);
  if (by.by == Affinity::By::session) {
    const json::NodeId metadata = outline_.find(0, "metadata");
    for (const json::NodeId node : {outline_.find(0, "prompt_cache_key"), outline_.find(0, "user"),
                                    outline_.find(metadata, "user_id")}) {
      if (const std::string_view text = outline_.raw_head(node); !text.empty()) return hash_of(text);
    }
    return 0;
  }
  constexpr std::string_view kPrompts[] = {
      "messages", "system", "tools", "input", "contents", "instructions", "systemInstruction", "prompt"};
  std::size_t begin = beginning_.size();
  for (const std::string_view key : kPrompts) {
    const json::NodeId node = outline_.find(0, key);
    if (node != json::kNoNode && outline_.begin(node) < begin)
      begin = static_cast<std::size_t>(outline_.begin(node));
  }
  const std::string_view prompt = std::string_view(beginning_).substr(begin).substr(0, by.prefix_bytes);
  return prompt.empty() ? 0 : hash_of(prompt);
}

bool Intake::excluded(std::string_view deployment) const {
  return std::find(exclude_.begin(), exclude_.end(), deployment) != exclude_.end();
}

void Intake::attempt_headers(const Provider& provider, bool stream, std::string& out) const {
  const HeaderBlock passed(passed_);
  // The operator's own headers stand (an organisation that pays is theirs to name); only the version of the
  // protocol is the client's, who speaks it.
  for (const auto& [name, value] : provider.headers) {
    const bool spoken = name == "anthropic-version" && !passed.get(name).empty();
    if (!spoken) append_header(out, name, value);
  }
  std::string more;
  passed.each([&](std::string_view name, std::string_view value) {
    for (const Passed& row : kPassed) {
      const bool meant =
          row.name == name && (!row.only || row.only == provider.dialect || row.also == provider.dialect);
      if (meant && HeaderBlock(out).get(name).empty()) append_header(more, name, value);
    }
  });
  out += more;
  if (!passthrough()) {
    append_header(out, "content-type", "application/json");
    append_header(out, "accept", stream ? "text/event-stream" : "application/json");
  } else if (!content_type_.empty()) {
    append_header(out, "content-type", content_type_);
  }
  append_header(out, "accept-encoding", "identity");
}

}  // namespace shunt::exchange
