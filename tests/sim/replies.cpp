// The texts of providers and how they fail.
#include "sim/replies.h"

namespace shunt::sim {
namespace {

constexpr std::string_view kEventStream = "content-type: text/event-stream\n";
constexpr std::string_view kJson = "content-type: application/json\n";

// One dialect's words for the same things.
struct Words {
  std::string_view begin, text, shade, finish, plain, plain_shade, plain_empty, overloaded, server_error,
      rate_limit, no_money, bad_key, error_event;
};

constexpr Words kOpenAi = {
    .begin =
        R"(data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}

)",
    .text =
        R"(data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"word "},"finish_reason":null}]}

)",
    .shade =
        R"(data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":"shade "},"finish_reason":null}]}

)",
    .finish =
        R"(data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}

data: [DONE]

)",
    .plain =
        R"({"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"words"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}})",
    .plain_shade =
        R"({"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"shades"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}})",
    .plain_empty =
        R"({"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":""},"finish_reason":"stop"}]})",
    .overloaded = R"({"error":{"message":"The engine is currently overloaded","type":"server_error"}})",
    .server_error = R"({"error":{"message":"The server had an error","type":"server_error"}})",
    .rate_limit =
        R"({"error":{"message":"Rate limit reached for requests","type":"requests","code":"rate_limit_exceeded"}})",
    .no_money =
        R"({"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","code":"insufficient_quota"}})",
    .bad_key =
        R"({"error":{"message":"Incorrect API key provided: sk-proj-5tormQ7xk2Lw9Zr4Bn8Vd3Hs6Jf1Pq0Tc.","type":"invalid_request_error","code":"invalid_api_key"}})",
    .error_event = "data: {\"error\":{\"message\":\"boom\",\"type\":\"server_error\"}}\n\n",
};

constexpr Words kAnthropic = {
    .begin =
        R"(event: message_start
data: {"type":"message_start","message":{"id":"m1","type":"message","role":"assistant","model":"m","content":[],"usage":{"input_tokens":1,"output_tokens":1}}}

event: content_block_start
data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

)",
    .text =
        R"(event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"word "}}

)",
    .shade =
        R"(event: content_block_delta
data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"shade "}}

)",
    .finish =
        R"(event: content_block_stop
data: {"type":"content_block_stop","index":0}

event: message_delta
data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}

event: message_stop
data: {"type":"message_stop"}

)",
    .plain =
        R"({"id":"m1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"words"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}})",
    .plain_shade =
        R"({"id":"m1","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"shades"}],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":1}})",
    .plain_empty =
        R"({"id":"m1","type":"message","role":"assistant","model":"m","content":[],"stop_reason":"end_turn","usage":{"input_tokens":1,"output_tokens":0}})",
    .overloaded = R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})",
    .server_error = R"({"type":"error","error":{"type":"api_error","message":"Internal server error"}})",
    .rate_limit =
        R"({"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your rate limit."}})",
    .no_money =
        R"({"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API."}})",
    .bad_key =
        R"({"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key sk-proj-5tormQ7xk2Lw9Zr4Bn8Vd3Hs6Jf1Pq0Tc"}})",
    .error_event =
        "event: error\ndata: "
        "{\"type\":\"error\",\"error\":{\"type\":\"api_error\",\"message\":\"boom\"}}\n\n",
};

const Words& words_of(const Call& call) {
  return call.dialect == DialectId::anthropic_messages ? kAnthropic : kOpenAi;
}

std::int32_t some_ms(Dice& dice, std::int64_t least, std::int64_t most) {
  return static_cast<std::int32_t>(dice.between(least, most));
}

Reply error(int status, std::string_view body, Dice& dice, std::string_view more_headers = {}) {
  Reply reply;
  reply.status = status;
  reply.head_ms = some_ms(dice, 5, 120);
  reply.headers = kJson;
  reply.headers += more_headers;
  reply.add(0, body);
  return reply;
}

Reply broken(TransportFault fault, std::int32_t after_ms) {
  Reply reply;
  reply.end = Reply::End::broken;
  reply.end_ms = after_ms;
  reply.fault = fault;
  return reply;
}

Reply fails_at_once(const Call& call, Dice& dice) {
  const Words& words = words_of(call);
  switch (dice.below(7)) {
    case 0: return error(500, words.server_error, dice);
    case 1: return error(503, words.overloaded, dice);
    case 2: return error(529, words.overloaded, dice);
    case 3: return error(502, "<html><h1>502 Bad Gateway</h1></html>", dice);
    case 4: return broken(TransportFault::refused, 3);
    case 5: return broken(TransportFault::reset, some_ms(dice, 20, 400));
    default: {
      Reply reply = error(200, call.stream ? words.error_event : words.server_error, dice);
      if (call.stream) reply.headers = kEventStream;
      return reply;
    }
  }
}

Reply stalls(const Call& call, Dice& dice) {
  Reply reply;
  if (!dice.once_in(3)) {
    reply = good_answer(call, dice);
    reply.count = call.stream ? dice.below(3) : 0;
  }
  reply.end = Reply::End::silence;
  return reply;
}

