// `shunt normalize`: a provider's answer in canonical events, as one folded answer, or in another dialect.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/json_writer.h"
#include "canonical/http.h"
#include "catalog/providers.h"
#include "dialect/dialect.h"
#include "dialect/finish.h"
#include "native/answer_reader.h"
#include "native/commands.h"
#include "native/event_json.h"
#include "native/files.h"
#include "native/recorded.h"

namespace shunt::native {
namespace {

using dialect::Dialect;
using dialect::Folded;
using dialect::FoldedChoice;
using dialect::FoldedError;

// ---- one folded answer ----

void write_error(json::Writer& out, const std::vector<FoldedError>& errors) {
  if (errors.empty()) {
    out.null();
    return;
  }
  const FoldedError& error = errors.front();
  out.begin_object();
  const std::pair<const char*, const std::string*> texts[] = {
      {"type", &error.type}, {"code", &error.code}, {"message", &error.message}};
  for (const auto& [name, text] : texts) {
    if (!text->empty()) out.field(name, *text);
  }
  if (error.status != 0) out.field("status", std::int64_t{error.status});
  if (error.message.empty()) out.field("raw", error.raw);
  out.end_object();
}

void write_usage(json::Writer& out, const Folded& answer) {
  out.key("usage");
  if (answer.usage == Usage{}) {
    out.null();
    return;
  }
  out.begin_object();
  for (const UsageField& field : kUsageFields) {
    const std::optional<std::int64_t>& count = answer.usage.*field.count;
    if (field.count == &Usage::cache_write && !count) continue;
    out.key(field.name);
    count ? out.integer(*count) : out.null();
  }
  out.end_object();
}

void write_choice(json::Writer& out, const FoldedChoice& choice) {
  out.field("text", choice.text).field("reasoning", choice.reasoning_text()).field("refusal", choice.refusal);
  out.key("tool_calls").begin_array();
  for (const dialect::FoldedCall& call : choice.calls) {
    out.begin_object().field("id", call.id).field("name", call.name);
    out.field("arguments", call.arguments).end_object();
  }
  out.end_array().key("finish");
  const FinishReason reason = dialect::with_calls(choice.finish, !choice.calls.empty());
  choice.finished ? out.string(name_of(reason)) : out.null();
  out.key("finish_raw");
  choice.finish_raw.empty() ? out.null() : out.string(choice.finish_raw);
}

// What stood in lines that the framing's standard drops (llama.cpp's "error: {…}") is told apart: a reader
// that keeps to the standard never sees it.
void write_recovered(json::Writer& out, const Folded& recovered) {
  if (recovered.errors.empty()) return;
  out.key("recovered").begin_object().key("error");
  write_error(out, recovered.errors);
  out.end_object();
}

void write_folded(json::Writer& out, const Folded& answer, const Folded& recovered) {
  write_choice(out, answer.choices.empty() ? FoldedChoice() : answer.choices.front());
  write_usage(out, answer);
  out.key("error");
  write_error(out, answer.errors);
  write_recovered(out, recovered);
  if (answer.choices.size() < 2) return;
  out.key("choices").begin_array();
  for (std::size_t i = 1; i < answer.choices.size(); ++i) {
    out.begin_object().field("index", static_cast<std::int64_t>(i));
    write_choice(out, answer.choices[i]);
    out.end_object();
  }
  out.end_array();
}

// ---- another dialect ----

// Events -> what a client of that dialect is sent. Where the provider named nothing, the same names always.
class Translation {
 public:
  explicit Translation(const Dialect& to) : to_(to) {
    options_.id = "normalized";
    options_.model = "unknown";
    options_.include_usage = true;
  }

  void take(AnswerPlace place, const EventList& events) {
    if (place == AnswerPlace::whole) return folded_.add(events);
    if (!encoder_) encoder_ = to_.make_encoder(options_);
    for (const Event& each : events) {
      if (const auto* error = std::get_if<event::Error>(&each)) fail(error->message);
      if (!broken_) encoder_->encode(each, out_);
    }
  }

  std::string end(const AnswerReading& reading) {
    if (reading.streamed) {
      if (reading.truncated) fail("The provider's stream ended early.");
      if (encoder_ && !broken_) encoder_->end(out_);
    } else if (!folded_.errors.empty()) {
      to_.write_error(error_text(folded_.errors.front().message), out_);
    } else {
      to_.encode_answer(folded_, options_, out_);
    }
    return std::move(out_);
  }

 private:
  static dialect::ErrorText error_text(std::string_view message) {
    return {502, {}, "provider_error", message.empty() ? "The provider gave an error." : message, {}};
  }

  void fail(std::string_view message) {
    if (broken_) return;
    if (!encoder_) encoder_ = to_.make_encoder(options_);
    std::string body;
    to_.write_error(error_text(message), body);
    encoder_->broken(body, out_);
    broken_ = true;
  }

