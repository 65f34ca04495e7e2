// `shunt classify`: what a provider's failure is, of one reply or of a file of them.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_writer.h"
#include "base/limits.h"
#include "base/strings.h"
#include "catalog/providers.h"
#include "classify/classify.h"
#include "classify/rules.h"
#include "classify/verdict_json.h"
#include "native/commands.h"
#include "native/files.h"
#include "native/verdict_words.h"

namespace shunt::native {
namespace {

using Json = nlohmann::json;
using classify::Evidence;
using classify::Medium;

// One failure, owned. A broken transport is told in its runtime's own words only: the rules read those.
struct Failure {
  std::optional<std::string> id;
  std::string provider;
  int status = 0;
  std::string headers;  // lines
  std::string body;
  std::optional<std::string> network;

  Evidence evidence() const {
    Evidence out;
    out.fault = network ? TransportFault::other : TransportFault::none;
    if (network) out.fault_text = *network;
    out.status = status;
    out.headers = HeaderBlock(headers);
    out.body = body;
    out.body_cut = body.size() > limits::kErrorBodyBytes;
    out.provider = provider;
    if (const Preset* preset = find_preset(provider)) out.dialect = preset->dialect;
    return out;
  }
};

// A header is one line; what would break it is not part of its value.
void add_header(std::string& lines, std::string_view name, std::string_view value) {
  std::string line = to_lower(name) + ": " + std::string(value);
  std::replace_if(line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  lines += line + '\n';
}

bool known(std::string_view provider) {
  return provider.empty() || find_preset(provider) != nullptr ||
         classify::family_of(provider, classify::Envelope::common) != classify::Family::any ||
         classify::medium_of(provider) != Medium::text;
}

class Judge {
 public:
  explicit Judge(const ClassifyOptions& options) : options_(options) {}

  void judge(const Failure& failure) {
    const Evidence evidence = failure.evidence();
    const Medium medium =
        classify::medium_named(options_.medium).value_or(classify::medium_of(failure.provider));
    Verdict verdict;
    for (std::size_t i = 0; i < std::max<std::size_t>(options_.repeat, 1); ++i) {
      verdict = classify::classify(evidence, book_);
    }
    print(options_.json ? as_json(failure, verdict, medium) : as_text(failure, verdict, evidence, medium));
    if (!known(failure.provider)) strangers_.insert(failure.provider);
  }

  // Says once whom it did not know.
  void close() const {
    if (strangers_.empty()) return;
    note(fmt::format("classify: judged by the general rules, for no provider here is called {}",
                     fmt::join(strangers_, ", ")));
  }

 private:
  static std::string as_json(const Failure& failure, const Verdict& verdict, Medium medium) {
    std::string line;
    json::Writer out(line);
    out.begin_object();
    if (failure.id) out.field("id", *failure.id);
    classify::write_verdict(out, verdict, medium);
    out.end_object();
    return json_line(line);
  }

  static std::string as_text(const Failure& failure, const Verdict& verdict, const Evidence& evidence,
                             Medium medium) {
    return (failure.id ? *failure.id + ": " : "") + in_words(verdict, evidence, medium);
  }

  const ClassifyOptions& options_;
  const classify::RuleBook book_;
  std::set<std::string> strangers_;
};

// ---- rows ----

// None when it is there and no text. A row may leave out what it does not have.
std::optional<std::string> text_of(const Json& row, const char* key) {
  const auto found = row.find(key);
  if (found == row.end() || found->is_null()) return std::string();
  if (!found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

bool has(const Json& row, const char* key) {
  const auto found = row.find(key);
  return found != row.end() && !found->is_null();
}

bool read_headers(const Json& row, std::string& lines) {
  if (!has(row, "headers")) return true;
  if (!row["headers"].is_object()) return false;
  for (const auto& [name, value] : row["headers"].items()) {
    if (!value.is_string()) return false;
    add_header(lines, name, value.get<std::string>());
  }
  return true;
}

// Empty when `text` is a row; else what is wrong with it.
std::string read_row(std::string_view text, Failure& out) {
  const Json row = Json::parse(text, nullptr, false);
  if (!row.is_object()) return "a row is one JSON object in UTF-8";
  const std::pair<const char*, std::string*> texts[] = {{"provider", &out.provider}, {"body", &out.body}};
  for (const auto& [key, into] : texts) {
    auto value = text_of(row, key);
    if (!value) return fmt::format("\"{}\" must be a string or null", key);
    *into = std::move(*value);
  }
  if (!has(row, "id") || !row["id"].is_string()) return "\"id\" must be a string";
  out.id = row["id"].get<std::string>();
  if (!read_headers(row, out.headers)) return "\"headers\" must be an object of strings";
  if (has(row, "network_error")) {
    out.network = text_of(row, "network_error");
    if (!out.network) return "\"network_error\" must be a string or null";
  }
  if (has(row, "status")) {
    const Json& status = row["status"];
    if (!status.is_number_integer() || status < 100 || status > 999)
      return "\"status\" must be an HTTP status or null";
    out.status = status.get<int>();
  }
  return out.status == 0 && !out.network ? "a row needs a status or a network_error" : "";
}

int run_batch(const ClassifyOptions& options) {
  const auto text = read_input(options.batch);
  if (!text) return kUsage;
  Judge judge(options);
  int exit = kFine;
  std::size_t line = 1;
  for (std::string_view rest = *text; !rest.empty(); ++line) {
    const std::string_view row = trim(cut(rest, '\n'));
    if (row.empty()) continue;
    Failure failure;
    const std::string fault = read_row(row, failure);
    if (fault.empty()) {
      judge.judge(failure);
    } else {
      note(fmt::format("{}:{}: {}", shown_name(options.batch), line, fault));
      exit = kDifference;
    }
  }
  judge.close();
  return exit;
}

// ---- one failure, by options ----

int run_one(const ClassifyOptions& options) {
  Failure failure;
  failure.provider = options.provider;
  failure.status = options.status;
  failure.network = options.network;
  if (failure.status == 0 && !failure.network) {
    note("classify: say --status, or --network with the runtime's words when no reply came; or --batch FILE");
    return kUsage;
  }
  for (std::string_view header : options.headers) {
    const std::string_view name = trim(cut(header, ':'));
    if (name.empty() || header.data() == nullptr) {
      note("classify: a header is NAME:VALUE");
      return kUsage;
    }
    add_header(failure.headers, name, trim(header));
  }
  if (options.body) {
    auto body = read_input(*options.body);
    if (!body) return kUsage;
    failure.body = std::move(*body);
  }
  Judge judge(options);
  judge.judge(failure);
  judge.close();
  return kFine;
}

}  // namespace

int run_classify(const ClassifyOptions& options) {
  return options.batch.empty() ? run_one(options) : run_batch(options);
}

}  // namespace shunt::native
