// What one handle() asks of the host, gathered and then given out in one fixed order: at most one head, one
// write, one end, one attempt.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "exchange/io.h"

namespace shunt::exchange {

// Order of delivery: aborts, head, bytes, end, attempt or its next pieces, release, the store, wakes,
// emissions. One coalesced write: bytes that are one range of the payload just handed in are given as that
// range, so the host can forward its own chunk.
class Outbox {
 public:
  // From now on nothing goes to a client: there is none.
  void mute() { muted_ = true; }
  // A new input: everything earlier has been taken. `payload` may be named by bytes().
  void open(std::string_view payload);

  void abort(AttemptNo attempt) { aborts_.push_back(attempt); }
  void head(int status, std::string headers);
  // Appends client bytes. Copied, unless they continue one range of the payload.
  void bytes(std::string_view bytes);
  // The text that client bytes are appended to, for encoders.
  std::string& text();
  void end(bool clean) { end_ = SendEnd{clean}; }
  void release_body() { release_ = true; }
  // A question to the store; `bytes` of a write, `ttl` of a lease, the last three of a share of a quota.
  struct Ask {
    enum class What : std::uint8_t { get, put, lease, take };
    What what = What::get;
    std::uint32_t request = 0;
    std::string key;
    std::string bytes;
    Duration ttl;
    std::int64_t amount = 0;
    std::int64_t per_minute = 0;
    std::int64_t burst = 0;
  };
  void ask(Ask ask) { asks_.push_back(std::move(ask)); }
  void wake(std::uint32_t exchange) { wakes_.push_back(exchange); }
  void emit(Emit::Kind kind, std::string json) { emits_.emplace_back(kind, std::move(json)); }

  // Storage for the attempt to start; then start() or more_body().
  std::string url;
  std::string headers;
  BodyPieces body;
  void start(const StartAttempt& attempt) { start_ = attempt; }
  void more_body(const AttemptBody& pieces) { more_ = pieces; }

  bool has_bytes() const { return !text_.empty() || range_length_ > 0; }
  std::optional<Effect> poll();
  std::size_t memory() const;

 private:
  enum class Step : std::uint8_t { aborts, head, bytes, end, start, more, release, asks, wakes, emits };

  static Effect asked(const Ask& ask);

  std::string_view payload_;
  std::vector<AttemptNo> aborts_;
  std::optional<SendHead> head_;
  std::string head_text_;
  std::string text_;
  std::size_t range_offset_ = 0;
  std::size_t range_length_ = 0;
  std::optional<SendEnd> end_;
  std::optional<StartAttempt> start_;
  std::optional<AttemptBody> more_;
  bool release_ = false;
  bool muted_ = false;
  std::vector<Ask> asks_;
  std::vector<std::uint32_t> wakes_;
  std::vector<std::pair<Emit::Kind, std::string>> emits_;
  Step step_ = Step::aborts;
  std::size_t at_ = 0;
};

}  // namespace shunt::exchange
