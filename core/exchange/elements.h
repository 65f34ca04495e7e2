// A stream as the elements of one JSON array, as Google's API sends it without alt=sse. Knows no events.
#pragma once

#include <string>
#include <string_view>

namespace shunt::exchange {

class Elements {
 public:
  void add(std::string_view json, std::string& out);
  // Frames as the dialect's encoder writes them: "data: ", one line of JSON, a blank line.
  void add_frames(std::string_view sse, std::string& out);
  // The array's end; an empty one where nothing was said.
  void end(std::string& out) const;

 private:
  bool begun_ = false;
};

}  // namespace shunt::exchange
