// The `shunt` command: what may be said on the command line, in plain words. What each command does is in a
// file of its name.
#include <CLI/CLI.hpp>

#include "native/commands.h"

namespace {

using namespace shunt::native;

constexpr char kAbout[] =
    "Shunt: a gateway core for LLM APIs, on the command line.\n"
    "Every command reads files or standard input and never a clock.\n"
    "Exit code: 0 fine, 1 a difference or a fault in the input, 2 wrong usage.";

constexpr char kReplay[] =
    "Run recorded traffic through the same core again and print its decisions.\n"
    "A FILE is a shunt-trace/1, or provider exchanges one a line; each of those is played alone,\n"
    "as the one attempt of a one-line route, on a virtual clock. A FILE of decision records (as --json\n"
    "prints them) is planned again from what each record holds; exit code 1 when a plan differs.";

constexpr char kClassify[] =
    "Say what a provider's failure is, which row of the rules decided and why, what happens to the\n"
    "line, and what users are told.";

constexpr char kExplain[] =
    "Say of every candidate for a request whether it is in or out, and why. Exit code 1 when nobody\n"
    "would be called.";

constexpr char kNormalize[] =
    "Read a provider's answer, streamed or plain, and print it in one form for all providers.\n"
    "Exit code 1 when something in it could not be read.";

constexpr char kFold[] =
    "print the whole answer as one object: {text, reasoning, refusal, tool_calls, finish, finish_raw, usage, "
    "error}; further choices under choices";
constexpr char kRepairJson[] =
    "Print the JSON that a model meant: broken, fenced or in prose. Exit code 1 when nothing could be saved.";

constexpr char kPartial[] =
    "the text is the beginning of a JSON text: print what is settled. Strings may be cut; a number is\n"
    "left out until what follows ends it; true, false and null are known by their first letter; a key\n"
    "counts when its value has begun. Text that begins no JSON text saves nothing";

constexpr char kClassifyRows[] =
    "JSON Lines: {id, provider, status, headers, body, network_error}; - is standard input";

// Digits only: the parser itself would take "-1" for a very large number.
CLI::Validator digits() {
  return CLI::Validator(
      [](std::string& text) {
        return text.find_first_not_of("0123456789") == std::string::npos ? std::string()
                                                                         : text + " is no count";
      },
      "");
}

void add_frames(CLI::App& app, FramesOptions& options) {
  CLI::App* command =
      app.add_subcommand("frames",
                         "Cut a stream of bytes into its frames, one a line. Exit code 1 when it "
                         "is damaged.");
  command->add_option("FILE", options.file, "the stream's bytes; standard input when left out");
  command
      ->add_option(
          "--format", options.format,
          "sse; aws: application/vnd.amazon.eventstream; ndjson: a value a line; json: values or one "
          "array's elements")
      ->check(CLI::IsMember({"sse", "aws", "ndjson", "json"}))
      ->capture_default_str();
  command
      ->add_option("--profile", options.profile,
                   "whatwg: the standard; llm: also comments, stray lines and what the end cut off")
      ->check(CLI::IsMember({"whatwg", "llm"}))
      ->capture_default_str();
  command->add_option("--chunk", options.chunk, "hand the bytes in by chunks of N; 0 = whole")
      ->check(digits())
      ->type_name("N")
      ->capture_default_str();
  command->add_flag(
      "--json", options.json,
      "JSON Lines: {event, data, id, retry}; aws: {headers, payload_base64, error}; ndjson, json: "
      "{data, error}");
}

void add_normalize(CLI::App& app, NormalizeOptions& options) {
  CLI::App* command = app.add_subcommand("normalize", kNormalize);
  CLI::Option* file =
      command->add_option("FILE", options.file, "the answer's body; standard input when left out");
  CLI::Option* from =
      command->add_option("--from", options.from, "the dialect it is in")->type_name("DIALECT");
  CLI::Option* provider =
      command->add_option("--provider", options.provider, "who sent it: a preset's name or an alias")
          ->type_name("NAME");
  CLI::Option* trace = command
                           ->add_option("--trace", options.trace,
                                        "recorded exchanges, one a line: a result for each, with its id")
                           ->type_name("FILE");
  trace->excludes(file)->excludes(from)->excludes(provider);
  command->add_option("--chunk", options.chunk, "hand the bytes in by chunks of N; 0 = whole")
      ->check(digits())
      ->type_name("N")
      ->capture_default_str();
  CLI::Option* to = command->add_option("--to", options.to, "print it in this dialect")->type_name("DIALECT");
  CLI::Option* events =
      command->add_flag("--events", options.events, "print canonical events, one JSON object a line");
  CLI::Option* fold = command->add_flag("--fold", options.fold, kFold);
  to->excludes(events)->excludes(fold);
  events->excludes(fold);
  command->add_flag("--json")->description("changes nothing: events and folded answers are JSON Lines");
}

void add_check(CLI::App& app, CheckOptions& options) {
  CLI::App* command = app.add_subcommand(
      "check", "Say what is wrong with a configuration, and where. Exit code 1 when it has faults.");
  command->add_option("FILE", options.file, "the configuration (shunt.json); standard input when left out");
  command->add_flag(
      "--json", options.json,
      "JSON Lines: {path, line, column, found, allowed, suggestion}; warnings add \"warning\": true");
}

void add_replay(CLI::App& app, ReplayOptions& options) {
  CLI::App* command = app.add_subcommand("replay", kReplay);
  command->add_option("FILE", options.files,
                      "traces, recorded exchanges or decision records; standard input when left out");
  command->add_option("--config", options.config, "decide by this configuration instead")->type_name("FILE");
  command
      ->add_option("--chain", options.chain,
                   "play these exchanges as consecutive attempts of one request; needs --config")
      ->delimiter(',')
      ->type_name("ID,ID")
      ->allow_extra_args(false);
  command
      ->add_option("--model", options.model,
                   "what the client asks for under --config; its first route when left out")
      ->type_name("NAME");
  command->add_option("--to", options.to, "the client speaks this dialect, not the recorded one")
      ->check(CLI::IsMember({"openai_chat", "openai_responses", "anthropic_messages", "gemini_generate"}))
      ->type_name("DIALECT");
  command
      ->add_option("--chunk", options.chunk,
                   "cut recorded bodies into chunks of N bytes; 0 = whole; as recorded when left out")
      ->check(digits())
      ->type_name("N");
  command->add_flag("--verify", options.verify, "compare with the effects that the trace holds");
  command
      ->add_option("--expect", options.expect,
                   "compare with these decisions, as --json printed them; times do not count")
      ->type_name("FILE");
  command->add_flag("--effects", options.effects, "print the effect log instead, one JSON object an effect");
  command->add_flag("--as-trace", options.as_trace,
                    "print the shunt-trace/1 that is played; with --effects, the effects in their places");
  command->add_flag("--json", options.json, "JSON Lines: decision records, differences, a summary");
}

void add_classify(CLI::App& app, ClassifyOptions& options) {
  CLI::App* command = app.add_subcommand("classify", kClassify);
  std::vector<CLI::Option*> one = {
      command->add_option("--provider", options.provider, "who answered: a preset's name or an alias")
          ->type_name("NAME"),
      command->add_option("--status", options.status, "the HTTP status")
          ->check(CLI::Range(100, 999))
          ->type_name("N"),
      command->add_option("--header", options.headers, "one header of the reply; may be repeated")
          ->type_name("NAME:VALUE")
          ->allow_extra_args(false),
      command->add_option("--body", options.body, "the reply's body, as it came; - is standard input")
          ->type_name("FILE"),
      command
          ->add_option("--network", options.network, "how the connection broke, in the runtime's own words")
          ->type_name("TEXT"),
  };
  CLI::Option* batch = command->add_option("--batch", options.batch, kClassifyRows)->type_name("FILE");
  for (CLI::Option* option : one) batch->excludes(option);
  command
      ->add_option("--medium", options.medium,
                   "what was asked for, which the user's texts name; by the provider when left out")
      ->check(CLI::IsMember({"text", "image", "video", "audio"}))
      ->type_name("MEDIUM");
  command->add_option("--repeat", options.repeat, "judge each N times, to measure")
      ->check(digits())
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--json", options.json, "JSON Lines: class, sub, scope, advice, texts, the deciding row");
}

void add_explain(CLI::App& app, ExplainOptions& options) {
  CLI::App* command = app.add_subcommand("explain", kExplain);
  command->add_option("--config", options.config, "the configuration (shunt.json)")->type_name("FILE");
  command->add_option("--request", options.request, "the request's body; - is standard input")
      ->type_name("FILE");
  command
      ->add_option("--snapshot", options.snapshot,
                   "health as an engine kept it, as bytes or in base64; every line is well when left out")
      ->type_name("FILE");
  command->add_option("--path", options.path, "where the request is sent")->capture_default_str();
  command->add_option("--header", options.headers, "one header of the request; may be repeated")
      ->type_name("NAME:VALUE")
      ->allow_extra_args(false);
  command->add_option("--seed", options.seed, "of the draws among equal lines")
      ->check(digits())
      ->type_name("N")
      ->capture_default_str();
  command->add_flag("--json", options.json,
                    "JSON Lines, one a candidate: {id, in, place, state, cause, reason, left_ms, ...}");
}

void add_repair_json(CLI::App& app, RepairJsonOptions& options) {
  CLI::App* command = app.add_subcommand("repair-json", kRepairJson);
  command->add_option("FILE", options.file, "the text; standard input when left out");
  command->add_flag("--partial", options.partial, kPartial);
  command->add_flag(
      "--latex", options.latex,
      "read \"\\frac\", \"\\theta\", … as LaTeX commands, not as JSON's escapes for control characters");
  command
      ->add_option("--schema", options.schema,
                   "mend keys that are within two edits of a property of this JSON schema")
      ->type_name("FILE");
}

}  // namespace

int main(int argc, char** argv) {
  FramesOptions frames;
  NormalizeOptions normalize;
  CheckOptions check;
  ReplayOptions replay;
  ClassifyOptions classify;
  ExplainOptions explain;
  RepairJsonOptions repair_json;
  CLI::App app(kAbout, "shunt");
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "what every command takes");
  add_frames(app, frames);
  add_normalize(app, normalize);
  add_check(app, check);
  add_replay(app, replay);
  add_classify(app, classify);
  add_explain(app, explain);
  add_repair_json(app, repair_json);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kFine : kUsage;
  }
  if (app.got_subcommand("frames")) return run_frames(frames);
  if (app.got_subcommand("normalize")) return run_normalize(normalize);
  if (app.got_subcommand("check")) return run_check(check);
  if (app.got_subcommand("classify")) return run_classify(classify);
  if (app.got_subcommand("explain")) return run_explain(explain);
  if (app.got_subcommand("repair-json")) return run_repair_json(repair_json);
  return run_replay(replay);
}
