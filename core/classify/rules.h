// Rules are rows: which words, sentences and statuses mean which class. First match wins. Knows no
// transport and no policy.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "canonical/failure.h"
#include "classify/phrase_index.h"
#include "classify/reading.h"

namespace shunt::classify {

// Who speaks: providers that share one set of codes. `any` in a row: no matter who.
enum class Family : std::uint8_t {
  any,
  openai,
  anthropic,
  google,
  bedrock,
  openrouter,
  xai,
  workers_ai,
  dashscope,
  bailian,
  zhipu,
  minimax,
  baidu,
  tencent,
  iflytek,
  volcengine,
  siliconflow,
  moonshot,
  kling,
  vidu,
  midjourney,
  coze,
  iflow,
  relay,
};
// By preset name or alias, else by the envelope.
Family family_of(std::string_view provider, Envelope envelope);

// Groups of statuses a row is good for.
using Statuses = std::uint16_t;
inline constexpr Statuses k2xx = 1U << 0U;
inline constexpr Statuses k400 = 1U << 1U;  // and every other 4xx without a group
inline constexpr Statuses k401 = 1U << 2U;
inline constexpr Statuses k402 = 1U << 3U;
inline constexpr Statuses k403 = 1U << 4U;
inline constexpr Statuses k404 = 1U << 5U;  // and 410
inline constexpr Statuses k408 = 1U << 6U;  // and 504, 524: somebody behind it did not answer in time
inline constexpr Statuses k413 = 1U << 7U;
inline constexpr Statuses k422 = 1U << 8U;
inline constexpr Statuses k429 = 1U << 9U;
inline constexpr Statuses k500 = 1U << 10U;    // and every other 5xx without a group
inline constexpr Statuses k502 = 1U << 11U;    // and 520 to 523, 525 to 530
inline constexpr Statuses k503 = 1U << 12U;    // and 529
inline constexpr Statuses kOther = 1U << 13U;  // 3xx, 6xx and none
inline constexpr Statuses kAll = 0x3FFF;
inline constexpr Statuses kCaller = k400 | k413 | k422;
inline constexpr Statuses kServer = k408 | k500 | k502 | k503;
Statuses group_of(int status);

// What a row decides. Unset members take the class's defaults.
struct Ruling {
  ErrorClass error_class = ErrorClass::unknown;
  std::string_view sub;
  std::optional<Scope> scope = std::nullopt;
  std::optional<bool> retry_same = std::nullopt;
  std::optional<bool> switch_provider = std::nullopt;
  std::optional<Penalty> penalty = std::nullopt;
};

// A row matches when all that it names holds.
// `words`: alternatives parted by '|', each compared without case with code, type, reason, state
// and finish; '*' stands for anything; "=407" is the HTTP status itself, "form:html" the body's
// form. `says`: alternatives looked for in the sentence where no word is cut in two at their beginning.
struct Rule {
  std::string_view name;
  Family family = Family::any;
  Statuses at = kAll;
  std::string_view words;
  std::string_view says;
  Ruling ruling;
  // For an operator's rows, which speak of what is configured: one provider by its name there, and one
  // status.
  std::string_view provider = {};
  std::uint16_t status = 0;
};

struct Question {
  Family family = Family::any;
  std::string_view provider;  // its name in the configuration
  int status = 0;
  const Reading& reading;
  std::string_view sentence;  // matched_text(reading), or a runtime's own words in lower case
};

// The rows of a table from first to last, out of the bytes that rule_pack.h makes of them.
class Rules {
 public:
  constexpr explicit Rules(std::span<const char> packed) : rest_(packed.data(), packed.size()) {}
  std::optional<Rule> next();
  // Whether family and group of statuses allow the next row, which is there: told without reading its texts.
  bool next_allows(const Question& question, Statuses group) const;

 private:
  std::string_view rest_;
};

// What a row means, said row by row; rule_book.h finds the same for all rows at once. Runtimes name their
// faults by words grown together (ConnectTimeoutError): there a saying may begin anywhere.
bool matches(const Rule& rule, const Question& question, Begins says = Begins::at_words);
// Family, provider and status.
bool is_meant(const Rule& rule, const Question& question);
// One alternative of a row's `words`.
bool says_word(std::string_view pattern, const Question& question);

// Appends a row as the tables have it. No text may hold a NUL.
void append_packed(std::string& out, const Rule& rule);

// The tables, in the order they are asked.
Rules provider_rules();  // codes that mean something only from one family
Rules word_rules();      // words that mean the same from everyone
Rules sentence_rules();  // sentences, where the status allows them; then general words
Rules status_rules();    // what the status alone says; the last row matches everything

// Broken transports. `at` does not count; `words` are names of TransportFault, `says` looks into
// the runtime's own text in lower case.
Rules fault_rules();  // the last row matches everything

// Class defaults of the design's table, filled into what the row left open.
Ruling filled(const Ruling& ruling);

}  // namespace shunt::classify
