// Same-dialect relay of a request: edits by range, in document order. An edit depends on its own member and
// on what stands before it, never on what comes later, so a body can be spliced while it arrives.
#include "dialect/splice.h"

#include <algorithm>
#include <string>

#include "base/json_writer.h"
#include "base/strings.h"
#include "catalog/envelopes.h"
#include "dialect/edits.h"
#include "dialect/gemini_request.h"

namespace shunt::dialect {
namespace {

using json::kNoNode;
using json::NodeId;

constexpr std::string_view kUsageAsked = R"("include_usage":true)";

std::string quoted(std::string_view text) {
  std::string json = "\"";
  json::append_escaped(json, text);
  return json + '"';
}

// The line's system text as string content, and as what it becomes where it stands apart.
struct SystemWords {
  std::string_view member;  // the system prompt's; empty = it is among the messages
  std::string_view block;   // of a list of texts, `$` being the text
  std::string_view whole;   // the member's value
};
constexpr SystemWords system_words(DialectId id) {
  if (id == DialectId::anthropic_messages) return {"system", R"({"type":"text","text":"$"})", "\"$\""};
  if (id == DialectId::openai_responses) return {"instructions", "", "\"$\""};
  if (id == DialectId::gemini_generate)
    return {"systemInstruction", R"({"text":"$"})", R"({"parts":[{"text":"$"}]})"};
  return {"", R"({"type":"text","text":"$"})", R"({"role":"system","content":"$"})"};
}
constexpr std::string_view kBlockBreak = "\\n\\n";  // between texts that become one string

class Splicer {
 public:
  Splicer(const json::Outline& body, const RequestTarget& target, DialectId dialect, BodyPieces& out)
      : o_(body),
        target_(target),
        dialect_(dialect),
        out_(out),
        edits_(target, dialect),
        words_(system_words(dialect)),
        envelope_(envelope_of(target.quirks)) {
    json::append_escaped(system_, target.system);
  }

  // Empty when all is well; else where the line's system text could not be put.
  std::string_view run(const Request& facts) {
    NodeId last = kNoNode;
    for (NodeId node = o_.first(0); node != kNoNode; node = o_.next(node)) {
      last = node;
      if (!edit(node)) return misfit_;  // this member is still arriving
    }
    if (facts.partial) {
      // What follows the last member may be the beginning of one that must be changed.
      if (last != kNoNode) copy_to(o_.end(last));
      return {};
    }
    copy_to(o_.end(0) - 1);
    append_missing(facts);
    copy_to(o_.bytes_read());
    return {};
  }

 private:
  // False when the member must be changed and is not complete yet: nothing from it on can be sent.
  bool edit(NodeId node) {
    const std::string_view key = o_.key(node);
    if (Edit* const change = edits_.of(key)) return adapt(node, *change);
    if (!system_.empty() && is_system(key)) {
      kept_ = node;
      return words_.member.empty() ? before_messages(node) : before_prompt(node);
    }
    if (key == "model") {
      model_ = true;
      if (dialect_ == DialectId::gemini_generate || envelope_ != nullptr) return remove(node);  // in the path
      return replace(node, o_.begin(node), o_.end(node), quoted(target_.model));
    }
    if (key == "anthropic_version") version_ = true;
    if (key == "stream" && envelope_ != nullptr && envelope_->stream_in_path) return remove(node);
    if (key == "stream_options" && dialect_ == DialectId::openai_chat) return edit_stream_options(node);
    if (key == "max_tokens" || key == "max_completion_tokens") return edit_max_tokens(node, key);
    kept_ = node;
    return true;
  }

  // ---- what the line changes ----

  bool adapt(NodeId node, Edit& change) {
    const std::string_view key = o_.key(node);
    if (change.value.empty()) {
      if (!o_.open(node)) out_.drop(key);
      return remove(node);
    }
    const bool again = change.done;  // under another of its names
    change.done = true;
    if (again) return remove(node);
    return replace(node, o_.key_begin(node), o_.end(node), member(change));
  }

  static std::string member(const Edit& edit) { return joined({quoted(edit.name), ":", edit.value}); }

  bool is_system(std::string_view key) const {
    if (words_.member.empty()) return key == "messages";
    if (dialect_ == DialectId::gemini_generate) return same_name(key, words_.member);
    return key == words_.member;
  }

  std::string filled(std::string_view form) const {
    const std::size_t hole = form.find('$');
    return joined({form.substr(0, hole), system_, form.substr(hole + 1)});
  }

