// Keys by whom they begin like, by what they are called, and by how random they look.
#include "classify/secrets.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#include "base/packed_texts.h"
#include "base/simd.h"
#include "base/strings.h"

namespace shunt::classify {
namespace {

// What a character of a word is, by bits; 0: it is of none.
enum Kind : std::uint8_t { kDigit = 1, kLetter = 2, kHex = 4 };
constexpr std::array<std::uint8_t, 256> kKinds = [] {
  std::array<std::uint8_t, 256> table{};
  for (std::size_t i = 0; i < table.size(); ++i) {
    const char c = static_cast<char>(i);
    if (is_digit(c)) table[i] = kDigit | kHex;
    if (is_alpha(c)) table[i] = to_lower(c) <= 'f' ? kLetter | kHex : kLetter;
  }
  return table;
}();

constexpr unsigned kind_of(char c) { return kKinds[static_cast<unsigned char>(c)]; }

// Beginnings of providers' keys and of JSON web tokens.
constexpr std::string_view kKeyPrefixes =
    "sk-|sk_|pk-|rk-|ak-|csk-|pa-|tgp_|AIza|AQ.|gsk_|xai-|AKIA|ASIA|AKID|AKLT|LTAI|ALTAK|hf_|r8_|fw_|key_|"
    "vda_|ghp_|gho_|github_pat_|eyJ|ya29.|nvapi-|pplx-";

// Which two characters follow each other at their beginnings, by a bit for each two: nearly every word that
// is no key stops here.
constexpr unsigned two_characters(std::string_view text, std::size_t at) {
  return (static_cast<unsigned char>(text[at]) & 31U) * 32U +
         (static_cast<unsigned char>(text[at + 1]) & 31U);
}
constexpr std::array<std::uint32_t, 32> kKeyBeginnings = [] {
  std::array<std::uint32_t, 32> table{};
  each_part(kKeyPrefixes, [&table](std::string_view prefix) {
    for (const unsigned two : {two_characters(prefix, 0), two_characters(prefix, 1)})
      table[two / 32U] |= 1U << two % 32U;
  });
  return table;
}();
constexpr bool may_begin_key(unsigned two) { return (kKeyBeginnings[two / 32U] >> two % 32U & 1U) != 0; }

// The beginnings by the letter they begin with, and where those of each letter stand.
constexpr unsigned letter_of(char c) { return static_cast<unsigned char>(c) & 31U; }
struct PrefixTable {
  template <typename Out>
  static constexpr void write(Out& out) {
    for (unsigned letter = 0; letter < 32; ++letter) {
      each_part(kKeyPrefixes, [&](std::string_view prefix) {
        if (letter_of(prefix.front()) == letter) out.text(prefix);
      });
    }
  }
};
constexpr auto kPrefixTexts = packed_texts<PrefixTable>();
constexpr std::array<std::uint8_t, 32> kPrefixesAt = [] {
  std::array<std::uint8_t, 32> table{};
  each_part(kKeyPrefixes, [&table](std::string_view prefix) {
    for (unsigned letter = letter_of(prefix.front()) + 1; letter < table.size(); ++letter)
      table[letter] = static_cast<std::uint8_t>(table[letter] + 1 + prefix.size());
  });
  return table;
}();
static_assert(kPrefixTexts.size() < 256);

bool begins_with_prefix(std::string_view rest) {
  const unsigned letter = letter_of(rest.front());
  const std::size_t at = kPrefixesAt[letter];
  for (PackedTexts prefixes(kPrefixTexts.data() + at, kPrefixTexts.size() - at); !prefixes.empty();) {
    const std::string_view prefix = prefixes.text();
    if (letter_of(prefix.front()) != letter) return false;
    if (simd::begins_with(rest, prefix)) return true;
  }
  return false;
}

inline bool begins_key(std::string_view rest) {
  return rest.size() >= kShortestKey && may_begin_key(two_characters(rest, 0)) &&
         may_begin_key(two_characters(rest, 1)) && begins_with_prefix(rest);
}

constexpr bool is_mixed(unsigned kinds) { return (kinds & kDigit) != 0 && (kinds & kLetter) != 0; }

// With 16 hexadecimal digits, some of them letters.
bool begins_hex(std::string_view piece) {
  constexpr std::size_t kHexDigits = 16;
  std::size_t size = 0;
  unsigned kinds = 0;
  for (; size < piece.size() && (kind_of(piece[size]) & kHex) != 0; ++size) kinds |= kind_of(piece[size]);
  return size >= kHexDigits && is_mixed(kinds);
}

// A key begins where a word does; or a piece of letters and digits is unbroken for 20 characters, or for 16
// hexadecimal ones: no word and no model name is like that.
bool holds_key(std::string_view run) {
  constexpr std::size_t kMixedLetters = 20;
  const char* const end = run.data() + run.size();
  for (const char* at = run.data(); at != end; ++at) {
    const auto rest = [&](std::size_t from) {
      return std::string_view(at + from, static_cast<std::size_t>(end - at) - from);
    };
    if (*at == '%' && end - at > 3 && begins_key(rest(3))) return true;  // "%2Fsk-…"
    if (kind_of(*at) == 0) continue;
    if (begins_key(rest(0))) return true;
    const char* const from = at;
    unsigned kinds = 0;
    for (; at != end && kind_of(*at) != 0; ++at) kinds |= kind_of(*at);
    const std::string_view piece(from, static_cast<std::size_t>(at - from));
    if (is_mixed(kinds) && (piece.size() >= kMixedLetters || begins_hex(piece))) return true;
    --at;
  }
  return false;
}

// A bit for each letter, whatever its case; some signs have the bit of one.
constexpr std::uint32_t letters_of(std::string_view name) {
  std::uint32_t letters = 0;
  for (const char c : name) letters |= 1U << (static_cast<unsigned char>(c) & 31U);
  return letters;
}

struct SecretName {
  constexpr explicit SecretName(std::string_view name) : part(name), letters(letters_of(name)) {}
  std::string_view part;
  std::uint32_t letters;
};
constexpr SecretName kSecretNames[] = {
    SecretName("key"),           SecretName("token"),     SecretName("secret"),     SecretName("password"),
    SecretName("authorization"), SecretName("signature"), SecretName("credential"), SecretName("cookie"),
};

static_assert(std::all_of(std::begin(kSecretNames), std::end(kSecretNames), [](const SecretName& secret) {
  return std::any_of(secret.part.begin(), secret.part.end(), is_in_secret_names);
}));

}  // namespace

void Suspect::remove_prefix(std::size_t size) {
  if (look_.changes > 0) look_.changes -= look_at(run_.substr(0, size)).changes;
  run_.remove_prefix(size);
}

bool Suspect::is_secret() {
  if (run_.size() < kShortestKey) return false;
  if (!read_) {
    read_ = true;
    holds_key_ = holds_key(run_);
    if (run_.size() >= kShortestRandom) look_ = look_at(run_);
  }
  return holds_key_ || looks_random();
}

// Sixteen characters at once, a bit each; below them stand the two before.
Suspect::Look Suspect::look_at(std::string_view run) {
  Look look;
  std::uint32_t small = 0;
  std::uint32_t capitals = 0;
  std::uint32_t digits = 0;
  for (std::size_t at = 0; at < run.size(); at += simd::kBlock) {
    const auto block = simd::next_block(run, at);
    small = small >> simd::kBlock | block.within('a', 'z').bits() << 2U;
    capitals = capitals >> simd::kBlock | block.within('A', 'Z').bits() << 2U;
    digits = digits >> simd::kBlock | block.within('0', '9').bits() << 2U;
    // From the character before to this one. "Aa" is a word's beginning, "AAa" is none.
    const std::uint32_t changed = (digits << 1U & (small | capitals)) | (small << 1U & (digits | capitals)) |
                                  (capitals << 1U & (digits | (capitals << 2U & small)));
    look.changes += static_cast<std::size_t>(std::popcount(changed >> 2U & 0xFFFFU));
    const std::size_t left = run.size() - at;
    const std::uint32_t counted = left > simd::kBlock ? ~0U : ~(4U << (left - 1));
    look.small = look.small || (small & counted) >> 2U != 0;
    look.capital = look.capital || (capitals & counted) >> 2U != 0;
    look.digit = look.digit || (digits & counted) >> 2U != 0;
  }
  return look;
}

// Base64 broken by its own '/', '+', '-' and '_', and UUIDs, which some providers hand out as keys. Random
// letters change between small, capital and digit at almost every second place; the most restless names of
// models ("Qwen3-235B-A22B-Instruct-2507-FP8") and of quotas ("…RequestsPerDayPerProjectPerModel") far less.
bool Suspect::looks_random() {
  constexpr std::size_t kUuid = 32;
  if (run_.size() < kShortestRandom) return false;
  const auto restless = [this] {
    return look_.small && look_.capital && look_.changes * (look_.digit ? 6 : 5) >= run_.size();
  };
  if (restless()) {
    look_ = look_at(run_);
    if (restless()) return true;
  }
  std::size_t digits = 0;
  for (std::size_t at = 0; at < run_.size(); at += simd::kBlock) {
    const auto block = simd::next_block(run_, at);
    const std::uint32_t hex =
        (block.within('0', '9') | block.within('a', 'f') | block.within('A', 'F')).bits();
    const std::uint32_t all = (1U << std::min(simd::kBlock, run_.size() - at)) - 1;
    if ((hex | block.equal_to('-').bits()) != all) return false;
    digits += static_cast<std::size_t>(std::popcount(hex));
  }
  return digits >= kUuid;
}

bool is_harmless(std::string_view run) {
  const Suspect::Look look = Suspect::look_at(run);
  return !(look.small && look.capital && look.changes * 6 >= kShortestRandom) && !holds_key(run);
}

bool names_a_secret(std::string_view name) {
  if (name.size() < 3) return false;
  const std::uint32_t letters = letters_of(name);
  if ((letters & letters_of("eo")) == 0) return false;
  const auto holds = [&](const SecretName& secret) {
    return (secret.letters & ~letters) == 0 && contains_fold(name, secret.part);
  };
  constexpr SecretName kAmount("tokens");  // "max_tokens"
  return std::any_of(std::begin(kSecretNames), std::end(kSecretNames), holds) && !holds(kAmount);
}

}  // namespace shunt::classify
