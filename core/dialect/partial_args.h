// The arguments of one call that come as patches: a path into the arguments and what is written there.
// Knows JSONPath as far as it names one place; knows no dialect.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shunt::dialect {

// The tree is kept until the call ends: text written early could still change. Members and elements keep the
// order in which they came.
class PartialArgs {
 public:
  // A call has as many values as its schema has fields and its lists have elements; recorded ones stay below
  // 20. Each step of a path looks through the members of one object, so this bounds time as well.
  static constexpr std::size_t kNodes = 4096;
  static constexpr std::size_t kDepth = 32;  // steps of a path

  // What is written. `text`: the raw content of a JSON string, joined to what stands there, or a JSON value.
  struct Patch {
    std::string_view path;  // "$.operations[0].name", "$['a key']"
    std::string_view text;
    bool string = false;
  };
  // False: it names no place, the place cannot be there, or the tree would pass its bounds.
  bool apply(const Patch& patch);

  // The object as JSON; "{}" when nothing was written.
  void write(std::string& out) const;
  std::size_t bytes() const { return bytes_; }  // at least what write() appends
  void clear();

 private:
  enum class Kind : std::uint8_t { fresh, object, array, string, value };
  struct Node {
    Kind kind = Kind::fresh;
    std::string key;                              // raw content of a JSON string; empty in arrays
    std::string text;                             // of strings and values
    std::uint32_t first = 0, last = 0, next = 0;  // children and sibling; 0 = none, for the root is no child
    std::uint32_t size = 0;                       // of a container
  };

  void write(const Node& node, std::string& out) const;
  bool become(std::uint32_t node, Kind kind);
  std::uint32_t member(std::uint32_t object, std::string_view key);
  std::uint32_t element(std::uint32_t array, std::uint64_t index);
  std::uint32_t add(std::uint32_t parent, std::string_view key);

  std::vector<Node> nodes_;
  std::size_t bytes_ = 2;
};

}  // namespace shunt::dialect
