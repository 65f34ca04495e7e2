// The bytes of the frame that is being read, over chunks cut anywhere: views of the chunk while the frame
// lies in one, gathered once when it crosses. Knows no framing.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shunt::wire {

// Every byte is taken once, so whoever scans only what it takes is linear. Offsets into frame() stay right
// when it moves into the carry.
class OpenFrame {
 public:
  explicit OpenFrame(std::size_t most) : most_(most) {}

  // The chunk before must have been taken whole. It must live until the next feed().
  void feed(std::string_view chunk);
  std::string_view rest() const { return chunk_.substr(pos_); }  // of the chunk, not yet taken
  // Taken since the frame before.
  std::string_view frame() const {
    return carried_ ? std::string_view{carry_} : chunk_.substr(frame_begin_, pos_ - frame_begin_);
  }
  // What no frame has covered.
  std::string_view tail() const { return carried_ ? std::string_view{carry_} : chunk_.substr(frame_begin_); }

  // False when the frame would grow beyond its limit: nothing is taken.
  bool take(std::size_t count) {
    if (count > most_ - frame().size()) return false;
    if (carried_) carry_.append(chunk_.substr(pos_, count));
    pos_ += count;
    return true;
  }
  // Takes what is left of the chunk and keeps the frame beyond it.
  bool hold();

  // The frame is handed out; release() drops it.
  void give() { given_ = true; }
  void release() {
    if (!given_) return;
    given_ = false;
    carried_ = false;
    frame_begin_ = pos_;
  }
  // Nothing is left, whatever there was.
  void drop();

 private:
  std::size_t most_;
  std::string_view chunk_;
  std::size_t pos_ = 0;          // of the chunk: everything before has been taken
  std::size_t frame_begin_ = 0;  // of the chunk, when the frame is not carried
  std::string carry_;            // the frame, when it began in an earlier chunk
  bool carried_ = false;
  bool given_ = false;
};

}  // namespace shunt::wire
