// The words for a verdict. What a row looks for is read from the tables themselves.
#include "native/verdict_words.h"

#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/strings.h"
#include "classify/reading.h"
#include "classify/redact.h"
#include "classify/rules.h"
#include "classify/sentence.h"

namespace shunt::native {
namespace {

using classify::Evidence;
using classify::Reading;
using classify::Rule;

struct Table {
  classify::Rules rows;
  std::string_view about;
};

struct Found {
  std::optional<Rule> rule;
  std::string_view about;
};

Found find_row(std::string_view name) {
  const Table tables[] = {
      {classify::fault_rules(), "how the transport broke"},
      {classify::provider_rules(), "words that only this provider's family uses so"},
      {classify::word_rules(), "words that mean the same from everyone"},
      {classify::sentence_rules(), "the sentence, under statuses that allow it"},
      {classify::status_rules(), "the status alone"},
  };
  for (Table table : tables) {
    while (const auto rule = table.rows.next()) {
      if (rule->name == name) return {rule, table.about};
    }
  }
  return {std::nullopt, "what an answer without an error lacks"};
}

// The alternatives of a list that are met; all of them when what met one stood elsewhere (in a header).
template <typename IsMet>
std::string those_met(std::string_view list, IsMet is_met) {
  std::vector<std::string> met, all;
  while (!list.empty()) {
    const std::string_view one = cut(list, '|');
    all.push_back(fmt::format("\"{}\"", one));
    if (is_met(one)) met.push_back(all.back());
  }
  return fmt::format("{}", fmt::join(met.empty() ? all : met, " or "));
}

// Which of the row's conditions hold here.
std::string reason_in_words(const Rule& rule, const Evidence& evidence, const Reading& reading) {
  const int status = reading.status != 0 && evidence.status < 300 ? reading.status : evidence.status;
  const std::string sentence =
      evidence.status == 0 ? to_lower(evidence.fault_text) : classify::matched_text(reading);
  const classify::Question question{rule.family, rule.provider, status, reading, sentence};
  const auto says = evidence.status == 0 ? classify::Begins::anywhere : classify::Begins::at_words;
  const auto holds = [&](auto member) {
    return [&question, says, member](std::string_view alternative) {
      Rule one;
      one.*member = alternative;
      return classify::matches(one, question, says);
    };
  };
  std::vector<std::string> parts;
  if (!rule.words.empty()) parts.push_back("the word " + those_met(rule.words, holds(&Rule::words)));
  if (!rule.says.empty()) parts.push_back("the text " + those_met(rule.says, holds(&Rule::says)));
  if (rule.at != classify::kAll) parts.push_back("a status that allows it");
  return fmt::format("{}", fmt::join(parts, ", "));
}

// What was there to be looked at, in the order of its weight.
std::string evidence_in_words(const Evidence& evidence, const Reading& reading) {
  std::vector<std::string> parts;
  const auto add = [&](std::string_view what, std::string_view value) {
    if (!value.empty()) parts.push_back(fmt::format("{} {}", what, classify::redacted(value)));
  };
  add("broken transport:", evidence.fault_text);
  if (evidence.status != 0) {
    parts.push_back(fmt::format("status {}", evidence.status));
    parts.push_back(fmt::format("body {}", name_of(reading.form)));
  }
  add("code", reading.code);
  add("type", reading.type);
  add("reason", reading.reason);
  add("state", reading.state);
  add("finish", reading.finish);
  add("quota", reading.quota);
  add("sentence:", reading.message);
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string seconds(Duration wait) {
  return wait.ms % 1000 == 0 ? fmt::format("{} s", wait.ms / 1000) : fmt::format("{} ms", wait.ms);
}

std::string line_in_words(const Verdict& verdict) {
  const auto& wait = verdict.retry_after;
  switch (verdict.penalty) {
    case Penalty::none: return "nothing: this does not count against it";
    case Penalty::cooldown:
      return wait ? fmt::format("rests for the {} that were asked for", seconds(*wait))
                  : "rests, a little longer each time, for no wait was stated";
    case Penalty::weak: return "counted in its window of calls, not as a failure in a row";
    case Penalty::normal: return "counted as a failure, in its window and in a row";
    case Penalty::long_:
      return wait ? fmt::format("out until the stated reset, in {}", seconds(*wait))
                  : "out for 10 minutes, doubling up to 6 hours";
  }
  return {};
}

std::string_view scope_in_words(Scope scope) {
  switch (scope) {
    case Scope::request: return "this request";
    case Scope::deployment: return "this line";
    case Scope::key: return "the key";
    case Scope::model: return "the model at this provider";
    case Scope::provider: return "the provider";
    case Scope::region: return "the provider's region";
    case Scope::own_host: return "our own host";
  }
  return {};
}

std::string_view exposure_in_words(Exposure exposure) {
  switch (exposure) {
    case Exposure::not_sent: return "was never sent";
    case Exposure::rejected: return "was turned down before work began";
    case Exposure::maybe_executed: return "may have been carried out";
    case Exposure::partially_delivered: return "was answered in part";
  }
  return {};
}

std::string again_in_words(const Verdict& verdict) {
  if (!verdict.retry_same) return "no";
  return verdict.retry_after ? fmt::format("yes, after {}", seconds(*verdict.retry_after)) : "yes";
}

}  // namespace

std::string in_words(const Verdict& verdict, const Evidence& evidence, classify::Medium medium) {
  std::string out(name_of(verdict.error_class));
  if (!verdict.sub.empty()) out += fmt::format(" ({})", verdict.sub);
  out += fmt::format(", says something about {}\n", scope_in_words(verdict.scope));
  const auto row = [&](std::string_view what, std::string_view text) {
    if (!text.empty()) out += fmt::format("  {:<16}{}\n", what, text);
  };
  const Reading reading = classify::read_body(evidence.body);
  const auto [rule, about] = find_row(verdict.rule);
  row("decided by", fmt::format("{}: {}", verdict.rule, about));
  row("because of", rule ? reason_in_words(*rule, evidence, reading) : "");
  row("there was", evidence_in_words(evidence, reading));
  row("the line", line_in_words(verdict));
  row("same again", again_in_words(verdict));
  row("another line", verdict.switch_provider ? "yes" : "no");
  row("the request", exposure_in_words(verdict.exposure));
  const auto user = classify::user_message(verdict, medium);
  const auto refunded = classify::refunded_user_message(verdict, medium);
  row("user reads", user.zh);
  row("", user.en);
  row("after a refund", refunded.zh);
  row("", refunded.en);
  row("log reads", classify::log_message(verdict));
  return out;
}

}  // namespace shunt::native
