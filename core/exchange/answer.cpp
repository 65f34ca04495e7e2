// The outgoing side of an exchange.
#include "exchange/answer.h"

#include <utility>

namespace shunt::exchange {
namespace {

template <typename Kind>
bool holds(const EventList& events) {
  for (const Event& each : events) {
    if (std::get_if<Kind>(&each) != nullptr) return true;
  }
  return false;
}

// A frame that says nothing but token counts, which a client that did not ask for them is not shown.
bool only_usage(const EventList& events) {
  bool usage = false;
  for (const Event& each : events) {
    if (std::get_if<event::UsageUpdate>(&each) != nullptr) {
      usage = true;
    } else if (std::get_if<event::Start>(&each) == nullptr && std::get_if<event::Extra>(&each) == nullptr) {
      return false;
    }
  }
  return usage;
}

bool ends_with_blank_line(std::string_view raw) {
  return raw.ends_with("\n\n") || raw.ends_with("\r\n\r\n") || raw.ends_with("\r\r") ||
         raw.ends_with("\r\n\r");
}

}  // namespace

dialect::EncodeOptions Answer::options() const {
  return {client_.id, client_.model, client_.created, client_.include_usage, !client_.custom_tools.empty()};
}

void Answer::attempt_begins(const dialect::Dialect* provider) {
  const bool changes = provider != nullptr && client_.text.asked();
  filter_ = changes ? std::make_unique<TextFilter>(client_.text, tell, this) : nullptr;
  same_ = provider == client_.dialect;
  relay_ = same_ && !filter_;
  pending_.clear();
  whole_.clear();
  folded_ = {};
  done_sent_ = false;
  frame_open_ = false;
  elements_ = {};
  calls_.clear();
  encoder_ = client_.stream ? client_.dialect->make_encoder(options()) : nullptr;
}

void Answer::put(std::string_view bytes, Outbox& out) {
  if (content_sent_) {
    out.bytes(bytes);
  } else {
    pending_.append(bytes);
  }
}

void Answer::take(const Step& step, Outbox& out) {
  same_ = same_ && (step.sse || client_.array);
  relay_ = relay_ && same_;
  if (client_.stream && relay_) return relay(step, out);
  add(*step.events, content_sent_ ? out.text() : pending_);
}

void Answer::relay(const Step& step, Outbox& out) {
  const EventList& events = *step.events;
  if (holds<event::BadFrame>(events) || step.frame->kind == wire::Frame::Kind::stray) return;
  const bool hide = client_.dialect->id == DialectId::openai_chat && !client_.include_usage;
  if (hide && only_usage(events)) return;
  if (done_sent_) return;  // nothing after the terminator
  done_sent_ = holds<event::Done>(events);
  const bool event = step.frame->kind == wire::Frame::Kind::event;
  if (client_.array) {
    if (event) elements_.add(step.frame->data, content_sent_ ? out.text() : pending_);
    return;
  }
  frame_open_ = event && !ends_with_blank_line(step.frame->raw);
  put(step.frame->raw, out);
}

void Answer::add(const EventList& events, std::string& text) {
  text_ = &text;
  for (const Event& each : calls_.adapted(events)) filter_ ? filter_->take(each) : tell(this, each);
}

// No more text will come.
void Answer::release(std::string& text) {
  text_ = &text;
  if (filter_) filter_->finish();
}

// To the client's stream, or gathered for its plain answer.
void Answer::tell(void* self, const Event& event) {
  auto& answer = *static_cast<Answer*>(self);
  if (!answer.client_.stream) return answer.folded_.add(event);
  answer.write(*answer.text_, [&](std::string& out) { answer.encoder_->encode(event, out); });
}

// What the encoder says, in the form of the client's stream.
template <typename Say>
void Answer::write(std::string& out, Say say) {
  if (!client_.array) return say(out);
  std::string frames;
  say(frames);
  elements_.add_frames(frames, out);
}

void Answer::take_whole(const EventList& events, std::string_view body) {
  if (client_.stream) same_ = false;
  relay_ = same_ && !(filter_ && TextFilter::concerns(body));
  add(events, pending_);
  if (relay_) whole_.assign(body);
}

const std::string& Answer::plain_body() {
  release(pending_);
  if (whole_.empty()) client_.dialect->encode_answer(folded_, options(), whole_);
  return whole_;
}

void Answer::send_head(std::string lines, Outbox& out) {
  if (head_sent_) return;
  lines += client_.stream && !client_.array
               ? "content-type: text/event-stream; charset=utf-8\ncache-control: no-cache\n"
               : "content-type: application/json\n";
  out.head(200, std::move(lines));
  head_sent_ = true;
}

void Answer::send_content(std::string lines, Outbox& out) {
  send_head(std::move(lines), out);
  if (content_sent_) return;
  content_sent_ = true;
  if (!pending_.empty()) out.text().append(pending_);
  pending_ = {};
}

// A frame given out at the end of a stream that lacked its blank line must not swallow what we write next.
void Answer::close_frame(Outbox& out) {
  if (frame_open_) out.text().append("\n\n");
  frame_open_ = false;
}

void Answer::complete(std::string lines, Outbox& out) {
  send_content(std::move(lines), out);
  if (!client_.stream) {
    out.text().append(plain_body());
  } else if (!relay_) {
    release(out.text());
    write(out.text(), [&](std::string& to) { encoder_->end(to); });
  } else if (!done_sent_) {
    close_frame(out);
    out.text().append(client_.dialect->terminator);
  }
  if (client_.array) elements_.end(out.text());
  out.end(true);
}

void Answer::broken(std::string_view error, Outbox& out) {
  if (!client_.stream) {  // a plain answer under way can only break
    out.end(false);
    return;
  }
  if (content_sent_) close_frame(out);
  if (!encoder_) encoder_ = client_.dialect->make_encoder(options());
  if (content_sent_) {
    release(out.text());
  } else {
    elements_ = {};  // what was prepared does not go out
  }
  write(out.text(), [&](std::string& to) { encoder_->broken(error, to); });
  if (client_.array) elements_.end(out.text());
  out.end(true);
}

void Answer::keepalive(std::string lines, Outbox& out) {
  if (!client_.stream) return;
  send_head(std::move(lines), out);
  out.text().append(client_.dialect->keepalive);
}

void Answer::relay_plain(std::string lines, std::string_view body, Outbox& out) {
  send_content(std::move(lines), out);
  out.text().append(body);
}

}  // namespace shunt::exchange
