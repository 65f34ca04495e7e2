// What looks like a key, and what announces one. Rather too much than too little. Knows no provider's errors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/strings.h"

namespace shunt::classify {

inline constexpr std::size_t kShortestKey = 8;  // "sk-1" in an example is no key
inline constexpr std::size_t kShortestRandom = 24;

// A run of ASCII without spaces, which may be a key, a token or a password made by a machine. Parts can be
// taken off its front, each with the sign behind it, and the rest be asked without being read again.
class Suspect {
 public:
  explicit Suspect(std::string_view run) : run_(run) {}

  std::string_view run() const { return run_; }
  void remove_prefix(std::size_t size);
  bool is_secret();

 private:
  // Which kinds of characters there are before the last, and how often small letters, capitals and digits
  // change.
  struct Look {
    bool small = false, capital = false, digit = false;
    std::size_t changes = 0;
  };
  static Look look_at(std::string_view run);
  bool looks_random();
  friend bool is_harmless(std::string_view run);

  std::string_view run_;
  bool read_ = false;
  bool holds_key_ = false;  // by how a part of it begins or how long it is unbroken; no rest has more of that
  Look look_;               // of a rest: its changes, and kinds that it may have
};
// Of none of its rests would it be said, nor of its parts that are shorter than kShortestRandom.
bool is_harmless(std::string_view run);
inline bool is_secret(std::string_view run) { return Suspect(run).is_secret(); }

// "api_key", "Authorization", "cookie": what stands behind it is secret. "max_tokens" names an amount.
bool names_a_secret(std::string_view name);
// Each such name has one of these.
constexpr bool is_in_secret_names(char c) { return to_lower(c) == 'e' || to_lower(c) == 'o'; }

}  // namespace shunt::classify
