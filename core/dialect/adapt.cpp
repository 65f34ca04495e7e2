// Requests as a line wants them.
#include "dialect/adapt.h"

#include <algorithm>

#include "base/json_writer.h"
#include "dialect/edits.h"
#include "dialect/request_common.h"

namespace shunt::dialect {
namespace {

// The member that is the system prompt; empty = it is among the messages, or there is none.
std::string_view system_member(DialectId id) {
  switch (id) {
    case DialectId::anthropic_messages:
    case DialectId::bedrock_converse:
    case DialectId::ernie_native: return "system";
    case DialectId::openai_responses: return "instructions";
    case DialectId::gemini_generate: return "systemInstruction";
    case DialectId::lmstudio_native: return "system_prompt";
    case DialectId::openai_chat:
    case DialectId::cohere_chat:
    case DialectId::ollama_chat:
    case DialectId::dashscope_native:
    case DialectId::workers_ai_native:
    case DialectId::openai_completions: break;
  }
  return {};
}

// Its writer puts the line's system text in itself.
bool writes_system(DialectId id) {
  return id == DialectId::openai_responses || id == DialectId::openai_completions;
}

// The text as the first part of the first message, which becomes a system message unless it is one.
void put_before(std::string_view text, Request& request) {
  std::vector<Message>& messages = request.messages;
  if (messages.empty() || !is_system(messages.front())) {
    messages.emplace(messages.begin())->role = Role::system;
    messages.front().plain = true;
  } else {
    messages.front().plain = false;
  }
  std::vector<Part>& parts = messages.front().parts;
  parts.emplace(parts.begin())->text = escaped(text);
}

bool leave_out_system(Request& request) {
  const std::size_t before = request.messages.size();
  std::erase_if(request.messages, is_system);
  return request.messages.size() < before;
}

// Copies a body, member by member of its top level.
class MemberEditor {
 public:
  MemberEditor(Edits& edits, BodyPieces& out) : edits_(edits), out_(out) {}

  void run(const BodyPieces& body) {
    for (const BodyPieces::Piece& piece : body.pieces) {
      if (piece.literal) {
        literal(std::string_view(body.text).substr(static_cast<std::size_t>(piece.offset),
                                                   static_cast<std::size_t>(piece.length)));
      } else if (!skips_) {
        out_.range(piece.offset, piece.length);
      }
    }
  }

 private:
  void literal(std::string_view text) {
    text_ = text;
    from_ = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (in_string_) {
        in_string(text[i]);
      } else {
        i = outside(i);
      }
    }
    flush(text.size());
  }

  void in_string(char c) {
    if (escape_) {
      escape_ = false;
    } else if (c == '\\') {
      escape_ = true;
    } else if (c == '"') {
      in_string_ = false;
    }
  }

  // The place of the last byte that was dealt with.
  std::size_t outside(std::size_t i) {
    switch (text_[i]) {
      case '{':
      case '[':
        if (++depth_ == 1) key_ = true;
        return i;
      case '}':
      case ']':
        if (--depth_ == 0) end(i);
        return i;
      case ',':
        if (depth_ == 1) between(i);
        return i;
      case '"':
        if (depth_ == 1 && key_) return member(i);
        in_string_ = true;
        return i;
      default: return i;
    }
  }

  // The comma is written before the next member that stays.
  void between(std::size_t i) {
    flush(i);
    skips_ = true;
    key_ = true;
  }

  std::size_t member(std::size_t i) {
    const std::size_t end = std::min(text_.find('"', i + 1), text_.size() - 1);
    if (!skips_) flush(i);
    key_ = false;
    from_ = i;
    skips_ = false;
    const std::string_view name = text_.substr(i + 1, end - i - 1);
    Edit* const edit = edits_.of(name);
    if (edit == nullptr) {
      comma();
    } else {
      skips_ = true;
      if (edit->value.empty()) {
        out_.drop(name);
      } else if (!edit->done) {
        put(*edit);
      }
      edit->done = true;
    }
    return end;
  }

  void put(const Edit& edit) {
    comma();
    std::string json = "\"";
    json::append_escaped(json, edit.name);
    json += "\":";
    out_.literal(json += edit.value);
  }

  void comma() {
    if (any_) out_.literal(",");
    any_ = true;
  }

  void end(std::size_t i) {
    flush(i);
    for (const Edit& edit : edits_.all()) {
      if (!edit.done && !edit.value.empty()) put(edit);
    }
    from_ = i;
    skips_ = false;
  }

  void flush(std::size_t to) {
    if (!skips_ && to > from_) out_.literal(text_.substr(from_, to - from_));
    from_ = to;
  }

  Edits& edits_;
  BodyPieces& out_;
  std::string_view text_;  // the literal piece under way
  std::size_t from_ = 0;   // … and what of it comes next
  int depth_ = 0;
  bool in_string_ = false;
  bool escape_ = false;
  bool key_ = false;    // a member's name comes next
  bool skips_ = false;  // this member is left out
  bool any_ = false;    // a member has been written
};

}  // namespace

void edit_members(const BodyPieces& body, Edits& edits, BodyPieces& out) {
  out.clear();
  out.dropped = body.dropped;
  MemberEditor(edits, out).run(body);
}

bool write_adapted(const Dialect& dialect, const Request& request, const RequestTarget& target,
                   BodyPieces& out, RequestProblem& problem) {
  Edits edits(target, dialect.id);
  const std::string_view own = system_member(dialect.id);
  const bool without_system = !own.empty() && edits.drops(own);
  const bool with_text = !target.system.empty() && !writes_system(dialect.id);
  bool left_out = false;
  if (without_system || with_text) {
    Request changed = request;
    left_out = without_system && leave_out_system(changed);
    if (with_text) put_before(target.system, changed);
    if (!dialect.write_request(changed, target, out, problem)) return false;
  } else if (!dialect.write_request(request, target, out, problem)) {
    return false;
  }
  if (request.partial) return true;  // what may change comes after the messages
  if (without_system) edits.forget(own);
  if (left_out) out.drop(own);
  if (edits.all().empty()) return true;
  const BodyPieces written = std::move(out);
  edit_members(written, edits, out);
  return true;
}

}  // namespace shunt::dialect
