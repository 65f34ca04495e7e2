// A message: u32 total length, u32 length of the headers, u32 CRC-32 of these eight bytes; headers; payload;
// u32 CRC-32 of everything before it. A header: u8 length of its name, name, u8 type, value. Integers are
// big-endian.
#include "wire/aws_event_stream.h"

#include <algorithm>
#include <array>

#include "base/check.h"
#include "wire/crc32.h"

namespace shunt::wire {
namespace {

constexpr std::size_t kPrelude = 12;
constexpr std::size_t kChecksum = 4;

std::uint32_t u32_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint32_t>(aws_integer(bytes.substr(at, 4)));
}

// Bytes of a value by type; -1: the value begins with its length, in two bytes.
constexpr std::array<std::int8_t, 10> kValueBytes = {0, 0, 1, 2, 4, 8, -1, -1, 8, 16};

std::string_view check_headers(std::string_view bytes) {
  std::array<std::string_view, limits::kAwsHeaders> names;
  std::size_t count = 0;
  AwsHeaders headers(bytes);
  for (AwsHeader header; headers.next(header);) {
    if (count == names.size()) return fault::kTooManyHeaders;
    const auto end = names.begin() + static_cast<std::ptrdiff_t>(count);
    if (std::find(names.begin(), end, header.name) != end) return fault::kDuplicateHeader;
    names[count++] = header.name;
  }
  return headers.ok() ? std::string_view{} : fault::kBadLengths;
}

}  // namespace

std::int64_t aws_integer(std::string_view value) {
  const bool negative = !value.empty() && static_cast<unsigned char>(value[0]) >= 0x80;
  std::uint64_t bits = negative ? ~std::uint64_t{0} : 0;
  for (const char c : value) bits = bits << 8U | static_cast<unsigned char>(c);
  return static_cast<std::int64_t>(bits);
}

bool AwsHeaders::next(AwsHeader& out) {
  if (rest_.empty()) return false;
  const std::size_t name = static_cast<unsigned char>(rest_[0]);
  if (rest_.size() < 1 + name + 1) return false;
  const std::size_t type = static_cast<unsigned char>(rest_[1 + name]);
  if (type >= kValueBytes.size()) return false;
  std::size_t at = 1 + name + 1;
  auto size = static_cast<std::size_t>(std::max<std::int8_t>(kValueBytes[type], 0));
  if (kValueBytes[type] < 0) {
    if (rest_.size() < at + 2) return false;
    size = static_cast<std::size_t>(aws_integer(rest_.substr(at, 2)) & 0xFFFF);
    at += 2;
  }
  if (rest_.size() - at < size) return false;
  out = {rest_.substr(1, name), static_cast<AwsType>(type), rest_.substr(at, size)};
  rest_.remove_prefix(at + size);
  return true;
}

AwsFramer::AwsFramer(std::size_t max_payload)
    : max_payload_(max_payload), open_(kPrelude + limits::kAwsHeaderBytes + max_payload + kChecksum) {}

void AwsFramer::feed(std::string_view chunk) { broken_ ? open_.drop() : open_.feed(chunk); }

bool AwsFramer::next(Frame& out) {
  open_.release();
  headers_ = payload_ = {};
  if (broken_) return false;
  bool whole = gather(kPrelude);
  if (whole && total_ == 0) {
    // The lengths are trusted only behind their own checksum.
    if (const std::string_view fault = check_prelude(); !fault.empty()) return broken(fault, out);
  }
  whole = whole && gather(total_);
  if (!whole) return finished_ && !open_.frame().empty() && broken(fault::kIncomplete, out);
  if (const std::string_view fault = check_message(); !fault.empty()) return broken(fault, out);
  return message(out);
}

// Whether the open frame has `size` bytes; takes what the chunk has of them.
bool AwsFramer::gather(std::size_t size) {
  const std::size_t due = size - std::min(size, open_.frame().size());
  if (due > open_.rest().size()) {
    CORE_CHECK(open_.hold());
    return false;
  }
  CORE_CHECK(open_.take(due));
  return true;
}

std::string_view AwsFramer::check_prelude() {
  const std::string_view prelude = open_.frame();
  if (crc32(prelude.substr(0, 8)) != u32_at(prelude, 8)) return fault::kPreludeCrc;
  const std::size_t total = u32_at(prelude, 0);
  const std::size_t headers = u32_at(prelude, 4);
  if (total < kPrelude + kChecksum || headers > total - kPrelude - kChecksum ||
      headers > limits::kAwsHeaderBytes) {
    return fault::kBadLengths;
  }
  if (total - kPrelude - kChecksum - headers > max_payload_) return fault::kPayloadTooLong;
  total_ = total;
  headers_size_ = headers;
  return {};
}

std::string_view AwsFramer::check_message() const {
  const std::string_view message = open_.frame();
  const std::size_t covered = message.size() - kChecksum;
  if (crc32(message.substr(0, covered)) != u32_at(message, covered)) return fault::kMessageCrc;
  return check_headers(message.substr(kPrelude, headers_size_));
}

bool AwsFramer::message(Frame& out) {
  const std::string_view bytes = open_.frame();
  const std::size_t payload = kPrelude + headers_size_;
  headers_ = bytes.substr(kPrelude, headers_size_);
  payload_ = bytes.substr(payload, bytes.size() - kChecksum - payload);
  out = {};
  out.data = payload_;
  out.raw = bytes;
  std::string_view error;
  AwsHeaders headers(headers_);
  for (AwsHeader header; headers.next(header);) {
    if (header.type != AwsType::text) continue;
    if (header.name == ":event-type" || header.name == ":exception-type" || header.name == ":error-code") {
      out.event = header.value;
    } else if (header.name == ":error-message") {
      error = header.value;
    } else if (header.name == ":message-type" && header.value != "event") {
      out.kind = Frame::Kind::exception;
    }
  }
  if (out.kind == Frame::Kind::exception && out.data.empty()) out.data = error;
  open_.give();
  total_ = 0;
  return true;
}

bool AwsFramer::broken(std::string_view fault, Frame& out) {
  broken_ = true;
  out = {};
  out.kind = Frame::Kind::broken;
  out.event = fault;
  out.raw = open_.frame();
  open_.give();
  return true;
}

}  // namespace shunt::wire
