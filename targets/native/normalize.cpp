// `shunt normalize`: a provider's answer in canonical events, as one folded answer, or in another dialect.
#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/json_writer.h"
#include "canonical/http.h"
#include "catalog/providers.h"
#include "dialect/answer_reader.h"
#include "dialect/dialect.h"
#include "dialect/finish.h"
#include "dialect/normalizer.h"
#include "native/commands.h"
#include "native/dialect_names.h"
#include "native/event_json.h"
#include "native/files.h"
#include "native/recorded.h"

namespace shunt::native {
namespace {

using dialect::AnswerReader;
using dialect::Dialect;
using dialect::Folded;
using dialect::FoldedChoice;
using dialect::FoldedError;
using Place = AnswerReader::Place;

constexpr std::size_t kNoLimit = ~std::size_t{0};  // the body is in memory already

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

// ---- bodies ----

struct AnswerSource {
  const Dialect* dialect = nullptr;
  Quirks quirks = 0;
  std::string_view content_type{};  // empty = not known
  std::size_t chunk = 0;            // bytes handed in at once; 0 = whole
};

struct Outcome {
  std::string text;  // dialect bytes, event lines, or the members of a folded answer's object
  bool faulty = false;
};

// Calls feed(piece) for each piece of the body.
template <typename Feed>
void in_chunks(std::string_view body, std::size_t size, Feed feed) {
  const std::size_t chunk = size == 0 ? std::max<std::size_t>(body.size(), 1) : size;
  for (std::size_t at = 0; at < body.size(); at += chunk) feed(body.substr(at, chunk));
}

// Calls visit(place, events) for each frame, or once for a whole answer; true = something in it could not be
// read.
template <typename Visit>
bool read_answer(const AnswerSource& source, std::string_view body, Visit visit) {
  AnswerReader reader(*source.dialect, source.quirks, source.content_type, kNoLimit);
  const auto drain = [&] {
    while (reader.step()) visit(reader.place(), reader.events());
  };
  in_chunks(body, source.chunk, [&](std::string_view piece) {
    reader.feed(piece);
    drain();
  });
  reader.finish();
  drain();
  return reader.faulty();
}

Outcome translated(const AnswerSource& source, std::string_view body, const Dialect& to) {
  dialect::EncodeOptions options;  // where the provider named nothing, the same names always
  options.id = "normalized";
  options.model = "unknown";
  options.include_usage = true;
  dialect::Normalizer normalizer({source.dialect, source.quirks, source.content_type}, to, options);
  Outcome outcome;
  in_chunks(body, source.chunk, [&](std::string_view piece) { normalizer.feed(piece, outcome.text); });
  normalizer.end(outcome.text);
  outcome.faulty = normalizer.faulty();
  return outcome;
}

Outcome normalized(const AnswerSource& source, std::string_view body, const NormalizeOptions& options,
                   const Dialect* to) {
  if (to != nullptr) return translated(source, body, *to);
  Outcome outcome;
  if (options.events) {
    outcome.faulty = read_answer(source, body, [&](Place, const EventList& events) {
      for (const Event& each : events) outcome.text += json_line(event_json(each));
    });
    return outcome;
  }
  Folded folded, recovered;
  outcome.faulty = read_answer(source, body, [&](Place place, const EventList& events) {
    for (const Event& each : events) {
      const bool apart = place == Place::stray && std::holds_alternative<event::Error>(each);
      (apart ? recovered : folded).add(each);
    }
  });
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
