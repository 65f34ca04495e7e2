// `shunt replay`: recorded traffic through the same core again, and whether it does the same.
#include <algorithm>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/json_writer.h"
#include "config/config.h"
#include "native/commands.h"
#include "native/decision.h"
#include "native/decisions.h"
#include "native/files.h"
#include "native/recorded.h"
#include "native/session.h"
#include "native/trace_file.h"

namespace shunt::native {
namespace {

using Kind = TraceLine::Kind;

// An effect's payload may be long; people see its beginning, machines all of it.
constexpr std::size_t kShownBytes = 200;

std::string text_of(const TraceLine& line) {
  std::string text;
  append_line(text, line);
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

// A trace and the file that messages about it name.
struct Source {
  std::string file;
  Trace trace;
};

// A file of decision records, each of which is made again from itself.
struct DecisionFile {
  std::string file;
  std::vector<Replanned> decisions;
};

// ---- playing ----

class Replay {
 public:
  explicit Replay(const ReplayOptions& options) : options_(options) {}

  void play(const Source& source) {
    file_ = source.file;
    name_ = source.trace.source.empty() ? "" : source.trace.source + ": ";
    line_ = source.trace.number;
    produced_.clear();
    verifying_ = options_.verify && source.trace.has_effects();
    if (options_.verify && !verifying_) fault("--verify: there are no effects to compare with");
    if (options_.as_trace) append_header(out_, source.trace);
    ++traces_;
    std::string problem;
    if (!session_.begin(source.trace, problem)) {
      fault(problem);
      return;
    }
    for (const TraceLine& line : source.trace.lines) {
      line_ = line.number;
      if (!(line.kind == Kind::effect ? compare(line) : perform(line))) break;
    }
    all_compared();
    print(std::exchange(out_, {}));
  }

  void show(const DecisionFile& source) {
    file_ = source.file;
    for (const Replanned& one : source.decisions) {
      line_ = one.number;
      ++replanned_;
      if (!one.fault.empty()) {
        fault(one.fault);
        continue;
      }
      print(options_.json ? json_line(as_json(one)) : as_text(one));
      for (const Difference& each : one.differences)
        differs("plan", {fmt::format("{}: {}", place(), each.path), each.wanted, each.got});
    }
  }

  // Decisions against those of --expect, in order.
  void expect(std::span<const std::string> wanted) {
    for (std::size_t i = 0; i < std::max(wanted.size(), decisions_.size()); ++i) {
      if (i >= decisions_.size() || i >= wanted.size()) {
        differs("decision",
                {fmt::format("decision {}", i + 1), i < wanted.size() ? in_words(wanted[i]) : "none",
                 i < decisions_.size() ? in_words(decisions_[i]) : "none"});
      } else if (auto difference = native::difference(wanted[i], decisions_[i])) {
        difference->path = fmt::format("decision {}: {}", i + 1, difference->path);
        differs("decision", *difference);
      }
    }
  }

  void summary() {
    if (raw()) return;
    std::map<std::string, std::int64_t> results;
    std::int64_t attempts = 0;
    for (const std::string& record : decisions_) {
      const Ending ending = ending_of(record);
      ++results[ending.result];
      attempts += static_cast<std::int64_t>(ending.attempts);
    }
    std::string line;
    if (options_.json) {
      json::Writer out(line);
      out.begin_object().field("summary", "shunt-replay/1").field("traces", traces_);
      out.field("decisions", static_cast<std::int64_t>(decisions_.size())).field("attempts", attempts);
      out.key("results").begin_object();
      for (const auto& [result, count] : results) out.field(result, count);
      out.end_object()
          .field("effects", effects_)
          .field("compared", compared_)
          .field("differences", differences_);
      out.field("replanned", replanned_).field("faults", faults_).end_object();
    } else {
      line = fmt::format("traces: {}, decisions: {}, attempts: {}", traces_, decisions_.size(), attempts);
      for (const auto& [result, count] : results) line += fmt::format(", {}: {}", result, count);
      if (replanned_ > 0) line += fmt::format("; planned again: {}", replanned_);
      if (options_.verify) line += fmt::format("; effects compared: {}", compared_);
      line += fmt::format("; differences: {}", differences_);
    }
    print(line + "\n");
  }

  bool fine() const { return differences_ == 0 && faults_ == 0; }

 private:
  // Standard output is a log for other programs: nothing else may stand in it.
  bool raw() const { return options_.effects || options_.as_trace; }

  bool perform(const TraceLine& line) {
    if (!all_compared()) return false;
    Polled polled;
    std::string problem;
    if (!session_.step(line, polled, problem)) {
      fault(problem);
      return false;
    }
    if (options_.as_trace) append_line(out_, line);
    effects_ += static_cast<std::int64_t>(polled.effects.size());
    for (const TraceLine& effect : polled.effects) {
      if (options_.effects) append_line(out_, effect);
      const bool emitted = static_cast<abi::EffectOp>(effect.record.op) == abi::EffectOp::emit;
      if (emitted && effect.record.a == 0) decide(effect.payload);
    }
    if (verifying_) produced_ = std::move(polled.effects);
    next_ = 0;
    return true;
  }

  void decide(const std::string& record) {
    decisions_.push_back(record);
    if (!raw()) out_ += options_.json ? json_line(record) : name_ + in_words(record) + "\n";
  }

  // False at the first difference of a trace: what follows it would differ for that reason.
  bool compare(const TraceLine& recorded) {
    if (!verifying_) return true;
    const std::string wanted = text_of(recorded);
    const std::string got = next_ < produced_.size() ? text_of(produced_[next_]) : "no effect";
    ++next_;
    ++compared_;
    if (wanted == got) return true;
    produced_.clear();
    differs("effect", {place(), wanted, got});
    return false;
  }
  bool all_compared() {
    if (!verifying_ || next_ >= produced_.size()) return true;
    differs("effect", {place(), "no effect", text_of(produced_[next_])});
    produced_.clear();
    return false;
  }

  std::string as_json(const Replanned& one) const {
    std::string line;
    json::Writer out(line);
    out.begin_object().field("replanned", one.id).field("route", one.route).field("at", place());
    out.flag("same", one.same()).key("plan");
    one.planned ? out.string(one.verdict) : out.null();
    out.key("order").begin_array();
    for (const std::string& id : one.order) out.string(id);
    out.end_array().key("kept");
    one.kept ? out.string(*one.kept) : out.null();
    out.end_object();
    return line;
  }

  std::string as_text(const Replanned& one) const {
    std::string line = fmt::format("{} {}: ", one.id, one.route);
    if (!one.planned) return line + "no plan was made\n";
    line += one.same() ? "the same plan, " : "another plan, ";
    line += one.verdict;
    for (std::size_t i = 0; i < one.order.size(); ++i) line += (i == 0 ? ": " : ", then ") + one.order[i];
    if (one.kept) line += " (kept)";
    return line + "\n";
  }

  std::string place() const { return line_ == 0 ? file_ : fmt::format("{}:{}", file_, line_); }

  void fault(const std::string& what) {
    ++faults_;
    note(fmt::format("replay: {}: {}", place(), what));
  }

  void differs(std::string_view what, const Difference& difference) {
    ++differences_;
    print(std::exchange(out_, {}));
    if (options_.json && !raw()) {
      std::string line;
      json::Writer(line)
          .begin_object()
          .field("difference", what)
          .field("at", difference.path)
          .field("wanted", difference.wanted)
          .field("got", difference.got)
          .end_object();
      print(json_line(line));
      return;
    }
    const auto shown = [](const std::string& text) {
      return text.size() <= kShownBytes ? text : text.substr(0, kShownBytes) + "…";
    };
    const std::string line = fmt::format("{}: wanted {}\n  got {}", difference.path, shown(difference.wanted),
                                         shown(difference.got));
    raw() ? note(line) : print(line + "\n");
  }

  const ReplayOptions& options_;
  Session session_;
  std::string out_;
  std::string file_;
  std::string name_;  // what a decision is shown under: where the trace came from
  std::size_t line_ = 0;
  bool verifying_ = false;
  std::vector<TraceLine> produced_;  // effects of the last input, when verifying
  std::size_t next_ = 0;             // of them to compare
  std::vector<std::string> decisions_;
  std::int64_t traces_ = 0;
  std::int64_t replanned_ = 0;
  std::int64_t effects_ = 0;
  std::int64_t compared_ = 0;
  std::int64_t differences_ = 0;
  std::int64_t faults_ = 0;
};

// ---- loading ----

// What the files hold, as traces. Fails with a message and the exit code.
class Loader {
 public:
  Loader(const ReplayOptions& options, Staging staging) : options_(options), staging_(std::move(staging)) {}

  int load() {
    for (const std::string& file : files()) {
      if (const int code = load(file); code != kFine) return code;
    }
    return options_.chain.empty() ? kFine : stage_chain();
  }
  const std::vector<Source>& sources() const { return sources_; }
  const std::vector<DecisionFile>& decisions() const { return decisions_; }

 private:
  std::vector<std::string> files() const {
    return options_.files.empty() ? std::vector<std::string>{"-"} : options_.files;
  }

  int load(const std::string& file) {
    const auto text = read_input(file);
    if (!text) return kUsage;
    const std::string shown = shown_name(file);
    TraceFault fault;
    if (is_trace(*text)) {
      std::vector<Trace> traces;
      if (!read_traces(*text, traces, fault)) return fail(shown, fault);
      for (Trace& trace : traces) {
        if (!staging_.config.empty()) {
          trace.config = staging_.config;
          trace.verbatim = true;
        }
        sources_.push_back({shown, std::move(trace)});
      }
      return kFine;
    }
    if (holds_decisions(*text)) return load_decisions(shown, *text);
    RecordedFile recorded;
    if (!read_recorded(*text, RecordedUse::play, recorded, fault)) return fail(shown, fault);
    for (const auto& [api, count] : recorded.skipped) {
      note(fmt::format("replay: {}: {} exchanges of \"{}\" skipped: this build does not play that API", shown,
                       count, api));
    }
    if (options_.chain.empty()) return stage_each(shown, recorded);
    for (Recorded& each : recorded.exchanges) pool_.push_back(std::move(each));
    return kFine;
  }

  int load_decisions(const std::string& shown, const std::string& text) {
    const bool alone = !options_.effects && !options_.as_trace && !options_.verify && options_.to.empty() &&
                       options_.config.empty() && options_.chain.empty() && options_.expect.empty();
    if (!alone) {
      note(fmt::format(
          "replay: {}: decision records are made again from themselves: only --json goes with them", shown));
      return kUsage;
    }
    decisions_.push_back({shown, replan(text)});
    return kFine;
  }

  int fail(const std::string& shown, const TraceFault& fault) {
    note(fmt::format("replay: {}:{}: {}", shown, fault.line, fault.what));
    return kDifference;
  }

  int stage_each(const std::string& shown, const RecordedFile& recorded) {
    for (const Recorded& each : recorded.exchanges) {
      if (const int code = stage_one(shown, {&each}); code != kFine) return code;
    }
    return kFine;
  }

  int stage_chain() {
    std::vector<const Recorded*> links;
    for (const std::string& id : options_.chain) {
      const auto found =
          std::find_if(pool_.begin(), pool_.end(), [&](const Recorded& each) { return each.id == id; });
      if (found == pool_.end()) {
        note(fmt::format("replay: --chain: no exchange \"{}\" in these files", id));
        return kUsage;
      }
      links.push_back(&*found);
    }
    return stage_one("chain", links);
  }

  int stage_one(const std::string& shown, const std::vector<const Recorded*>& exchanges) {
    Source source{shown, {}};
    std::string problem;
    if (!stage(exchanges, staging_, source.trace, problem)) {
      note(fmt::format("replay: {}: {}: {}", shown, exchanges.front()->id, problem));
      return kDifference;
    }
    source.file += ": " + source.trace.source;
    sources_.push_back(std::move(source));
    return kFine;
  }

  const ReplayOptions& options_;
  Staging staging_;
  std::vector<Source> sources_;
  std::vector<DecisionFile> decisions_;
  std::vector<Recorded> pool_;  // of all files, for the chain
};

// ---- options ----

// The client asks for the first route, unless it was told what to ask for.
int stage_config(const ReplayOptions& options, Staging& staging) {
  auto text = read_input(options.config);
  if (!text) return kUsage;
  config::Loaded loaded;
  std::vector<config::Fault> faults;
  if (!config::load(*text, loaded, faults)) {
    for (const config::Fault& fault : faults) note(options.config + ": " + config::describe(fault));
    return kDifference;
  }
  staging.config = std::move(*text);
  if (loaded.catalog.routes.empty()) return kFine;
  const std::string& route = loaded.catalog.routes.front().name;
  staging.model = is_pattern(route) ? route.substr(0, route.size() - 1) + "recorded" : route;
  return kFine;
}

int read_staging(const ReplayOptions& options, Staging& staging) {
  if (!options.chain.empty() && options.config.empty()) {
    note("replay: --chain needs --config: the configuration says which lines the attempts go to");
    return kUsage;
  }
  if (!options.config.empty()) {
    if (const int code = stage_config(options, staging); code != kFine) return code;
  }
  if (!options.model.empty()) staging.model = options.model;
  staging.chunk = options.chunk;
  if (!options.to.empty()) staging.client = dialect_named(options.to);
  return kFine;
}

}  // namespace

int run_replay(const ReplayOptions& options) {
  Staging staging;
  if (const int code = read_staging(options, staging); code != kFine) return code;
  std::vector<std::string> wanted;
  if (!options.expect.empty()) {
    const auto text = read_input(options.expect);
    if (!text) return kUsage;
    std::size_t line = 0;
    auto records = read_decisions(*text, line);
    if (!records) {
      note(fmt::format("replay: {}:{}: the line is no decision record", options.expect, line));
      return kDifference;
    }
    wanted = std::move(*records);
  }
  Loader loader(options, std::move(staging));
  if (const int code = loader.load(); code != kFine) return code;

  Replay replay(options);
  for (const Source& source : loader.sources()) replay.play(source);
  for (const DecisionFile& source : loader.decisions()) replay.show(source);
  if (!options.expect.empty()) replay.expect(wanted);
  replay.summary();
  return replay.fine() ? kFine : kDifference;
}

}  // namespace shunt::native
