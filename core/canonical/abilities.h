// What a request may need of a line beside text. Words alone: who can do what stands in the configuration.
#pragma once

#include <cstdint>
#include <string_view>

namespace shunt {

// A deployment's `capabilities` name them.
enum class Ability : std::uint8_t {
  vision,
  tools,
  json_schema,
  audio,
  audio_output,
  image_output,
  documents,
  video,
};
inline constexpr std::string_view kAbilities[] = {"vision",       "tools",        "json_schema", "audio",
                                                  "audio_output", "image_output", "documents",   "video"};

class Abilities {
 public:
  void add(Ability ability) { bits_ |= 1U << static_cast<unsigned>(ability); }
  bool has(Ability ability) const { return (bits_ >> static_cast<unsigned>(ability) & 1U) != 0; }
  bool any() const { return bits_ != 0; }

 private:
  std::uint32_t bits_ = 0;
};

}  // namespace shunt
