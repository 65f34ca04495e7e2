// Thinking that a model writes into its text between <think> and </think>, cut out of a text that arrives in
// pieces. Knows the tags, not the dialects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shunt::text {

enum class ThinkStart : std::uint8_t {
  tagged,    // thinking begins with a tag; a closing tag alone is text
  thinking,  // the template opened the tag: all until the first closing tag is thinking
};

struct TextPiece {
  bool reasoning = false;
  std::string text;
  friend bool operator==(const TextPiece& a, const TextPiece& b) {
    return a.reasoning == b.reasoning && a.text == b.text;
  }
};

// Any split of the text gives the same pieces, joined. Tags may stand anywhere and more than once; behind a
// backtick a tag is spoken of and stays text. Nothing but the tags is taken away. At most kThinkTagBytes are
// held back.
class ThinkTags {
 public:
  explicit ThinkTags(ThinkStart start) : thinking_(start == ThinkStart::thinking), any_tag_(thinking_) {}

  // Appends to `out`; text of the kind of the last piece there goes on with it.
  void feed(std::string_view chunk, std::vector<TextPiece>& out);
  void finish(std::vector<TextPiece>& out);

 private:
  bool take_tag(char c);
  void put(std::string_view text, std::vector<TextPiece>& out);

  bool thinking_;
  bool any_tag_;         // thinking without an opening tag: any closing tag ends it
  bool begun_ = false;   // something other than white space was given out
  bool quoted_ = false;  // the byte before was a backtick
  std::size_t tag_ = 0;  // which tag opened the thinking
  std::string held_;     // the beginning of a tag
};

}  // namespace shunt::text
