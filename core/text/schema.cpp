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
  std::string name;
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
  void mend(NodeId object, NodeId properties);
  std::string near(NodeId object, std::string_view key, NodeId properties) const;
  NodeId resolved(NodeId schema) const;
  NodeId only_branch(NodeId schema) const;
  NodeId referred(std::string_view reference) const;
  bool says_something(NodeId schema) const {
    return schema_.find(schema, "properties") != kNoNode || schema_.find(schema, "items") != kNoNode ||
           schema_.find(schema, "$ref") != kNoNode;
  }

  const Outline& document_;
  const Outline& schema_;
  std::vector<Edit> edits_;  // in the document's order within each object
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
  if (document_.kind(node) != json::Kind::object || properties == kNoNode) return;
  const std::size_t begin = edits_.size();
  mend(node, properties);
  const std::vector<Edit> here(edits_.begin() + static_cast<std::ptrdiff_t>(begin), edits_.end());
  for (NodeId member = document_.first(node); member != kNoNode; member = document_.next(member)) {
    const auto edit =
        std::find_if(here.begin(), here.end(), [&](const Edit& e) { return e.member == member; });
    walk(member, schema_.find(properties, edit != here.end() ? edit->name : document_.key(member)));
  }
}

// Two keys near one property leave both as they are.
void Mender::mend(NodeId object, NodeId properties) {
  std::vector<Edit> found;
  for (NodeId member = document_.first(object); member != kNoNode; member = document_.next(member)) {
    if (schema_.find(properties, document_.key(member)) != kNoNode) continue;
    std::string name = near(object, document_.key(member), properties);
    if (!name.empty()) found.push_back({member, std::move(name)});
  }
  for (const Edit& edit : found) {
    const auto same =
        std::count_if(found.begin(), found.end(), [&](const Edit& e) { return e.name == edit.name; });
    if (same == 1) edits_.push_back(edit);
  }
}

// The only absent property within reach of `key`; empty for none and for several.
std::string Mender::near(NodeId object, std::string_view key, NodeId properties) const {
  std::string name;
  std::size_t looked = 0;
  for (NodeId one = schema_.first(properties); one != kNoNode; one = schema_.next(one)) {
    if (++looked > limits::kSchemaProperties) return {};
    const std::string_view property = schema_.key(one);
    const int distance = edit_distance(key, property, kMostEdits);
    const bool kin = distance <= kMostEdits && static_cast<std::size_t>(distance) < property.size();
    if (!kin || document_.find(object, property) != kNoNode) continue;
    if (!name.empty()) return {};
    name = property;
  }
  return name;
}

}  // namespace

std::string mend_keys(std::string_view json, std::string_view schema) {
  Outline document;
  Outline rules;
  std::string out(json);
  if (document.feed(json, true) != Outline::State::done || rules.feed(schema, true) != Outline::State::done)
    return out;
  std::vector<Edit> edits = Mender(document, rules).run();
  std::stable_sort(edits.begin(), edits.end(),
                   [](const Edit& a, const Edit& b) { return a.member < b.member; });
  out.clear();
  std::size_t copied = 0;
  for (const Edit& edit : edits) {
    const auto begin = static_cast<std::size_t>(document.key_begin(edit.member)) + 1;
    out += json.substr(copied, begin - copied);
    json::append_escaped(out, edit.name);
    copied = begin;
    while (json[copied] != '"') copied += json[copied] == '\\' ? 2 : 1;
  }
  return out.append(json.substr(copied));
}

}  // namespace shunt::text
