// A frame that is like the one before but for one text: almost all frames of an answer are. Told by comparing
// bytes, without reading the JSON again. Knows no dialect.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "canonical/events.h"
#include "wire/frame.h"

namespace shunt::dialect {

// Rests on two facts, which a decoder that uses it owes: reading a frame depends on nothing but its bytes and
// what earlier frames said; and a frame that says one delta and nothing else leaves no trace by which the
// next one like it would be read otherwise, whatever their texts are.
class Stencil {
 public:
  // Adds the event that `frame` makes if it is like the last one learnt, else does nothing: false. Its text
  // is a view of the frame, or lives until the next call.
  bool match(const wire::Frame& frame, EventList& out);

  void forget() { learnt_ = false; }
  // `frame` has been read in full and made the events from `mark` on. `padding` is the content of a string
  // that is random and means nothing, as a view of the frame; empty = none.
  void learn(const wire::Frame& frame, const EventList& events, std::size_t mark, std::string_view padding);

 private:
  struct Hole {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  bool place(std::string_view data, std::string_view text, Hole& out) const;
  bool same_end(std::string_view rest) const;

  bool learnt_ = false;
  std::string data_;  // of the learnt frame
  std::string name_;
  Hole text_;
  Hole padding_;  // behind the text; empty = none
  Event event_;   // with the learnt text
  std::string unescaped_;
};

}  // namespace shunt::dialect
