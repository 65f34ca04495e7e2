// One value of broken JSON, with everything in it. Knows brackets, commas and colons; what stands around the
// value is its caller's.
#pragma once

#include <string>
#include <vector>

#include "text/repair.h"
#include "text/string_end.h"

namespace shunt::text {

class Structure {
 public:
  Structure(Source& source, RepairOptions options) : source_(source), text_(source.text), options_(options) {}

  // The value at source.at, appended to `out`; source.at is then behind it. False when there is none or it
  // cannot be saved; source.at is where reading stopped.
  bool read(std::string& out);
  // Goes on with the object that `out` ends with, which has members: {"a":1}, "b":2}. On false `out` is as
  // before.
  bool read_on(std::string& out);
  bool too_deep() const { return too_deep_; }

 private:
  enum class Kind : std::uint8_t { object, array, tuple };
  struct Frame {
    Kind kind = Kind::object;
    bool implied = false;  // an object without its opening brace: ["a": 1]
    bool set = false;      // {1, 2}
    bool comma = false;    // a tuple's comma: (1) is 1
    std::size_t begin = 0;
    std::size_t count = 0;
  };

  bool run();
  bool step_member();
  bool step_item();
  bool open_at_key(char c);
  bool read_bare_key();
  bool read_member_value();
  bool begin_value(Place place);
  bool read_string(Place place);
  void skip_prefix();
  std::size_t tripled_end(std::size_t begin);
  bool read_parts(std::size_t begin, Quote opening, Place place);
  void read_bare(Place place);
  bool without_colon(std::size_t mark, std::size_t key, bool quoted);
  bool push(Kind kind, bool implied = false);
  void pop();
  bool close_by(char c);
  bool fits(const Frame& frame, char c) const;
  bool skip_between();
  void separate();
  bool imply_object(std::size_t begin);
  bool in_round() const { return !stack_.empty() && stack_.back().kind == Kind::tuple; }
  Frame& top() { return stack_.back(); }

  Source& source_;
  std::string_view text_;
  RepairOptions options_;
  std::string* out_ = nullptr;
  std::vector<Frame> stack_;
  bool failed_ = false;
  bool too_deep_ = false;
};

}  // namespace shunt::text
