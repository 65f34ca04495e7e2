// Messages as turns of blocks. See turn_body.h.
#include "dialect/turn_body.h"

#include <algorithm>

#include "base/strings.h"

namespace shunt::dialect {
namespace {

bool is_empty(const Part& part) { return is_text(part) && part.text.empty(); }

// Of a block, or of what is in it.
CacheMark mark_of(const Part& part) {
  CacheMark mark = part.mark;
  for (const Part& inner : part.content) mark = std::max(mark, inner.mark);
  return mark;
}

constexpr char kUserTurn[] = R"({"role":"user","content":[)";
constexpr char kAssistantTurn[] = R"({"role":"assistant","content":[)";

// Consecutive messages of one side become one. A message is opened by its first block, so that what is empty
// (the APIs refuse empty texts) leaves no trace.
class TurnWriter {
 public:
  TurnWriter(const TurnWords& words, PieceWriter& out) : words_(words), w_(out) {}

  bool write(const Message& message) {
    for (const Part& part : message.parts) {
      if (part.kind == PartKind::thinking || part.kind == PartKind::other) {
        w_.drop("messages[].content[] of type ", part.type);
        continue;
      }
      if (is_empty(part)) continue;
      turn(message.role == Role::assistant ? kAssistantTurn : kUserTurn);
      if (!block(part, false)) return false;
    }
    return true;
  }

  void close() {
    if (turn_ != nullptr) w_.put("]}");
    turn_ = nullptr;
  }

  // `inside` a result no mark can stand apart: it stands behind the result.
  bool block(const Part& part, bool inside) {
    if (!open(part)) return false;
    if (!words_.marks_apart) w_.mark(*words_.marks, part.mark);
    w_.put("}");
    if (words_.marks_apart && !inside) w_.mark(*words_.marks, mark_of(part));
    return true;
  }

 private:
  void turn(const char* opening) {
    if (opening == turn_) return;
    close();
    turn_ = opening;
    w_.put(opening);
  }

  bool open(const Part& part) {
    switch (part.kind) {
      case PartKind::text:
      case PartKind::refusal: w_.put(words_.text, part.text); return true;
      case PartKind::image_url:
      case PartKind::image_base64:
        if (part.detail.present) w_.drop("detail");
        w_.put(words_.image);
        return source(part, part.kind == PartKind::image_url);
      case PartKind::document_url:
      case PartKind::document_base64:
        words_.numbered ? w_.integer(words_.document, ++documents_) : w_.put(words_.document);
        if (!source(part, part.kind == PartKind::document_url)) return false;
        if (words_.title != nullptr && !part.name.empty()) w_.put(words_.title, part.name);
        return true;
      case PartKind::tool_call:
        w_.put(words_.call, mended_id(part.id), part.name);
        w_.input(words_.input, part);
        w_.go_on(words_.called);
        return true;
      case PartKind::tool_result: return result(part);
      case PartKind::thinking:
      case PartKind::other: break;
    }
    return false;
  }

  bool source(const Part& part, bool url) {
    if (url) {
      if (words_.url != nullptr) w_.put(words_.url, part.text);
      return words_.url != nullptr;
    }
    std::string_view type = part.media_type;
    const auto known =
        std::find_if(words_.formats.begin(), words_.formats.end(),
                     [&](const FormatName& format) { return equal_fold(format.media_type, type); });
    if (known != words_.formats.end()) {
      type = known->name;
    } else if (!words_.formats.empty()) {
      return false;
    }
    w_.put(words_.data, escaped(type), part.text);
    return true;
  }

  bool result(const Part& result) {
    w_.put(words_.result);
    for (const Part& part : result.content) {
      if (!is_empty(part) && !block(part, true)) return false;
    }
    w_.put("]");
    if (result.is_error) w_.put(words_.failed);
    w_.put(words_.result_id, mended_id(result.id));
    return true;
  }

  const TurnWords& words_;
  PieceWriter& w_;
  const char* turn_ = nullptr;  // what opened the open turn
  std::int64_t documents_ = 0;
};

}  // namespace

bool write_turns(const TurnWords& words, const Request& request, PieceWriter& w, RequestProblem& problem) {
  TurnWriter turns(words, w);
  w.put(R"("messages":[)");
  for (const Message& message : request.messages) {
    if (!is_system(message) && !turns.write(message))
      return refuse(message, "holds what the target cannot say", problem);
  }
  if (request.partial) return true;
  turns.close();
  w.put("]");
  bool open = false;
  for (const Message& message : request.messages) {
    if (!is_system(message)) continue;
    for (const Part& part : message.parts) {
      if (is_empty(part)) continue;
      if (!is_text(part)) return refuse(message, "a system message can hold only texts here", problem);
      if (!open) w.put(R"("system":[)");
      open = true;
      turns.block(part, false);
    }
  }
  if (open) w.put("]");
  return true;
}

}  // namespace shunt::dialect
