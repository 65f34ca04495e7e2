// The outgoing side of an exchange: what the client has been sent and in which form. Decides nothing about
// routing or failures.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "dialect/custom_calls.h"
#include "dialect/dialect.h"
#include "dialect/fold.h"
#include "exchange/elements.h"
#include "exchange/outbox.h"
#include "exchange/text_filter.h"
#include "exchange/upstream.h"

namespace shunt::exchange {

class Answer {
 public:
  struct Client {
    const dialect::Dialect* dialect = nullptr;
    bool stream = false;
    bool include_usage = false;  // openai_chat: it asked for the usage chunk
    std::string id;              // for answers whose provider gave none
    std::string model;           // as the client named it
    std::int64_t created = 0;
    TextCare text = {};             // what the route changes in a provider's texts
    std::string custom_tools = {};  // its tools that take plain text: see dialect/custom_calls.h
    bool array = false;             // its stream is one JSON array
  };

  explicit Answer(Client client) : client_(std::move(client)), calls_(client_.custom_tools) {}

  // A new attempt: forgets what an earlier one had prepared. Only before content.
  // Null: no provider, the answer is our own.
  void attempt_begins(const dialect::Dialect* provider);
  // A second attempt's side: what `other` has sent the client of its head counts for this one too.
  void join(const Answer& other) { head_sent_ = head_sent_ || other.head_sent_; }
  // One frame of the attempt's stream, in order. Before content it is prepared, afterwards it goes out.
  void take(const Step& step, Outbox& out);
  // A whole answer's events; `body` is its text, sent as it is when nothing must change.
  void take_whole(const EventList& events, std::string_view body);
  // The first content: sends what has been prepared, after the head if that has not gone out. `lines` are the
  // head's own lines; the content type is added.
  void send_content(std::string lines, Outbox& out);
  // Ends well: what is open is closed, the terminator written. Sends a plain answer whole.
  void complete(std::string lines, Outbox& out);
  // The answer broke after its head: the dialect's own error event, never a clean end. `error` is the error
  // object of the client's dialect.
  void broken(std::string_view error, Outbox& out);
  // A comment that keeps the connection alive; sends the head when it must.
  void keepalive(std::string lines, Outbox& out);
  // A plain answer that is too large to collect, same dialect: relayed as it comes from here on.
  void relay_plain(std::string lines, std::string_view body, Outbox& out);
  void relay_more(std::string_view bytes, Outbox& out) { out.bytes(bytes); }

  // The plain answer as it would be sent, for a route that wants to look at it first.
  const std::string& plain_body();

  bool head_sent() const { return head_sent_; }        // its status is fixed
  bool content_sent() const { return content_sent_; }  // failover is over
  bool same_dialect() const { return same_; }          // provider and client speak one
  bool relays() const { return relay_; }
  std::size_t prepared() const { return pending_.size(); }
  const dialect::Folded& folded() const { return folded_; }
  const Client& client() const { return client_; }
  std::size_t memory() const { return sizeof *this + pending_.capacity() + folded_.bytes(); }

 private:
  void send_head(std::string lines, Outbox& out);
  void add(const EventList& events, std::string& text);
  void release(std::string& text);
  static void tell(void* self, const Event& event);
  template <typename Say>
  void write(std::string& out, Say say);
  void relay(const Step& step, Outbox& out);
  void put(std::string_view bytes, Outbox& out);
  dialect::EncodeOptions options() const;
  void close_frame(Outbox& out);

  Client client_;
  dialect::CustomCalls calls_;
  std::unique_ptr<dialect::StreamEncoder> encoder_;
  dialect::Folded folded_;  // of a plain client
  std::string pending_;     // prepared bytes, until the head is sent
  std::string whole_;       // a plain answer that goes out as it came
  std::unique_ptr<TextFilter> filter_;
  std::string* text_ = nullptr;  // where the events being told are written
  bool same_ = false;
  bool relay_ = false;  // … and nothing changes: frames go out as they came
  bool head_sent_ = false;
  bool content_sent_ = false;
  bool done_sent_ = false;  // the relayed stream brought its own terminator
  Elements elements_;
  bool frame_open_ = false;  // the last relayed frame lacked its closing blank line
};

}  // namespace shunt::exchange
