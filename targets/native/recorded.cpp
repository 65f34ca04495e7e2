// From recorded exchanges to inputs of the core: the one place where this is decided, for every target.
#include "native/recorded.h"

#include <algorithm>
#include <cmath>
#include <deque>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_writer.h"
#include "base/limits.h"
#include "base/strings.h"
#include "canonical/failure.h"
#include "catalog/providers.h"
#include "dialect/dialect.h"
#include "native/base64.h"
#include "native/dialect_names.h"
#include "native/session.h"

namespace shunt::native {
namespace {

using Json = nlohmann::json;
using abi::EffectOp;
using abi::InputOp;

// The virtual clock: one input a millisecond, from a wall time that is nobody's (2027-01-15T08:00:00Z).
constexpr double kStepMs = 1;
constexpr double kWallMs = 1.8e12;
constexpr std::uint64_t kSeed = 1;
// An engine that goes on waking itself is wrong; the longest honest wait is a handful of back-offs.
constexpr int kTimersMost = 1000;

// A dialect that a client speaks too: only then can the other side be made up.
bool is_played(DialectId id) {
  const dialect::Dialect* dialect = dialect::find(id);
  return dialect != nullptr && dialect->read_request != nullptr && dialect->make_encoder != nullptr;
}

// ---- reading ----

std::string text_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// A header is one line; what would break it is not part of its value.
std::string header_lines(const Json& headers) {
  std::string out;
  for (const auto& [name, value] : headers.items()) {
    if (!value.is_string()) continue;
    std::string line = to_lower(name) + ": " + value.get<std::string>();
    std::replace_if(line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    out += line + '\n';
  }
  return out;
}

// False: the record lacks what an exchange must have.
bool read_response(const Json& response, Recorded& out) {
  if (!response.is_object() || !response.contains("status") || !response["status"].is_number_integer())
    return false;
  out.status = response["status"].get<int>();
  if (response.contains("headers")) out.headers = header_lines(response["headers"]);
  if (response.contains("body_base64")) {
    auto bytes = from_base64(text_of(response, "body_base64"));
    if (!bytes) return false;
    out.body = std::move(*bytes);
  } else {
    out.body = text_of(response, "body_text");
  }
  if (const auto sizes = response.find("chunk_sizes"); sizes != response.end() && sizes->is_array()) {
    for (const Json& size : *sizes) {
      if (size.is_number_unsigned()) out.chunks.push_back(size.get<std::size_t>());
    }
  }
  return true;
}

// ---- the client's side ----

// What a client of each dialect sends: its path, and its body with # for the model and what asks for a
// stream.
struct Question {
  DialectId dialect;
  const char* path;
  const char* stream_path;
  const char* body;
  const char* streamed;  // further members
};
constexpr Question kQuestions[] = {
    {DialectId::openai_chat, "/v1/chat/completions", "/v1/chat/completions",
     R"({"model":"#","messages":[{"role":"user","content":"Say it again."}])",
     R"(,"stream":true,"stream_options":{"include_usage":true})"},
    {DialectId::openai_responses, "/v1/responses", "/v1/responses", R"({"model":"#","input":"Say it again.")",
     R"(,"stream":true)"},
    {DialectId::anthropic_messages, "/v1/messages", "/v1/messages",
     R"({"model":"#","max_tokens":1024,"messages":[{"role":"user","content":"Say it again."}])",
     R"(,"stream":true)"},
    {DialectId::gemini_generate, "/v1beta/models/#:generateContent",
     "/v1beta/models/#:streamGenerateContent?alt=sse",
     R"({"contents":[{"role":"user","parts":[{"text":"Say it again."}]}])", ""},
};

const Question& question_of(DialectId dialect) {
  for (const Question& question : kQuestions) {
    if (question.dialect == dialect) return question;
  }
  return kQuestions[0];
}

std::string with_model(std::string_view text, std::string_view model) {
  const std::size_t at = text.find('#');
  if (at == std::string_view::npos) return std::string(text);
  return std::string(text.substr(0, at)).append(model).append(text.substr(at + 1));
}

std::string request_body(DialectId dialect, const std::string& model, bool stream) {
  const Question& question = question_of(dialect);
  return with_model(question.body, model) + (stream ? question.streamed : "") + "}";
}

std::string request_head(DialectId dialect, const std::string& model, bool stream) {
  const Question& question = question_of(dialect);
  std::string head = "POST\n" + with_model(stream ? question.stream_path : question.path, model);
  head += "\n\ncontent-type: application/json\n";
  if (dialect == DialectId::anthropic_messages) head += "anthropic-version: 2023-06-01\n";
  return head;
}

// One line to the provider, one attempt. The preset counts where it speaks what was recorded: its quirks
// belong to that API.
std::string one_line_config(const Recorded& recorded) {
  constexpr std::string_view kAddress = "https://recorded.invalid";
  std::string label = recorded.provider;
  std::replace_if(
      label.begin(), label.end(), [](char c) { return !is_alpha(c) && !is_digit(c) && c != '.'; }, '-');
  if (label.empty() || label.size() > kIdBytes / 2) label = "unknown";
  const Preset* preset = find_preset(recorded.provider);
  const bool known = preset != nullptr && preset->dialect == recorded.dialect;

  std::string text;
  json::Writer out(text);
  out.begin_object().key("providers").begin_object().key(label).begin_object();
  known ? out.field("preset", preset->name) : out.field("dialect", name_of(recorded.dialect));
  if (!known || is_template(preset->base_url)) out.field("base_url", kAddress);
  out.key("keys").begin_array().string("RECORDED").end_array().end_object().end_object();
  out.key("deployments").begin_array().begin_object();
  out.field("id", "recorded@" + label).field("provider", label).field("model", "recorded");
  out.end_object().end_array();
  out.key("routes").begin_object().key("recorded").begin_object();
  out.key("deployments").begin_array().string("recorded@" + label).end_array();
  out.key("retry").begin_object().field("attempts", std::int64_t{1}).end_object();
  out.end_object().end_object().end_object();
  return text;
}

// ---- the stage ----

TraceLine input_line(InputOp op, std::string payload = {}, std::uint32_t stream = 0, std::uint32_t a = 0) {
  TraceLine line;
  line.x = 1;
  line.record.op = static_cast<std::uint32_t>(op);
  line.record.stream = stream;
  line.record.a = a;
  line.payload = std::move(payload);
  return line;
}

// Runs the engine and writes down what it is told.
class Stage {
 public:
  Stage(const std::vector<const Recorded*>& exchanges, const Staging& staging, Trace& out)
      : exchanges_(exchanges), staging_(staging), out_(out) {}

  bool run(std::string& problem) {
    if (!session_.begin(out_, problem)) return false;
    TraceLine open;
    open.kind = TraceLine::Kind::open;
    open.x = 1;
    open.seed = kSeed;
    if (!tell(std::move(open), problem) || !send_request(problem)) return false;
    for (int timers = 0; !finished_;) {
      TraceLine next = input_line(InputOp::timer_fired);
      if (!due_.empty()) {
        next = std::move(due_.front());
        due_.pop_front();
      } else if (std::isfinite(wake_) && ++timers <= kTimersMost) {
        now_ = std::max(now_, wake_ - kStepMs);
      } else {
        problem = "the exchange has no end: it waits for nothing, or wakes itself for ever";
        return false;
      }
      if (!tell(std::move(next), problem)) return false;
    }
    TraceLine close;
    close.kind = TraceLine::Kind::close;
    close.x = 1;
    return tell(std::move(close), problem);
  }

 private:
  bool tell(TraceLine line, std::string& problem) {
    if (line.kind == TraceLine::Kind::input) line.now = now_ += kStepMs;
    Polled polled;
    if (!session_.step(line, polled, problem)) return false;
    if (line.kind == TraceLine::Kind::input) finished_ = polled.finished;
    out_.lines.push_back(std::move(line));
    for (const TraceLine& effect : polled.effects) perform(effect.record);
    return true;
  }

  bool send_request(std::string& problem) {
    const Recorded& first = *exchanges_.front();
    const DialectId dialect = staging_.client.value_or(first.dialect);
    const std::string body = request_body(dialect, staging_.model, first.stream);
    TraceLine head =
        input_line(InputOp::request_arrived, request_head(dialect, staging_.model, first.stream), 0, 1);
    head.record.b = static_cast<std::uint32_t>(body.size());
    head.record.t = kWallMs;
    return tell(std::move(head), problem) && tell(input_line(InputOp::request_bytes, body), problem) &&
           tell(input_line(InputOp::request_ended), problem);
  }

  void perform(const abi::Record& effect) {
    switch (static_cast<EffectOp>(effect.op)) {
      case EffectOp::start_attempt:
        due_.clear();
        answer(effect.stream);
        break;
      case EffectOp::abort_attempt: due_.clear(); break;
      case EffectOp::timer: wake_ = effect.t; break;
      case EffectOp::attempt_body:
      case EffectOp::release_body:
      case EffectOp::send_head:
      case EffectOp::send_bytes:
      case EffectOp::send_end:
      case EffectOp::emit:
      case EffectOp::plan_line:
      case EffectOp::store_get:
      case EffectOp::store_put:
      case EffectOp::store_lease:
      case EffectOp::store_take:
      case EffectOp::wake: break;
    }
  }

  void answer(std::uint32_t stream) {
    if (next_ == exchanges_.size()) {
      constexpr auto kRefused = static_cast<std::uint32_t>(TransportFault::refused);
      due_.push_back(input_line(InputOp::attempt_broke, "no recorded exchange is left", stream, kRefused));
      return;
    }
    const Recorded& recorded = *exchanges_[next_++];
    due_.push_back(input_line(InputOp::head_arrived, recorded.headers, stream,
                              static_cast<std::uint32_t>(recorded.status)));
    std::string_view rest = recorded.body;
    for (std::size_t i = 0; !rest.empty(); ++i) {
      const std::string_view chunk = rest.substr(0, chunk_size(recorded, i));
      due_.push_back(input_line(InputOp::bytes_arrived, std::string(chunk), stream));
      rest.remove_prefix(chunk.size());
    }
    due_.push_back(input_line(InputOp::attempt_ended, {}, stream));
  }

  // Never 0 and never more than the boundary takes.
  std::size_t chunk_size(const Recorded& recorded, std::size_t index) const {
    std::size_t size = 0;
    if (staging_.chunk) {
      size = *staging_.chunk;
    } else if (index < recorded.chunks.size()) {
      size = recorded.chunks[index];
    }
    return size == 0 ? limits::kSliceBytes : std::min(size, limits::kSliceBytes);
  }

  const std::vector<const Recorded*>& exchanges_;
  const Staging& staging_;
  Trace& out_;
  Session session_;
  std::deque<TraceLine> due_;  // what the attempt under way will bring
  std::size_t next_ = 0;       // exchange
  double now_ = 0;
  double wake_ = INFINITY;
  bool finished_ = false;
};

}  // namespace

bool read_recorded(std::string_view text, RecordedUse use, RecordedFile& out, TraceFault& fault) {
  for (fault.line = 1; !text.empty(); ++fault.line) {
    const std::string_view row = trim(cut(text, '\n'));
    if (row.empty()) continue;
    const Json record = Json::parse(row, nullptr, false);
    if (!record.is_object() || !record.contains("response")) {
      fault.what = "the line is no recorded exchange {\"id\", \"provider\", \"api\", \"response\": {…}}";
      return false;
    }
    const std::string name = text_of(record, "api");
    const std::optional<DialectId> dialect =
        name == "invoke" ? dialect_of_invoked(text_of(record, "model")) : dialect_called(name);
    if (!dialect || (use == RecordedUse::play && (name == "invoke" || !is_played(*dialect)))) {
      ++out.skipped[name];
      continue;
    }
    Recorded recorded;
    recorded.id = text_of(record, "id");
    recorded.provider = text_of(record, "provider");
    recorded.dialect = *dialect;
    recorded.stream = record.value("stream", Json(false)) == true;
    if (!read_response(record["response"], recorded)) {
      fault.what = "\"response\" has no status, or a body that is not base64";
      return false;
    }
    out.exchanges.push_back(std::move(recorded));
  }
  return true;
}

bool stage(const std::vector<const Recorded*>& exchanges, const Staging& staging, Trace& out,
           std::string& problem) {
  out = {};
  out.verbatim = !staging.config.empty();
  out.config = out.verbatim ? staging.config : one_line_config(*exchanges.front());
  for (const Recorded* each : exchanges) out.source += (out.source.empty() ? "" : ",") + each->id;
  return Stage(exchanges, staging, out).run(problem);
}

}  // namespace shunt::native
