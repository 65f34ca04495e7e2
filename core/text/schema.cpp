// Mending keys: one walk over the JSON beside its schema, then one copy with the names replaced.
#include "text/schema.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/json_writer.h"
#include "base/limits.h"
#include "base/outline.h"
#include "base/strings.h"

namespace shunt::text {
namespace {

using json::kNoNode;
using json::NodeId;
using json::Outline;

constexpr int kMostEdits = 2;
constexpr int kMostHops = 16;  // references behind one another; a circle ends here

struct Edit {
  NodeId member = kNoNode;
  NodeId property = kNoNode;  // of the schema; its name is the right one
};

class Mender {
 public:
  Mender(const Outline& document, const Outline& schema) : document_(document), schema_(schema) {}

  std::vector<Edit> run() {
    walk(0, 0);
    return std::move(edits_);
  }

 private:
  void walk(NodeId node, NodeId schema);
  std::vector<Edit> mended(NodeId object, NodeId properties) const;
  // The properties that the object does not have.
  std::vector<NodeId> absent(NodeId object, NodeId properties) const;
  NodeId near(std::string_view key, const std::vector<NodeId>& absent) const;
  bool too_many(NodeId properties) const;
  NodeId resolved(NodeId schema) const;
  NodeId only_branch(NodeId schema) const;
  NodeId referred(std::string_view reference) const;
  bool says_something(NodeId schema) const {
    return schema_.find(schema, "properties") != kNoNode || schema_.find(schema, "items") != kNoNode ||
           schema_.find(schema, "$ref") != kNoNode;
  }

  const Outline& document_;
  const Outline& schema_;
  std::vector<Edit> edits_;  // in the document's order
};

NodeId Mender::referred(std::string_view reference) const {
  if (cut(reference, '/') != "#") return kNoNode;
  NodeId node = 0;
  while (!reference.empty() && node != kNoNode) node = schema_.find(node, cut(reference, '/'));
  return node;
}

// Of anyOf, oneOf and allOf, the only schema that names anything: an optional object is one or null.
NodeId Mender::only_branch(NodeId schema) const {
  NodeId only = kNoNode;
  for (const std::string_view word : {"anyOf", "oneOf", "allOf"}) {
    for (NodeId one = schema_.first(schema_.find(schema, word)); one != kNoNode; one = schema_.next(one)) {
      if (!says_something(one)) continue;
      if (only != kNoNode) return kNoNode;
      only = one;
    }
  }
  return only;
}

NodeId Mender::resolved(NodeId schema) const {
  for (int hop = 0; hop < kMostHops && schema != kNoNode; ++hop) {
    const auto reference = schema_.text(schema_.find(schema, "$ref"));
    if (!reference && says_something(schema)) return schema;
    schema = reference ? referred(*reference) : only_branch(schema);
  }
  return kNoNode;
}

bool Mender::too_many(NodeId properties) const {
  std::size_t count = 0;
  for (NodeId one = schema_.first(properties); one != kNoNode; one = schema_.next(one)) {
    if (++count > limits::kSchemaProperties) return true;
  }
  return false;
}

// As deep as the document: the outline refuses more than kJsonDepth.
void Mender::walk(NodeId node, NodeId schema) {
  schema = resolved(schema);
  if (schema == kNoNode) return;
  if (document_.kind(node) == json::Kind::array) {
    const NodeId items = schema_.find(schema, "items");
    for (NodeId item = document_.first(node); item != kNoNode; item = document_.next(item)) walk(item, items);
    return;
  }
  const NodeId properties = schema_.find(schema, "properties");
  if (document_.kind(node) != json::Kind::object || properties == kNoNode || too_many(properties)) return;
  const std::vector<Edit> edits = mended(node, properties);
  auto edit = edits.begin();
  for (NodeId member = document_.first(node); member != kNoNode; member = document_.next(member)) {
    if (edit != edits.end() && edit->member == member) {
      edits_.push_back(*edit);
      walk(member, edit->property);
      ++edit;
    } else {
      walk(member, schema_.find(properties, document_.key(member)));
    }
  }
}

// The edits of one object, in its order. Two keys near one property leave both as they are.
std::vector<Edit> Mender::mended(NodeId object, NodeId properties) const {
  const std::vector<NodeId> targets = absent(object, properties);
  std::vector<Edit> found;
  if (targets.empty()) return found;
  std::vector<std::size_t> wanted(targets.size());
  const auto place = [&](NodeId property) {
    return static_cast<std::size_t>(std::find(targets.begin(), targets.end(), property) - targets.begin());
  };
  for (NodeId member = document_.first(object); member != kNoNode; member = document_.next(member)) {
    const std::string_view key = document_.key(member);
    if (schema_.find(properties, key) != kNoNode) continue;
    const NodeId property = near(key, targets);
    if (property == kNoNode) continue;
    found.push_back({member, property});
    ++wanted[place(property)];
  }
  std::erase_if(found, [&](const Edit& edit) { return wanted[place(edit.property)] != 1; });
  return found;
}

std::vector<NodeId> Mender::absent(NodeId object, NodeId properties) const {
  std::vector<NodeId> names;
  for (NodeId one = schema_.first(properties); one != kNoNode; one = schema_.next(one)) {
    if (document_.find(object, schema_.key(one)) == kNoNode) names.push_back(one);
  }
  return names;
}

// The only absent property within reach of `key`. Two edits of a name of two letters are another name.
NodeId Mender::near(std::string_view key, const std::vector<NodeId>& absent) const {
  NodeId found = kNoNode;
  for (const NodeId one : absent) {
    const std::string_view property = schema_.key(one);
    const int distance = edit_distance(key, property, kMostEdits);
    if (distance > kMostEdits || static_cast<std::size_t>(distance) >= property.size()) continue;
    if (found != kNoNode) return kNoNode;
    found = one;
  }
  return found;
}

}  // namespace

std::string mend_keys(std::string_view json, std::string_view schema) {
  Outline document;
  Outline rules;
  std::string out(json);
  if (document.feed(json, true) != Outline::State::done || rules.feed(schema, true) != Outline::State::done)
    return out;
  std::vector<Edit> edits = Mender(document, rules).run();
  out.clear();
  std::size_t copied = 0;
  for (const Edit& edit : edits) {
    const auto begin = static_cast<std::size_t>(document.key_begin(edit.member)) + 1;
    out += json.substr(copied, begin - copied);
    json::append_escaped(out, rules.key(edit.property));
    copied = begin;
    while (json[copied] != '"') copied += json[copied] == '\\' ? 2 : 1;
  }
  return out.append(json.substr(copied));
}

}  // namespace shunt::text
