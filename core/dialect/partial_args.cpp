// Arguments that come as patches. See partial_args.h.
#include "dialect/partial_args.h"

#include "base/json_writer.h"
#include "base/limits.h"
#include "base/strings.h"

namespace shunt::dialect {
namespace {

// A step of a path: a name, or an index.
struct Step {
  std::string_view name;
  std::uint64_t index = 0;
  bool indexed = false;
};

// RFC 9535: .name, [index], ['name'] and ["name"].
bool cut_step(std::string_view& path, Step& step) {
  const bool bracket = path.front() == '[';
  path.remove_prefix(1);
  if (!bracket) {
    step.name = path.substr(0, path.find_first_of(".["));
    path.remove_prefix(step.name.size());
    return !step.name.empty();
  }
  if (!path.empty() && (path.front() == '\'' || path.front() == '"')) {
    const std::size_t close = path.find(path.front(), 1);
    if (close == std::string_view::npos || path.substr(close + 1, 1) != "]") return false;
    step.name = path.substr(1, close - 1);
    path.remove_prefix(close + 2);
    return true;
  }
  const std::size_t close = path.find(']');
  if (close == std::string_view::npos) return false;
  const std::optional<std::uint64_t> index = parse_uint(path.substr(0, close));
  path.remove_prefix(close + 1);
  step.indexed = true;
  step.index = index.value_or(0);
  return index.has_value();
}

}  // namespace

bool PartialArgs::apply(const Patch& patch) {
  std::string_view path = patch.path;
  if (path.size() < 2 || path.front() != '$') return false;
  path.remove_prefix(1);
  if (nodes_.empty()) nodes_.emplace_back().kind = Kind::object;
  std::uint32_t node = 0;
  for (std::size_t depth = 0; !path.empty(); ++depth) {
    Step step;
    const bool named = path.front() == '.' || path.front() == '[';
    if (depth == kDepth || !named || !cut_step(path, step)) return false;
    if (!become(node, step.indexed ? Kind::array : Kind::object)) return false;
    node = step.indexed ? element(node, step.index) : member(node, step.name);
    if (node == 0) return false;
  }
  if (!become(node, patch.string ? Kind::string : Kind::value)) return false;
  if (bytes_ + patch.text.size() > limits::kAnswerBytes) return false;
  std::string& text = nodes_[node].text;
  if (!patch.string) text.clear();
  text += patch.text;
  bytes_ += patch.text.size();
  return true;
}

// A place keeps its kind once it has one.
bool PartialArgs::become(std::uint32_t node, Kind kind) {
  if (nodes_[node].kind == Kind::fresh) nodes_[node].kind = kind;
  return nodes_[node].kind == kind;
}

std::uint32_t PartialArgs::member(std::uint32_t object, std::string_view key) {
  std::string name;
  json::append_escaped(name, key);
  const std::uint32_t last = nodes_[object].last;  // patches of one place follow each other
  if (last != 0 && nodes_[last].key == name) return last;
  for (std::uint32_t at = nodes_[object].first; at != 0; at = nodes_[at].next) {
    if (nodes_[at].key == name) return at;
  }
  return add(object, name);
}

// Elements come in order: one beyond the next would leave a hole.
std::uint32_t PartialArgs::element(std::uint32_t array, std::uint64_t index) {
  const std::uint32_t size = nodes_[array].size;
  if (index > size) return 0;
  if (index == size) return add(array, {});
  if (index + 1 == size) return nodes_[array].last;
  std::uint32_t at = nodes_[array].first;
  for (; index > 0; --index) at = nodes_[at].next;
  return at;
}

std::uint32_t PartialArgs::add(std::uint32_t parent, std::string_view key) {
  if (nodes_.size() >= kNodes) return 0;
  const auto added = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back().key = key;
  Node& of = nodes_[parent];
  (of.size == 0 ? of.first : nodes_[of.last].next) = added;
  of.last = added;
  ++of.size;
  constexpr std::size_t kAround = 8;  // "key":{…}, at most, and the quotes of a string
  bytes_ += key.size() + kAround;
  return added;
}

void PartialArgs::write(std::string& out) const {
  if (nodes_.empty()) {
    out += "{}";
  } else {
    write(nodes_.front(), out);
  }
}

// Recursion as deep as the paths are long.
void PartialArgs::write(const Node& node, std::string& out) const {
  if (node.kind == Kind::string) {
    out += joined({"\"", node.text, "\""});
  } else if (node.kind == Kind::object || node.kind == Kind::array) {
    const bool object = node.kind == Kind::object;
    out += object ? '{' : '[';
    for (std::uint32_t at = node.first; at != 0; at = nodes_[at].next) {
      if (at != node.first) out += ',';
      if (object) out += joined({"\"", nodes_[at].key, "\":"});
      write(nodes_[at], out);
    }
    out += object ? '}' : ']';
  } else {
    out += node.text.empty() ? "null" : node.text;
  }
}

void PartialArgs::clear() {
  nodes_.clear();
  bytes_ = 2;
}

}  // namespace shunt::dialect