  const Dialect& to_;
  dialect::EncodeOptions options_;
  std::unique_ptr<dialect::StreamEncoder> encoder_;
  Folded folded_;
  bool broken_ = false;
  std::string out_;
};

// ---- bodies ----

struct Outcome {
  std::string text;  // dialect bytes, event lines, or the members of a folded answer's object
  bool faulty = false;
};

Outcome normalized(const AnswerSource& source, std::string_view body, const NormalizeOptions& options,
                   const Dialect* to) {
  Outcome outcome;
  if (to != nullptr) {
    Translation translation(*to);
    const auto visit = [&](AnswerPlace place, const EventList& events) { translation.take(place, events); };
    const AnswerReading reading = read_answer(source, body, visit);
    return {translation.end(reading), reading.faulty};
  }
  if (options.events) {
    const auto visit = [&](AnswerPlace, const EventList& events) {
      for (const Event& each : events) outcome.text += json_line(event_json(each));
    };
    outcome.faulty = read_answer(source, body, visit).faulty;
    return outcome;
  }
  Folded folded, recovered;
  const auto visit = [&](AnswerPlace place, const EventList& events) {
    for (const Event& each : events) {
      const bool apart = place == AnswerPlace::stray && std::holds_alternative<event::Error>(each);
      (apart ? recovered : folded).add(each);
    }
  };
  outcome.faulty = read_answer(source, body, visit).faulty;
  json::Writer out(outcome.text);
  out.begin_object();
  write_folded(out, folded, recovered);
  out.end_object();
  return outcome;
}

// What belongs to the exchange `id`, on one line: a folded answer's members, its events, or a body.
std::string exchange_line(const std::string& id, const Outcome& outcome, const NormalizeOptions& options) {
  std::string line;
  json::Writer out(line);
  out.begin_object().field("id", id);
  if (!options.to.empty()) {
    out.field("body", outcome.text).end_object();
    return json_line(line);
  }
  if (options.fold) {  // its object's members follow
    line += ',';
    line.append(outcome.text, 1);
    return json_line(line);
  }
  std::string events = outcome.text;
  if (!events.empty()) events.pop_back();
  std::replace(events.begin(), events.end(), '\n', ',');  // inside an event's line there is none
  out.key("events").raw("[" + events + "]").end_object();
  return json_line(line);
}

Quirks quirks_of(std::string_view provider) {
  const Preset* preset = find_preset(provider);
  return preset == nullptr ? 0 : preset->quirks;
}

int run_trace(const NormalizeOptions& options, const Dialect* to) {
  const auto text = read_input(options.trace);
  if (!text) return kUsage;
  RecordedFile file;
  TraceFault fault;
  if (!read_recorded(*text, RecordedUse::read, file, fault)) {
    note(fmt::format("{}:{}: {}", shown_name(options.trace), fault.line, fault.what));
    return kDifference;
  }
  int exit = kFine;
  for (const Recorded& recorded : file.exchanges) {
    const Dialect* from = dialect::find(recorded.dialect);
    if (from == nullptr) {
      ++file.skipped[std::string(name_of(recorded.dialect))];
      continue;
    }
    const HeaderBlock headers(recorded.headers);
    const AnswerSource source{from, quirks_of(recorded.provider), headers.get("content-type"), options.chunk};
    const Outcome outcome = normalized(source, recorded.body, options, to);
    print(exchange_line(recorded.id, outcome, options));
    if (outcome.faulty) exit = kDifference;
  }
  for (const auto& [api, count] : file.skipped) {
    note(fmt::format("normalize: {} exchanges of \"{}\" left out: nothing here reads them", count, api));
  }
  return exit;
}

int run_body(const NormalizeOptions& options, const Dialect* to) {
  const std::optional<DialectId> id = dialect_called(options.from);
  const Dialect* from = id ? dialect::find(*id) : nullptr;
  if (from == nullptr) {
    note("normalize: this build reads no dialect \"" + options.from + "\"");
    return kUsage;
  }
  const auto body = read_input(options.file);
  if (!body) return kUsage;
  if (!options.provider.empty() && find_preset(options.provider) == nullptr) {
    note("normalize: no provider here is called " + options.provider + ": read without its quirks");
  }
  const Outcome outcome =
      normalized({from, quirks_of(options.provider), {}, options.chunk}, *body, options, to);
  print(options.fold ? json_line(outcome.text) : outcome.text);
  return outcome.faulty ? kDifference : kFine;
}

}  // namespace

int run_normalize(const NormalizeOptions& options) {
  const Dialect* to = nullptr;
  if (!options.to.empty()) {
    const std::optional<DialectId> id = dialect_called(options.to);
    to = id ? dialect::find(*id) : nullptr;
    if (to == nullptr || to->make_encoder == nullptr) {
      note("normalize: this build writes no dialect \"" + options.to + "\"");
      return kUsage;
    }
  }
  if (to == nullptr && !options.events && !options.fold) {
    note("normalize: say what to print: --to DIALECT, --events or --fold");
    return kUsage;
  }
  return options.trace.empty() ? run_body(options, to) : run_trace(options, to);
}

}  // namespace shunt::native
