// What the tests of this room share: dice, JSON of any shape, ways to break it, texts in pieces.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dice.h"
#include "text/partial_json.h"
#include "text/repair.h"

namespace shunt::text {

using Json = nlohmann::json;

// Strings that look like structure are the hard ones.
inline std::string random_string(Dice& dice) {
  constexpr std::string_view kPieces[] = {"a",  "word ", "{",    "}",   "[",  "]",    ", ", ":",  "'", "\"",
                                          "\\", "\n",    "\t",   "é",   "😀", "“",    "”",  "//", "`", "$",
                                          "0",  "null",  "```x", "\\(", "#",  "\x01", " ",  "/*", "+"};
  std::string text;
  for (std::size_t left = dice.below(7); left > 0; --left) text += dice.of(kPieces);
  return text;
}

inline Json random_json(Dice& dice, int depth) {
  switch (dice.below(depth > 0 ? 9 : 6)) {
    case 0: return nullptr;
    case 1: return dice.below(2) == 0;
    case 2: return static_cast<std::int64_t>(dice.below(2000)) - 1000;
    case 3: return static_cast<double>(dice.below(100000)) / 128.0;
    case 4:
    case 5: return random_string(dice);
    case 6: {
      Json array = Json::array();
      for (std::size_t left = dice.below(4); left > 0; --left) array.push_back(random_json(dice, depth - 1));
      return array;
    }
    default: {
      Json object = Json::object();
      for (std::size_t left = dice.below(4); left > 0; --left)
        object[random_string(dice)] = random_json(dice, depth - 1);
      return object;
    }
  }
}

inline std::string broken(Dice& dice, std::string text) {
  constexpr std::string_view kPieces[] = {
      "{",     "}",       "[",    "]",        "(",    ")",     "\"", "'",      "“",    "”",
      ",",     ":",       "\\",   "\n",       "\\u",  "\\ud8", "//", "/*",     "*/",   "#",
      "```",   "```json", "...",  "+",        "-",    "=",     "0x", "1e99",   "true", "None",
      "think", "&quot;",  "\xFF", "\xE2\x80", "\x01", "a: ",   "f(", "<think>"};
  for (std::size_t left = dice.below(6); left > 0; --left) {
    const std::size_t at = dice.below(text.size() + 1);
    switch (dice.below(4)) {
      case 0: text.insert(at, dice.of(kPieces)); break;
      case 1: text.erase(at, 1 + dice.below(4)); break;
      case 2: text.resize(at); break;
      default: text.insert(at, 1, static_cast<char>(dice.below(256))); break;
    }
  }
  return text;
}

// nlohmann is the reader of what comes out.
inline Json parsed(const std::string& json) { return Json::parse(json, nullptr, false); }

inline std::string repaired(std::string_view text, RepairOptions options = {}) {
  return repair_json(text, options).value_or("nothing");
}

inline std::optional<std::string> partial(std::string_view text, RepairOptions options = {}) {
  PartialJson json(options);
  json.feed(text);
  return json.completed();
}

}  // namespace shunt::text