Reply is_cut(const Call& call, Dice& dice) {
  Reply reply = good_answer(call, dice);
  const bool told = call.stream && dice.once_in(2);
  if (call.stream) {
    reply.count = 1 + dice.below(reply.count - 1);
    if (told) reply.add(10, words_of(call).error_event);
  } else {
    reply.chunks[0].bytes = reply.chunks[0].bytes.substr(0, 1 + dice.below(60));
  }
  if (!dice.once_in(3)) {
    reply.end = Reply::End::broken;
    reply.fault = dice.once_in(2) ? TransportFault::reset : TransportFault::truncated;
  }
  return reply;
}

// No wait that may be believed as it stands: the line's own backoff holds, or a cap.
Reply lies(const Call& call, Dice& dice) {
  static constexpr std::string_view kWaits[] = {"",
                                                "retry-after: soon\n",
                                                "retry-after: -5\n",
                                                "retry-after: 0\n",
                                                "retry-after: 99999999999999999999\n",
                                                "retry-after: Thu, 01 Jan 1970 00:00:00 GMT\n",
                                                "retry-after-ms: NaN\n",
                                                "x-ratelimit-reset-requests: never\n"};
  return error(429, words_of(call).rate_limit, dice, dice.of(kWaits));
}

Reply says_nothing(const Call& call, Dice& dice) {
  Reply reply = good_answer(call, dice);
  if (!call.stream) {
    reply.chunks[0].bytes = words_of(call).plain_empty;
    return reply;
  }
  reply.count = 0;
  reply.add(20, words_of(call).begin);
  reply.add(20, words_of(call).finish);
  return reply;
}

}  // namespace

Reply good_answer(const Call& call, Dice& dice) {
  const Words& words = words_of(call);
  Reply reply;
  reply.status = 200;
  if (!call.stream) {
    reply.head_ms = some_ms(dice, 200, 1500);
    reply.headers = kJson;
    reply.add(1, call.shadow ? words.plain_shade : words.plain);
    return reply;
  }
  reply.head_ms = some_ms(dice, 40, 300);
  reply.headers = kEventStream;
  reply.add(some_ms(dice, 1, 200), words.begin);
  for (std::uint64_t n = 1 + dice.below(2); n > 0; --n)
    reply.add(some_ms(dice, 5, 150), call.shadow ? words.shade : words.text);
  reply.add(some_ms(dice, 5, 100), words.finish);
  reply.end_ms = dice.once_in(20) ? 3000 : 2;  // some keep the connection open behind the end
  return reply;
}

Reply throttled(const Call& call, Duration wait, Dice& dice) {
  const std::int64_t seconds = (wait.ms + 999) / 1000;
  std::string header = "retry-after: " + std::to_string(seconds) + "\n";
  Duration stated{seconds * 1000};
  if (dice.once_in(3)) {
    header = "retry-after-ms: " + std::to_string(wait.ms) + "\n";
    stated = wait;
  }
  Reply reply = error(429, words_of(call).rate_limit, dice, header);
  reply.stated = stated;
  return reply;
}

Reply limited(const Call& call, Dice& dice) { return error(429, words_of(call).rate_limit, dice); }

Reply bad_answer(Fault fault, const Call& call, Dice& dice) {
  switch (fault) {
    case Fault::brownout: return fails_at_once(call, dice);
    case Fault::outage:
      return dice.once_in(2) ? broken(TransportFault::refused, 2)
                             : error(503, words_of(call).overloaded, dice);
    case Fault::stall: return stalls(call, dice);
    case Fault::cut: return is_cut(call, dice);
    case Fault::lie: return lies(call, dice);
    case Fault::quota_end:
      return error(call.dialect == DialectId::anthropic_messages ? 400 : 429, words_of(call).no_money, dice);
    case Fault::dead_key: return error(401, words_of(call).bad_key, dice);
    case Fault::emptiness: return says_nothing(call, dice);
    case Fault::slowness: {
      Reply reply = good_answer(call, dice);
      reply.head_ms *= 6;
      return reply;
    }
    case Fault::slow_start: {
      Reply reply = good_answer(call, dice);
      reply.head_ms += some_ms(dice, 4000, 10'000);
      return reply;
    }
    case Fault::throttle:
      return throttled(call, seconds(1 + static_cast<std::int64_t>(dice.below(20))), dice);
    case Fault::client_gone:
    case Fault::client_slow:
    case Fault::host_gone:
    case Fault::late_timer:
    case Fault::lost_wake:
    case Fault::clock_stop:
    case Fault::clock_back:
    case Fault::store_late:
    case Fault::store_lost:
    case Fault::store_twice:
    case Fault::store_pace:
    case Fault::store_down:
    case Fault::store_garbage:
    case Fault::store_slow:
    case Fault::store_silent:
    case Fault::operators:
    case Fault::limits:
    case Fault::hedges:
    case Fault::shadows:
    case Fault::strategies: break;
  }
  return good_answer(call, dice);
}

bool is_whole(std::string_view tail, bool stream) {
  if (!stream) return tail.ends_with("}");
  return tail.ends_with("data: [DONE]\n\n") || tail.ends_with("{\"type\":\"message_stop\"}\n\n");
}

}  // namespace shunt::sim
