// Same-dialect relay of a request: edits by range, in document order. An edit depends on its own member and
// on what stands before it, never on what comes later, so a body can be spliced while it arrives.
#include "dialect/splice.h"

#include <algorithm>
#include <string>

#include "base/json_writer.h"
#include "base/strings.h"
#include "catalog/quirks.h"

namespace shunt::dialect {
namespace {

using json::kNoNode;
using json::NodeId;

constexpr std::int64_t kDefaultMaxTokens = 4096;  // where anthropic demands one and nobody said
constexpr std::string_view kUsageAsked = R"("include_usage":true)";

std::string quoted(std::string_view text) {
  std::string json = "\"";
  json::append_escaped(json, text);
  return json + '"';
}

class Splicer {
 public:
  Splicer(const json::Outline& body, const RequestTarget& target, DialectId dialect, BodyPieces& out)
      : o_(body), target_(target), dialect_(dialect), out_(out) {}

  void run(const Request& facts) {
    NodeId last = kNoNode;
    for (NodeId node = o_.first(0); node != kNoNode; node = o_.next(node)) {
      last = node;
      if (!edit(node)) return;  // this member is still arriving
    }
    if (facts.partial) {
      // What follows the last member may be the beginning of one that must be changed.
      if (last != kNoNode) copy_to(o_.end(last));
      return;
    }
    copy_to(o_.end(0) - 1);
    append_missing(facts);
    copy_to(o_.bytes_read());
  }

 private:
  // False when the member must be changed and is not complete yet: nothing from it on can be sent.
  bool edit(NodeId node) {
    const std::string_view key = o_.key(node);
    if (key == "model") {
      model_ = true;
      if (dialect_ == DialectId::gemini_generate) return remove(node);  // it stands in the path
      return replace(node, o_.begin(node), o_.end(node), quoted(target_.model));
    }
    if (key == "stream_options" && dialect_ == DialectId::openai_chat) return edit_stream_options(node);
    if (key == "max_tokens" || key == "max_completion_tokens") return edit_max_tokens(node, key);
    kept_ = node;
    return true;
  }

  // Of the two names a client may give, the first stays.
  bool edit_max_tokens(NodeId node, std::string_view key) {
    const bool renames =
        dialect_ == DialectId::openai_chat && has(target_.quirks, Quirk::max_completion_tokens);
    const bool again = max_tokens_;
    max_tokens_ = true;
    if (renames && again) return remove(node);
    if (renames && key == "max_tokens") {
      return replace(node, o_.key_begin(node), o_.begin(node), "\"max_completion_tokens\":");
    }
    kept_ = node;
    return true;
  }

  // Valid in streams only, and the client sent it: no need to know whether `stream` comes later.
  bool edit_stream_options(NodeId node) {
    stream_options_ = true;
    if (has(target_.quirks, Quirk::no_stream_options)) return remove(node);
    if (o_.kind(node) != json::Kind::object) {
      return replace(node, o_.begin(node), o_.end(node), "{" + std::string(kUsageAsked) + "}");
    }
    const NodeId usage = o_.find(node, "include_usage");
    if (usage != kNoNode) return replace(node, o_.begin(usage), o_.end(usage), "true");
    const std::string_view comma = o_.first(node) == kNoNode ? "" : ",";
    const std::uint64_t inside = o_.begin(node) + 1;
    return replace(node, inside, inside, std::string(kUsageAsked) + std::string(comma));
  }

  bool replace(NodeId node, std::uint64_t from, std::uint64_t to, std::string_view by) {
    kept_ = node;
    return change(node, from, to, by);
  }

  // With the comma before it; of members that nothing kept precedes, the one after.
  bool remove(NodeId node) {
    if (kept_ != kNoNode) return change(node, o_.end(kept_), o_.end(node), {});
    const NodeId after = o_.next(node);
    return change(node, o_.key_begin(node), after == kNoNode ? o_.end(node) : o_.key_begin(after), {});
  }

  bool change(NodeId node, std::uint64_t from, std::uint64_t to, std::string_view by) {
    if (o_.open(node)) {
      copy_to(kept_ == kNoNode || kept_ == node ? o_.key_begin(node) : o_.end(kept_));
      return false;
    }
    copy_to(from);
    out_.literal(by);
    at_ = std::max(at_, to);
    return true;
  }

  void copy_to(std::uint64_t end) {
    if (end <= at_) return;
    out_.range(at_, end - at_);
    at_ = end;
  }

  void append_missing(const Request& facts) {
    bool comma = o_.first(0) != kNoNode;
    const auto append = [&](std::string_view member) {
      if (comma) out_.literal(",");
      out_.literal(member);
      comma = true;
    };
    if (dialect_ == DialectId::anthropic_messages && !max_tokens_) {
      std::string member = "\"max_tokens\":";
      append_int(member, target_.default_max_tokens.value_or(kDefaultMaxTokens));
      append(member);
    }
    if (dialect_ == DialectId::openai_chat && facts.stream && !stream_options_ &&
        !has(target_.quirks, Quirk::no_stream_options)) {
      append("\"stream_options\":{" + std::string(kUsageAsked) + "}");
    }
    if (!model_ && dialect_ != DialectId::gemini_generate) append("\"model\":" + quoted(target_.model));
  }

  const json::Outline& o_;
  const RequestTarget& target_;
  DialectId dialect_;
  BodyPieces& out_;
  std::uint64_t at_ = 0;   // the client's bytes before this are dealt with
  NodeId kept_ = kNoNode;  // the last member that was not removed
  bool model_ = false;
  bool max_tokens_ = false;
  bool stream_options_ = false;
};

}  // namespace

bool splice_request(const json::Outline& body, const Request& facts, const RequestTarget& target,
                    DialectId dialect, BodyPieces& out, RequestProblem& problem) {
  out.clear();
  if (body.state() == json::Outline::State::failed || body.empty() || body.kind(0) != json::Kind::object) {
    problem = {"", "must be a JSON object", 400};
    return false;
  }
  Splicer(body, target, dialect, out).run(facts);
  return true;
}

}  // namespace shunt::dialect
