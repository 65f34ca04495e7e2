// Where frames cross chunks.
#include "wire/open_frame.h"

#include "base/check.h"

namespace shunt::wire {

void OpenFrame::feed(std::string_view chunk) {
  release();
  CORE_CHECK(pos_ == chunk_.size() && (carried_ || frame_begin_ == pos_));
  // One large frame must not keep its memory for the rest of the stream; most are far below this.
  constexpr std::size_t kKeptBytes = 8 * 1024;
  if (!carried_ && carry_.capacity() > kKeptBytes) std::string().swap(carry_);
  chunk_ = chunk;
  pos_ = 0;
  frame_begin_ = 0;
}

bool OpenFrame::hold() {
  if (!take(chunk_.size() - pos_)) return false;
  if (!carried_ && frame_begin_ < pos_) {
    carry_.assign(chunk_.substr(frame_begin_));
    carried_ = true;
    frame_begin_ = pos_;
  }
  return true;
}

void OpenFrame::drop() {
  given_ = carried_ = false;
  chunk_ = {};
  pos_ = frame_begin_ = 0;
  std::string().swap(carry_);
}

}  // namespace shunt::wire
