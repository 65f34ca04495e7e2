// The outline of a JSON document, built from the scanner's tokens.
#include "base/outline.h"

#include <algorithm>

#include "base/order.h"
#include "base/strings.h"

namespace shunt::json {
namespace {

// Values kept whole leave room for the heads of what comes behind them.
constexpr std::size_t kMostKept = limits::kOutlineText / 4 * 3;

constexpr const char* kTooManyValues = "too many values";
constexpr const char* kTooMuchText = "too much text in keys and short strings";

bool holds(std::span<const std::string_view> keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

const Outline::Node Outline::kAbsent{};

Outline::Outline(const Options& options) : options_(options) {
  options_.keep_text = std::min(options_.keep_text, limits::kTokenBytes);
}

Outline::State Outline::feed(std::string_view slice, bool last) {
  if (state_ != State::reading) return state_;
  bytes_read_ += slice.size();
  slice_ = slice;
  scanner_.feed(slice, last);
  while (state_ == State::reading) {
    const Token token = scanner_.next();
    if (token == Token::need_more) {
      show_long_string();
      keep_until(bytes_read_);
      break;
    }
    if (!in_opaque(token)) take(token);
  }
  return state_;
}

// The token stands inside an opaque container; the one that closes it does not.
bool Outline::in_opaque(Token token) {
  if (opaque_depth_ == 0 || token == Token::error) return false;
  if (scanner_.depth() >= opaque_depth_) return true;
  opaque_depth_ = 0;
  return false;
}

void Outline::take(Token token) {
  switch (token) {
    case Token::need_more: break;
    case Token::end: state_ = State::done; break;
    case Token::error: fail(scanner_.error().offset, scanner_.error().what); break;
    case Token::object_begin: add_container(Kind::object); break;
    case Token::array_begin: add_container(Kind::array); break;
    case Token::object_end:
    case Token::array_end:
      last_ = open_.back();
      open_.pop_back();
      complete(last_);
      keep_until(scanner_.end());
      nodes_[last_].whole = kept_ == last_;
      kept_ = kNoNode;
      break;
    case Token::key: take_key(); break;
    case Token::string:
      if (long_string_ == kNoNode) {
        add(Kind::string, true);
      } else {
        complete(long_string_);
        nodes_[long_string_].escaped = scanner_.escaped();
        long_string_ = kNoNode;
      }
      break;
    case Token::number: add(Kind::number, true); break;
    case Token::boolean_true:
    case Token::boolean_false:
      if (add(Kind::boolean, true)) nodes_.back().is_true = token == Token::boolean_true;
      break;
    case Token::null: add(Kind::null, true); break;
  }
}

void Outline::take_key() {
  if (text_.size() + scanner_.text().size() > limits::kOutlineText) {
    return fail(scanner_.begin(), kTooMuchText);
  }
  key_.key_begin = scanner_.begin();
  key_.text_at = static_cast<std::uint32_t>(text_.size());
  unescape(scanner_.text(), text_);
  key_.key_size = static_cast<std::uint16_t>(text_.size() - key_.text_at);
  const std::string_view name = std::string_view(text_).substr(key_.text_at);
  opaque_key_ = holds(options_.opaque_keys, name);
  keep_key_ = open_.size() > 1 && holds(options_.keep_keys, name);
  if (keep_key_) scanner_.gather_next(limits::kOutlineKeep);
}

// Makes a node of the scanner's token, or of the long string it is in the middle of.
bool Outline::add(Kind kind, bool complete) {
  std::string_view head;
  if (kind == Kind::string || kind == Kind::number) head = scanner_.text();
  const std::size_t size = head.size();
  const std::size_t room = limits::kOutlineText - text_.size();
  const bool kept =
      keep_key_ && scanner_.whole() && size <= limits::kOutlineKeep && text_.size() + size <= kMostKept;
  if (!kept && size > options_.keep_text) head = lex::whole_prefix(head.substr(0, options_.keep_text));
  const bool full = nodes_.size() == limits::kOutlineNodes;
  if (full || head.size() > room) {
    fail(scanner_.begin(), full ? kTooManyValues : kTooMuchText);
    return false;
  }
  Node node = key_;
  if (node.key_size == 0) node.text_at = static_cast<std::uint32_t>(text_.size());
  text_.append(head);
  node.begin = scanner_.begin();
  node.size = complete ? scanner_.end() - scanner_.begin() : 0;
  node.head_size = static_cast<std::uint32_t>(head.size());
  node.kind = kind;
  node.whole = head.size() == size && scanner_.whole();
  node.escaped = kind == Kind::string && scanner_.escaped();
  const auto id = static_cast<NodeId>(nodes_.size());
  if (last_ != kNoNode) nodes_[last_].next = id;
  last_ = id;
  nodes_.push_back(node);
  key_ = {};
  opaque_key_ = keep_key_ = false;
  return true;
}

void Outline::add_container(Kind kind) {
  const bool opaque = opaque_key_;
  const bool kept = opaque && keep_key_;
  if (!add(kind, false)) return;
  nodes_[last_].whole = false;
  if (opaque) opaque_depth_ = scanner_.depth();
  if (kept) {
    kept_ = last_;
    kept_to_ = scanner_.begin();
  }
  open_.push_back(last_);
  last_ = kNoNode;
}

// Keeps the bytes of the kept container up to `offset`, which is inside the slice or its end; gives it up
// when too large.
void Outline::keep_until(std::uint64_t offset) {
  if (kept_ == kNoNode) return;
  Node& node = nodes_[kept_];
  const std::uint64_t slice_begin = bytes_read_ - slice_.size();
  const std::string_view piece = slice_.substr(static_cast<std::size_t>(kept_to_ - slice_begin),
                                               static_cast<std::size_t>(offset - kept_to_));
  if (node.head_size + piece.size() > limits::kOutlineKeep || text_.size() + piece.size() > kMostKept) {
    text_.resize(text_.size() - node.head_size);
    node.head_size = 0;
    kept_ = kNoNode;
    return;
  }
  text_.append(piece);
  node.head_size += static_cast<std::uint32_t>(piece.size());
  kept_to_ = offset;
}

void Outline::complete(NodeId node) { nodes_[node].size = scanner_.end() - nodes_[node].begin; }

void Outline::show_long_string() {
  if (!scanner_.in_long_string() || opaque_depth_ > 0) return;
  if (long_string_ == kNoNode && add(Kind::string, false)) long_string_ = last_;
  if (long_string_ != kNoNode) nodes_[long_string_].escaped = scanner_.escaped();
}

void Outline::fail(std::uint64_t offset, const char* what) {
  error_ = {offset, what};
  state_ = State::failed;
}

NodeId Outline::first(NodeId container) const {
  const Kind its = kind(container);
  if (its != Kind::object && its != Kind::array) return kNoNode;
  const NodeId child = container + 1;
  return child < nodes_.size() && nodes_[child].begin < end(container) ? child : kNoNode;
}

NodeId Outline::find(NodeId object, std::string_view name) const {
  NodeId found = kNoNode;
  if (kind(object) != Kind::object) return found;
  for (NodeId member = first(object); member != kNoNode; member = next(member)) {
    if (key(member) == name) found = member;
  }
  return found;
}

NodeId Outline::duplicate(NodeId object) const {
  if (kind(object) != Kind::object) return kNoNode;
  std::vector<NodeId> members;
  for (NodeId member = first(object); member != kNoNode; member = next(member)) members.push_back(member);
  stable_order(members, [this](NodeId a, NodeId b) { return key(a) < key(b); });
  NodeId second = kNoNode;
  for (std::size_t i = 1; i < members.size(); ++i) {
    if (key(members[i - 1]) == key(members[i])) second = std::min(second, members[i]);
  }
  return second;
}

std::string_view Outline::key(NodeId member) const {
  const Node& node = at(member);
  return std::string_view(text_).substr(node.text_at, node.key_size);
}

std::uint64_t Outline::end(NodeId node) const {
  return open(node) ? bytes_read_ : at(node).begin + at(node).size;
}

std::string_view Outline::raw_head(NodeId node) const {
  const Node& its = at(node);
  return std::string_view(text_).substr(its.text_at + its.key_size, its.head_size);
}

std::optional<std::string> Outline::text(NodeId node) const {
  if (kind(node) != Kind::string || !whole(node)) return std::nullopt;
  std::string out;
  unescape(raw_head(node), out);
  return out;
}

std::optional<std::int64_t> Outline::integer(NodeId node) const {
  if (kind(node) != Kind::number || !whole(node)) return std::nullopt;
  return parse_int(raw_head(node));
}

std::size_t Outline::memory() const {
  return sizeof *this + nodes_.capacity() * sizeof(Node) + text_.capacity() +
         open_.capacity() * sizeof(NodeId) + scanner_.memory();
}

}  // namespace shunt::json
