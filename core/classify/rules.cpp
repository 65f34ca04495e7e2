// How rows match, who belongs to which family, and what a class means when its row says no more.
#include "classify/rules.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "base/packed_texts.h"
#include "base/strings.h"
#include "classify/rule_pack.h"

namespace shunt::classify {
namespace {

// Parts of preset names, found anywhere in them without case; more telling ones first ("openrouter" holds no
// "openai").
struct Names {
  Family family;
  std::string_view parts;
};
constexpr Names kNames[] = {
    {Family::openrouter, "openrouter"},
    {Family::openai, "openai|azure"},
    {Family::anthropic, "anthropic|claude"},
    {Family::google, "gemini|vertex|google"},
    {Family::bedrock, "bedrock"},
    {Family::xai, "xai|grok"},
    {Family::workers_ai, "workers-ai|workers_ai"},
    {Family::bailian, "bailian"},
    {Family::dashscope, "dashscope|qwen"},
    {Family::zhipu, "zhipu|bigmodel|glm|z.ai"},
    {Family::minimax, "minimax"},
    {Family::baidu, "baidu|qianfan|ernie"},
    {Family::tencent, "tencent|hunyuan"},
    {Family::iflytek, "iflytek|spark"},
    {Family::volcengine, "volc|doubao"},
    {Family::siliconflow, "siliconflow"},
    {Family::moonshot, "moonshot|kimi"},
    {Family::kling, "kling"},
    {Family::vidu, "vidu"},
    {Family::midjourney, "midjourney"},
    {Family::coze, "coze"},
    {Family::iflow, "iflow"},
    {Family::relay, "one-api|one_api|new-api|new_api|relay"},
};

// Of two bytes a number below 64: a name that does not hold the first two of a part does not hold it.
constexpr unsigned pair_of(char c, char next) {
  return (static_cast<unsigned>(c) * 5U + static_cast<unsigned>(next)) & 63U;
}

struct NameTable {
  template <typename Out>
  static constexpr void write(Out& out) {
    for (const Names& names : kNames) {
      each_part(names.parts, [&](std::string_view part) {
        out.byte(static_cast<unsigned>(names.family));
        out.byte(pair_of(part[0], part[1]));
        out.text(part);
      });
    }
  }
};
constexpr auto kParts = packed_texts<NameTable>();

// Glob without case: '*' stands for any run of characters.
bool word_matches(std::string_view pattern, std::string_view word) {
  std::size_t p = 0;
  std::size_t w = 0;
  std::size_t star = std::string_view::npos;  // the last '*' seen, and where in the word its run ends for now
  std::size_t run = 0;
  while (w < word.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      run = w;
    } else if (p < pattern.size() && to_lower(pattern[p]) == to_lower(word[w])) {
      ++p;
      ++w;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      w = ++run;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

// The design's table: scope, same again, other provider, penalty.
struct Defaults {
  ErrorClass error_class;  // whose place in the table is its number
  Scope scope;
  bool retry_same;
  bool switch_provider;
  Penalty penalty;
};
constexpr std::array<Defaults, kErrorClasses> kDefaults = {{
    {ErrorClass::content_policy, Scope::request, false, false, Penalty::none},
    {ErrorClass::rate_limited, Scope::deployment, true, true, Penalty::cooldown},
    {ErrorClass::quota_insufficient, Scope::key, false, true, Penalty::long_},
    {ErrorClass::auth_failure, Scope::key, false, true, Penalty::long_},
    {ErrorClass::provider_unavailable, Scope::model, false, true, Penalty::long_},
    {ErrorClass::invalid_request, Scope::request, false, false, Penalty::none},
    {ErrorClass::external_network, Scope::provider, true, true, Penalty::normal},
    {ErrorClass::temporary, Scope::model, true, true, Penalty::normal},
    {ErrorClass::empty_content, Scope::request, false, true, Penalty::none},
    {ErrorClass::unknown, Scope::deployment, false, true, Penalty::weak},
}};
static_assert([] {
  for (std::size_t i = 0; i < kDefaults.size(); ++i) {
    if (static_cast<std::size_t>(kDefaults[i].error_class) != i) return false;
  }
  return true;
}());

unsigned byte_at(std::string_view row, std::size_t place) { return static_cast<unsigned char>(row[place]); }
unsigned two_bytes_at(std::string_view row, std::size_t high) {
  return byte_at(row, high) << 8U | byte_at(row, high + 1);
}

template <typename T>
std::optional<T> member_of(unsigned number) {
  return number == 0 ? std::nullopt : std::optional<T>(static_cast<T>(number - 1));
}

}  // namespace

Family family_of(std::string_view provider, Envelope envelope) {
  const std::string name = to_lower(provider);
  std::uint64_t there = 0;  // pairs of its bytes
  for (std::size_t i = 1; i < name.size(); ++i) there |= std::uint64_t{1} << pair_of(name[i - 1], name[i]);
  for (PackedTexts parts(kParts); !parts.empty();) {
    const auto family = static_cast<Family>(parts.byte());
    const unsigned pair = parts.byte();
    const std::string_view part = parts.text();
    if ((there >> pair & 1U) != 0 && name.find(part) != std::string::npos) return family;
  }
  switch (envelope) {
    case Envelope::minimax_base_resp: return Family::minimax;
    case Envelope::baidu_error_msg: return Family::baidu;
    case Envelope::tencent_response: return Family::tencent;
    case Envelope::iflytek_header: return Family::iflytek;
    case Envelope::zhipu_code: return Family::zhipu;
    case Envelope::midjourney_task: return Family::midjourney;
    case Envelope::kling_task: return Family::kling;
    case Envelope::bailian_success: return Family::bailian;
    case Envelope::common: return Family::any;
  }
  return Family::any;
}

Statuses group_of(int status) {
  switch (status) {
    case 401: return k401;
    case 402: return k402;
    case 403: return k403;
    case 404:
    case 410: return k404;
    case 408:
    case 504:
    case 524: return k408;
    case 413: return k413;
    case 422: return k422;
    case 429: return k429;
    case 502: return k502;
    case 503:
    case 529: return k503;
    default: break;
  }
  if (status >= 520 && status <= 530) return k502;
  if (status >= 500 && status <= 599) return k500;
  if (status >= 400) return k400;
  return status >= 200 && status <= 299 ? k2xx : kOther;
}

bool says_word(std::string_view pattern, const Question& question) {
  const Reading& reading = question.reading;
  if (pattern.starts_with('=')) return parse_int(pattern.substr(1)) == question.status;
  if (pattern.starts_with("form:")) return pattern.substr(5) == name_of(reading.form);
  for (const std::string_view word : reading.words()) {
    if (!word.empty() && word_matches(pattern, word)) return true;
  }
  return false;
}

bool is_meant(const Rule& rule, const Question& question) {
  return (rule.family == Family::any || rule.family == question.family) &&
         (rule.at & group_of(question.status)) != 0 && (rule.status == 0 || rule.status == question.status) &&
         (rule.provider.empty() || rule.provider == question.provider);
}

bool matches(const Rule& rule, const Question& question, Begins says) {
  if (!is_meant(rule, question)) return false;
  const bool worded = rule.words.empty() || any_of_list(rule.words, [&](std::string_view pattern) {
                        return says_word(pattern, question);
                      });
  if (!worded) return false;
  return rule.says.empty() || any_of_list(rule.says, [&](std::string_view phrase) {
           return stands_in(question.sentence, phrase, says);
         });
}

bool Rules::next_allows(const Question& question, Statuses group) const {
  const auto family = static_cast<Family>(byte_at(rest_, kFamily) & ~kIsOwn);
  return (two_bytes_at(rest_, kStatusesHigh) & group) != 0 &&
         (family == Family::any || family == question.family);
}

std::optional<Rule> Rules::next() {
  if (rest_.empty()) return std::nullopt;
  const std::string_view row = rest_.substr(0, kRowBytes);
  rest_.remove_prefix(kRowBytes);
  const unsigned verdict = byte_at(row, kClassAndPenalty);
  const unsigned scope = byte_at(row, kScopeRetryAndSwitch);
  Rule rule;
  rule.family = static_cast<Family>(byte_at(row, kFamily) & ~kIsOwn);
  rule.at = static_cast<Statuses>(two_bytes_at(row, kStatusesHigh));
  rule.name = cut(rest_, '\0');
  std::string_view sub = cut(rest_, '\0');
  if (sub == kSubIsName) sub = rule.name.substr(rule.name.find('/') + 1);
  rule.ruling = {static_cast<ErrorClass>(verdict & 15U), sub,
                 member_of<Scope>(scope & 7U),           member_of<bool>(scope >> 3U & 3U),
                 member_of<bool>(scope >> 5U & 3U),      member_of<Penalty>(verdict >> 4U)};
  rule.says = cut(rest_, '\0');
  rule.words = cut(rest_, '\0');
  if ((byte_at(row, kFamily) & kIsOwn) != 0) {
    rule.status = static_cast<std::uint16_t>(two_bytes_at(rest_, 0));
    rest_.remove_prefix(2);
    rule.provider = cut(rest_, '\0');
  }
  return rule;
}

void append_packed(std::string& out, const Rule& rule) {
  for (const char byte : pack::bytes_of(rule)) out.push_back(byte);
  for (const std::string_view text : pack::texts_of(rule)) out.append(text).push_back('\0');
  if (!pack::is_own(rule)) return;
  out.push_back(static_cast<char>(rule.status >> 8U));
  out.push_back(static_cast<char>(rule.status & 0xFFU));
  out.append(rule.provider).push_back('\0');
}

Ruling filled(const Ruling& ruling) {
  const Defaults& defaults = kDefaults[static_cast<std::size_t>(ruling.error_class)];
  Ruling out = ruling;
  out.scope = ruling.scope.value_or(defaults.scope);
  out.retry_same = ruling.retry_same.value_or(defaults.retry_same);
  out.switch_provider = ruling.switch_provider.value_or(defaults.switch_provider);
  out.penalty = ruling.penalty.value_or(defaults.penalty);
  return out;
}

}  // namespace shunt::classify
