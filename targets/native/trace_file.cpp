// Reading and writing shunt-trace/1. One table of names serves both ways.
#include "native/trace_file.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include <fmt/format.h>

#include "base/json.h"
#include "base/json_writer.h"
#include "base/limits.h"
#include "base/strings.h"
#include "base/utf8.h"
#include "canonical/failure.h"
#include "exchange/io.h"
#include "native/base64.h"

namespace shunt::native {
namespace {

using abi::EffectOp;
using abi::InputOp;
using Kind = TraceLine::Kind;

constexpr std::string_view kFormat = "shunt-trace/1";

// By number; the first is never in a file.
constexpr auto kInputs = std::to_array<std::string_view>(
    {"none", "request_arrived", "request_bytes", "request_ended", "head_arrived", "bytes_arrived",
     "attempt_ended", "attempt_broke", "client_paused", "client_ready", "client_gone", "timer_fired",
     "store_answered", "started", "woken"});
constexpr auto kEffects =
    std::to_array<std::string_view>({"", "start_attempt", "attempt_body", "release_body", "abort_attempt",
                                     "send_head", "send_bytes", "send_end", "emit", "timer", "plan_line",
                                     "store_get", "store_put", "store_lease", "store_take", "wake"});

// What the boundary takes as a time; more would be the host's own bug there.
constexpr double kTimeLimit = 9e15;

template <std::size_t N>
std::optional<std::uint32_t> number_of(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 1; i < N; ++i) {
    if (names[i] == name) return static_cast<std::uint32_t>(i);
  }
  return std::nullopt;
}

// ---- writing ----

// As JavaScript writes numbers: an integer has no point, what is not finite is null.
std::string number_text(double value) {
  if (!std::isfinite(value)) return "null";
  if (std::abs(value) < kTimeLimit && value == std::trunc(value))
    return fmt::format("{}", static_cast<std::int64_t>(value));
  return fmt::format("{}", value);
}

void write_payload(json::Writer& out, const std::string& payload) {
  if (payload.empty()) return;
  if (valid_utf8(payload)) {
    out.field("p", payload);
    return;
  }
  std::string encoded;
  append_base64(encoded, payload);
  out.field("p64", encoded);
}

void write_input(json::Writer& out, const TraceLine& line) {
  const abi::Record& record = line.record;
  out.key("now").raw(number_text(line.now)).field("op", kInputs[record.op]);
  if (record.stream != 0) out.field("stream", std::int64_t{record.stream});
  if (record.a != 0) out.field("a", std::int64_t{record.a});
  if (record.b != 0) out.field("b", std::int64_t{record.b});
  if (record.t != 0) out.key("t").raw(number_text(record.t));
  write_payload(out, line.payload);
}

// Every field on every line, so that two logs compare as text.
void write_effect(json::Writer& out, const TraceLine& line) {
  const abi::Record& record = line.record;
  std::string payload;
  append_base64(payload, line.payload);
  out.field("op", kEffects[record.op]).field("stream", std::int64_t{record.stream});
  out.field("a", std::int64_t{record.a}).field("b", std::int64_t{record.b});
  out.key("t").raw(number_text(record.t)).field("p64", payload);
}

// ---- reading ----

std::optional<double> read_real(json::Cursor& in) {
  const std::string_view digits = in.read_number();
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || !(std::abs(value) <= kTimeLimit)) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> read_seed(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (text.size() != 16 || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// One line, key by key, in any order; keys it does not know are passed over.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : in_(text) {}

  // False: what() says why.
  bool read() {
    if (!in_.enter_object()) return fail("a line is one JSON object");
    for (std::string_view key; in_.next_key(key);) {
      if (!read_key(key)) return false;
    }
    if (!in_.ok() || !in_.at_end()) return fail("a line is one JSON object");
    return header ? has_config_ || fail("\"config\" is missing") : settle();
  }
  const std::string& what() const { return what_; }

  bool header = false;
  Trace trace;
  TraceLine line;

 private:
  bool fail(std::string what) {
    if (what_.empty()) what_ = std::move(what);
    return false;
  }

  bool read_key(std::string_view key) {
    if (key == "trace") {
      header = in_.read_text(scratch_) == kFormat;
      return header || fail("\"trace\" is not \"shunt-trace/1\"");
    }
    if (key == "config") return read_config();
    if (key == "snapshot") return read_base64(trace.snapshot);
    if (key == "source") return text_into(trace.source);
    if (key == "open") return read_open();
    if (key == "close") return closes_ = in_.read_bool() == true, closes_ || fail("\"close\" is not true");
    if (key == "op") return text_into(op_);
    if (key == "p") return text_into(line.payload);
    if (key == "p64") return read_base64(line.payload);
    if (key == "x") return word_into(key, line.x);
    if (key == "stream") return word_into(key, line.record.stream);
    if (key == "a") return word_into(key, line.record.a);
    if (key == "b") return word_into(key, line.record.b);
    if (key == "now") {
      has_now_ = true;
      return real_into(key, line.now);
    }
    if (key == "t" && in_.read_null()) {
      line.record.t = std::numeric_limits<double>::infinity();
      return true;
    }
    if (key == "t") return real_into(key, line.record.t);
    in_.skip();
    return true;
  }

  // An object stands for its own bytes on this line; a string for the document it holds.
  bool read_config() {
    has_config_ = true;
    trace.verbatim = in_.peek() == json::Kind::string;
    if (trace.verbatim) return text_into(trace.config);
    trace.config = in_.skip();
    return true;
  }

  bool read_open() {
    opens_ = true;
    if (!in_.enter_object()) return fail("\"open\" is not {\"seed\": …}");
    for (std::string_view key; in_.next_key(key);) {
      const bool is_kind = key == "kind";
      const auto text = is_kind || key == "seed" ? in_.read_text(scratch_) : std::nullopt;
      if (is_kind) {
        const auto kind = text ? exchange::kind_named(*text) : std::nullopt;
        if (!kind) return fail("\"kind\" is not request, probe, upkeep or admin");
        line.exchange = *kind;
        continue;
      }
      const auto seed = text ? read_seed(*text) : std::nullopt;
      if (!seed) return fail("\"open\" is not {\"seed\": sixteen hexadecimal digits}");
      line.seed = *seed;
    }
    return true;
  }

  bool text_into(std::string& out) {
    const auto text = in_.read_text(scratch_);
    if (!text) return fail("a string is expected");
    out = *text;
    return true;
  }
  bool read_base64(std::string& out) {
    const auto text = in_.read_text(scratch_);
    auto bytes = text ? from_base64(*text) : std::nullopt;
    if (!bytes) return fail("base64 is expected");
    out = std::move(*bytes);
    return true;
  }
  bool word_into(std::string_view key, std::uint32_t& out) {
    const auto value = in_.read_int();
    if (!value || *value < 0 || *value > 0xFFFFFFFFLL)
      return fail(fmt::format("\"{}\" is no 32-bit count", key));
    out = static_cast<std::uint32_t>(*value);
    return true;
  }
  bool real_into(std::string_view key, double& out) {
    const auto value = read_real(in_);
    if (!value) return fail(fmt::format("\"{}\" is no time in milliseconds", key));
    out = *value;
    return true;
  }

  // What kind of line it was, and whether the boundary would take it: it traps on what no host may say.
  bool settle() {
    if (line.x == 0) return fail("\"x\", the number of the exchange, is missing");
    if (opens_ || closes_) {
      line.kind = opens_ ? Kind::open : Kind::close;
      return true;
    }
    if (const auto effect = number_of(kEffects, op_)) {
      line.kind = Kind::effect;
      line.record.op = *effect;
      return true;
    }
    const auto input = number_of(kInputs, op_);
    if (!input) return fail(op_.empty() ? "\"op\" is missing" : "\"" + op_ + "\" is no op");
    line.record.op = *input;
    if (!has_now_) return fail("\"now\" is missing");
    if (!std::isfinite(line.record.t)) return fail("\"t\" of an input is a time");
    if (line.payload.size() > limits::kSliceBytes) return fail("a payload is over 65536 bytes");
    const bool known_fault = line.record.a <= static_cast<std::uint32_t>(TransportFault::other);
    if (static_cast<InputOp>(*input) == InputOp::attempt_broke && !known_fault)
      return fail("\"a\" is no transport fault");
    const bool known_result = line.record.a <= static_cast<std::uint32_t>(exchange::StoreResult::failed);
    if (static_cast<InputOp>(*input) == InputOp::store_answered && !known_result)
      return fail("\"a\" is no answer of a store");
    return true;
  }

  json::Cursor in_;
  std::string scratch_;
  std::string what_;
  std::string op_;
  bool opens_ = false;
  bool closes_ = false;
  bool has_now_ = false;
  bool has_config_ = false;
};

}  // namespace

bool Trace::has_effects() const {
  return std::any_of(lines.begin(), lines.end(),
                     [](const TraceLine& line) { return line.kind == Kind::effect; });
}

std::string_view name_of(InputOp op) { return kInputs[static_cast<std::size_t>(op)]; }
std::string_view name_of(EffectOp op) { return kEffects[static_cast<std::size_t>(op)]; }

bool is_trace(std::string_view text) {
  json::Cursor in(cut(text, '\n'));
  if (!in.enter_object()) return false;
  for (std::string_view key; in.next_key(key);) {
    if (key == "trace") return true;
  }
  return false;
}

bool read_traces(std::string_view text, std::vector<Trace>& out, TraceFault& fault) {
  const std::size_t before = out.size();
  for (fault.line = 1; !text.empty(); ++fault.line) {
    const std::string_view row = trim(cut(text, '\n'));
    if (row.empty()) continue;
    LineReader reader(row);
    if (!reader.read()) {
      fault.what = reader.what();
      return false;
    }
    if (reader.header) {
      reader.trace.number = fault.line;
      out.push_back(std::move(reader.trace));
      continue;
    }
    if (out.size() == before) {
      fault.what = "the first line is no header {\"trace\":\"shunt-trace/1\", …}";
      return false;
    }
    reader.line.number = fault.line;
    out.back().lines.push_back(std::move(reader.line));
  }
  return true;
}

void append_header(std::string& out, const Trace& trace) {
  json::Writer line(out);
  std::string snapshot;
  append_base64(snapshot, trace.snapshot);
  line.begin_object().field("trace", kFormat);
  if (!trace.source.empty()) line.field("source", trace.source);
  line.key("config");
  trace.verbatim ? line.string(trace.config) : line.raw(trace.config);
  line.field("snapshot", snapshot).end_object();
  out += '\n';
}

void append_line(std::string& out, const TraceLine& line) {
  json::Writer row(out);
  row.begin_object().field("x", std::int64_t{line.x});
  switch (line.kind) {
    case Kind::open: {
      std::string seed;
      append_hex(seed, line.seed, 16);
      row.key("open").begin_object().field("seed", seed);
      if (line.exchange != exchange::Kind::request) row.field("kind", exchange::name_of(line.exchange));
      row.end_object();
      break;
    }
    case Kind::input: write_input(row, line); break;
    case Kind::effect: write_effect(row, line); break;
    case Kind::close: row.flag("close", true); break;
  }
  row.end_object();
  out += '\n';
}

}  // namespace shunt::native
