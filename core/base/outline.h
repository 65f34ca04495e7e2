// An index of a JSON document whose bytes someone else holds: what stands where, with the heads of its
// strings. Built from slices; a 20 MB image costs one node. Reads requests (bytes with the host) and
// configuration (bytes in memory) alike; knows neither.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace shunt::json {

// Index of a node; 0 is the document's root.
using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = 0xFFFFFFFFU;

class Outline {
 public:
  struct Options {
    // Values under these keys are one node whatever they hold (schemas, metadata): its range only, no
    // children. Here and below the keys must outlive the outline: constant tables.
    std::span<const std::string_view> opaque_keys;
    // Raw bytes kept of each string and number, at most kTokenBytes. Structure words are short; contents stay
    // with the host.
    std::size_t keep_text = limits::kOutlineHead;
    // Values under these keys, but those of the root, are kept whole, up to kOutlineKeep raw bytes each:
    // strings, and containers whose key is opaque too (raw_head() is then the JSON text). A longer one, or
    // one past three quarters of kOutlineText, keeps the usual head: whole() is false.
    std::span<const std::string_view> keep_keys;
  };
  enum class State : std::uint8_t { reading, done, failed };

  Outline() = default;
  explicit Outline(const Options& options);

  // Feeds the next slice (any size). After the last one the state is done or failed.
  State feed(std::string_view slice, bool last);
  State state() const { return state_; }
  const Error& error() const { return error_; }  // when failed: syntax, kOutlineNodes or kOutlineText crossed
  std::uint64_t bytes_read() const { return bytes_read_; }

  // Queries work on what has been read so far; open containers count as ending there. kNoNode in, kNoNode
  // out.
  bool empty() const { return nodes_.empty(); }
  Kind kind(NodeId node) const { return at(node).kind; }
  // Its end has not been seen yet.
  bool open(NodeId node) const { return node < nodes_.size() && at(node).size == 0; }
  NodeId first(NodeId container) const;                     // first member or element, kNoNode = none
  NodeId next(NodeId node) const { return at(node).next; }  // next sibling, kNoNode = last
  // The last member of that key; kNoNode when absent or not an object.
  NodeId find(NodeId object, std::string_view key) const;
  NodeId duplicate(NodeId object) const;  // the second member of some key that stands twice, kNoNode = none
  std::string_view key(NodeId member) const;  // unescaped
  // Offset of the key's opening quote.
  std::uint64_t key_begin(NodeId member) const { return at(member).key_begin; }
  // Offset of the value's first byte (a string's opening quote).
  std::uint64_t begin(NodeId node) const { return at(node).begin; }
  std::uint64_t end(NodeId node) const;  // one past its last byte; when open: bytes_read()
  bool is_true(NodeId node) const { return at(node).is_true; }
  bool is_false(NodeId node) const { return kind(node) == Kind::boolean && !is_true(node); }
  // Strings and numbers: the first keep_text raw bytes of the content, less an escape or character cut by
  // that; the whole of a kept value.
  std::string_view raw_head(NodeId node) const;
  bool whole(NodeId node) const { return at(node).whole; }      // raw_head is the whole content
  bool escaped(NodeId node) const { return at(node).escaped; }  // holds a backslash (an open string: so far)
  // A short string, unescaped; none when it is not a string or not whole.
  std::optional<std::string> text(NodeId node) const;
  std::optional<std::int64_t> integer(NodeId node) const;
  // The string that is still being read and has passed what is gathered (kTokenBytes; kOutlineKeep when
  // kept), if that is where the document stands now; else kNoNode. Shorter strings appear when they are
  // complete.
  NodeId open_string() const { return long_string_; }
  std::size_t memory() const;  // bytes held by this index

 private:
  // One per value, in document order: a container's first child follows it directly.
  struct Node {
    std::uint64_t key_begin = 0;
    std::uint64_t begin = 0;
    std::uint64_t size = 0;     // 0 = open
    std::uint32_t text_at = 0;  // in text_: the unescaped key, then the kept head
    NodeId next = kNoNode;      // sibling
    std::uint32_t head_size = 0;
    std::uint16_t key_size = 0;
    Kind kind = Kind::null;
    bool is_true : 1 = false;
    bool whole : 1 = false;
    bool escaped : 1 = false;
  };
  static_assert(sizeof(Node) == 40);
  static const Node kAbsent;

  const Node& at(NodeId node) const { return node < nodes_.size() ? nodes_[node] : kAbsent; }
  bool in_opaque(Token token);
  void take(Token token);
  void take_key();
  bool add(Kind kind, bool complete);
  void add_container(Kind kind);
  void complete(NodeId node);
  void show_long_string();
  void keep_until(std::uint64_t offset);
  void fail(std::uint64_t offset, const char* what);

  Options options_;
  Scanner scanner_;
  State state_ = State::reading;
  Error error_;
  std::uint64_t bytes_read_ = 0;
  std::vector<Node> nodes_;
  std::string text_;
  std::vector<NodeId> open_;      // containers being read, outermost first
  NodeId last_ = kNoNode;         // the last node of the innermost of them
  NodeId long_string_ = kNoNode;  // a string being read that is a node already
  Node key_;                      // key fields of the member to come
  bool opaque_key_ = false;       // … and what its key says of it
  bool keep_key_ = false;
  int opaque_depth_ = 0;       // depth inside the opaque container being read; 0 = none
  std::string_view slice_;     // of the feed() in progress only
  NodeId kept_ = kNoNode;      // that container, when its bytes are kept …
  std::uint64_t kept_to_ = 0;  // … and have been up to here
};

}  // namespace shunt::json
