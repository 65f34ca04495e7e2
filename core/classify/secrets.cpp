// Keys by whom they begin like, by what they are called, and by how random they look.
#include "classify/secrets.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/strings.h"

namespace shunt::classify {
namespace {

constexpr bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Beginnings of providers' keys and of JSON web tokens.
constexpr std::string_view kKeyPrefixes =
    "sk-|sk_|pk-|rk-|ak-|csk-|pa-|tgp_|AIza|AQ.|gsk_|xai-|AKIA|ASIA|AKID|AKLT|LTAI|ALTAK|hf_|r8_|fw_|key_|"
    "vda_|ghp_|gho_|github_pat_|eyJ|ya29.|nvapi-|pplx-";
constexpr std::size_t kShortestKey = 8;  // "sk-1" in an example is no key

// Their first two characters, by a bit each: nearly every word that is no key stops here.
constexpr unsigned two_characters(std::string_view text) {
  return (static_cast<unsigned char>(text[0]) * 37U + static_cast<unsigned char>(text[1])) % 256U;
}
constexpr std::array<bool, 256> kKeyBeginnings = [] {
  std::array<bool, 256> table{};
  for (std::size_t at = 0; at < kKeyPrefixes.size();) {
    table[two_characters(kKeyPrefixes.substr(at))] = true;
    at = std::min(kKeyPrefixes.find('|', at), kKeyPrefixes.size() - 1) + 1;
  }
  return table;
}();

// Anywhere in a run where a word begins.
bool has_key_prefix(std::string_view run) {
  for (std::size_t at = 0; at + kShortestKey <= run.size(); ++at) {
    const bool begins = at == 0 || !is_word(run[at - 1]) || (at >= 3 && run[at - 3] == '%');
    const std::string_view rest = run.substr(at);
    if (begins && kKeyBeginnings[two_characters(rest)] &&
        any_of_list(kKeyPrefixes, [rest](std::string_view prefix) { return rest.starts_with(prefix); }))
      return true;
  }
  return false;
}

// An unbroken piece of 20 letters and digits, or of 16 hexadecimal digits: no word and no model
// name is like that.
bool has_long_token(std::string_view run) {
  constexpr std::size_t kMixed = 20;
  constexpr std::size_t kHex = 16;
  std::size_t length = 0;
  bool digits = false;
  bool letters = false;
  bool hex = true;
  for (const char c : run) {
    if (!is_word(c)) {
      length = 0;
      digits = letters = false;
      hex = true;
      continue;
    }
    ++length;
    digits = digits || is_digit(c);
    letters = letters || is_alpha(c);
    hex = hex && is_hex(c);
    if ((length >= kMixed && digits && letters) || (length >= kHex && hex && digits && letters)) return true;
  }
  return false;
}

// Base64 broken by its own '/', '+', '-' and '_', and UUIDs, which some providers hand out as keys. Random
// letters change between small, capital and digit at almost every second place; the most restless names of
// models ("Qwen3-235B-A22B-Instruct-2507-FP8") and of quotas ("…RequestsPerDayPerProjectPerModel") far less.
bool looks_random(std::string_view run) {
  constexpr std::size_t kShortestRandom = 24;
  constexpr std::size_t kUuid = 32;
  if (run.size() < kShortestRandom) return false;
  std::size_t changes = 0;
  bool small = false;
  bool capital = false;
  bool digit = false;
  char before = '-';
  for (std::size_t at = 0; at + 1 < run.size(); ++at) {
    const char c = run[at];
    const char next = run[at + 1];
    small = small || is_small(c);
    capital = capital || is_capital(c);
    digit = digit || is_digit(c);
    const bool odd = is_digit(c)     ? is_alpha(next)
                     : is_small(c)   ? is_digit(next) || is_capital(next)
                     : is_capital(c) ? is_digit(next) || (is_capital(before) && is_small(next))
                                     : false;
    changes += odd ? 1 : 0;
    before = c;
  }
  if (small && capital && changes * (digit ? 6 : 5) >= run.size()) return true;
  const auto hex = static_cast<std::size_t>(std::count_if(run.begin(), run.end(), is_hex));
  return hex >= kUuid && std::all_of(run.begin(), run.end(), [](char c) { return is_hex(c) || c == '-'; });
}

constexpr std::uint32_t letters_of(std::string_view name) {
  std::uint32_t letters = 0;
  for (const char c : name) letters |= is_alpha(c) ? letter_bit(c) : 0U;
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

}  // namespace

bool is_secret(std::string_view run) {
  return run.size() >= kShortestKey && (has_key_prefix(run) || has_long_token(run) || looks_random(run));
}

bool may_name_a_secret(std::uint32_t letters) {
  return std::any_of(std::begin(kSecretNames), std::end(kSecretNames),
                     [letters](const SecretName& secret) { return (secret.letters & ~letters) == 0; });
}

// "max_tokens" names an amount.
bool names_a_secret(std::string_view name) {
  const std::uint32_t letters = letters_of(name);
  return std::any_of(std::begin(kSecretNames), std::end(kSecretNames),
                     [&](const SecretName& secret) {
                       return (secret.letters & ~letters) == 0 && contains_fold(name, secret.part);
                     }) &&
         !contains_fold(name, "tokens");
}

}  // namespace shunt::classify