  bool before_prompt(NodeId node) {
    system_put_ = true;
    if (o_.kind(node) == json::Kind::null)
      return change(node, o_.begin(node), o_.end(node), filled(words_.whole));
    if (o_.kind(node) != json::Kind::object || dialect_ != DialectId::gemini_generate)
      return before_texts(node);
    const NodeId parts = o_.find(node, "parts");
    if (o_.kind(parts) == json::Kind::array) return before_texts(parts);
    if (o_.open(node)) return wait(node);
    if (parts == kNoNode) {
      const std::string_view comma = o_.first(node) == kNoNode ? "" : ",";
      return insert(o_.begin(node) + 1, joined({"\"parts\":[", filled(words_.block), "]", comma}));
    }
    insert(o_.begin(parts), joined({"[", filled(words_.block), ","}));  // one part stands for a list of it
    return insert(o_.end(parts), "]");
  }

  // Into a string or a list of texts.
  bool before_texts(NodeId node) {
    const std::uint64_t inside = o_.begin(node) + 1;
    if (o_.kind(node) == json::Kind::string) {
      const bool empty = !o_.open(node) && o_.end(node) == inside + 1;
      return insert(inside, joined({system_, empty ? std::string_view() : kBlockBreak}));
    }
    if (o_.kind(node) != json::Kind::array || words_.block.empty()) {
      misfit_ = o_.key(node);
      return false;
    }
    return before_element(node, words_.block);
  }

  bool before_element(NodeId list, std::string_view form) {
    const bool empty = o_.first(list) == kNoNode;
    if (empty && o_.open(list)) return wait(kept_);
    return insert(o_.begin(list) + 1, joined({filled(form), empty ? "" : ","}));
  }

  // Into the first message where it is the system's, else as one before it.
  bool before_messages(NodeId messages) {
    const NodeId first = o_.first(messages);
    const NodeId role = o_.find(first, "role");
    const NodeId content = o_.find(first, "content");
    const auto word = o_.text(role);
    if (word == "system" || word == "developer") {
      const json::Kind kind = o_.kind(content);
      if (kind == json::Kind::string || kind == json::Kind::array) return before_texts(content);
      if (content == kNoNode && o_.open(first)) return wait(messages);
    } else if (role == kNoNode && o_.open(first)) {
      return wait(messages);
    }
    return before_element(messages, words_.whole);
  }

  bool insert(std::uint64_t at, std::string_view text) {
    copy_to(at);
    out_.literal(text);
    return true;
  }

  // Nothing from the member on can be sent before more of it has come.
  bool wait(NodeId node) {
    copy_to(o_.key_begin(node));
    return false;
  }

  // ---- what every line of the dialect needs ----

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
    bool comma = kept_ != kNoNode;
    const auto append = [&](std::string_view member) {
      if (comma) out_.literal(",");
      out_.literal(member);
      comma = true;
    };
    if (!system_.empty() && !words_.member.empty() && !system_put_)
      append(joined({"\"", words_.member, "\":", filled(words_.whole)}));
    for (const Edit& edit : edits_.all()) {
      if (!edit.done && !edit.value.empty()) append(member(edit));
    }
    if (dialect_ == DialectId::anthropic_messages && !max_tokens_ && edits_.of("max_tokens") == nullptr) {
      std::string member = "\"max_tokens\":";
      append_int(member, target_.default_max_tokens.value_or(kDefaultMaxTokens));
      append(member);
    }
    if (dialect_ == DialectId::openai_chat && facts.stream && !stream_options_ &&
        edits_.of("stream_options") == nullptr && !has(target_.quirks, Quirk::no_stream_options)) {
      append("\"stream_options\":{" + std::string(kUsageAsked) + "}");
    }
    if (envelope_ != nullptr) {
      if (!version_ && edits_.of("anthropic_version") == nullptr) append(envelope_->version);
      return;
    }
    if (!model_ && dialect_ != DialectId::gemini_generate) append("\"model\":" + quoted(target_.model));
  }

  const json::Outline& o_;
  const RequestTarget& target_;
  DialectId dialect_;
  BodyPieces& out_;
  Edits edits_;
  SystemWords words_;
  const Envelope* envelope_;
  std::string system_;       // the line's system text, escaped
  std::string_view misfit_;  // the member that cannot take it
  bool system_put_ = false;  // … has been put into the client's own
  std::uint64_t at_ = 0;     // the client's bytes before this are dealt with
  NodeId kept_ = kNoNode;    // the last member that was not removed
  bool model_ = false;
  bool version_ = false;
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
  const std::string_view misfit = Splicer(body, target, dialect, out).run(facts);
  if (misfit.empty()) return true;
  problem = {std::string(misfit), "cannot take the text that this line puts before it", 400};
  return false;
}

}  // namespace shunt::dialect
