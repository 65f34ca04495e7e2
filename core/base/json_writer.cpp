// Writes JSON text.
#include "base/json_writer.h"

#include "base/json_lex.h"
#include "base/strings.h"
#include "base/utf8.h"

namespace shunt::json {
namespace {

void append_escape(std::string& out, char c) {
  out.push_back('\\');
  switch (c) {
    case '"':
    case '\\': out.push_back(c); break;
    case '\b': out.push_back('b'); break;
    case '\f': out.push_back('f'); break;
    case '\n': out.push_back('n'); break;
    case '\r': out.push_back('r'); break;
    case '\t': out.push_back('t'); break;
    default:
      out.push_back('u');
      append_hex(out, static_cast<unsigned char>(c), 4);
      break;
  }
}

}  // namespace

void append_escaped(std::string& out, std::string_view text) {
  const auto foreign = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
  while (true) {
    const char* const stop = lex::plain_run(text.data(), text.data() + text.size());
    const auto plain = static_cast<std::size_t>(stop - text.data());
    out.append(text.substr(0, plain));
    if (plain == text.size()) return;
    text.remove_prefix(plain);
    std::size_t run = 0;
    while (run < text.size() && foreign(text[run])) ++run;
    append_replacing(out, text.substr(0, run));  // a run ends at ASCII, so no character is split
    if (run == 0) append_escape(out, text[run++]);
    text.remove_prefix(run);
  }
}

Writer& Writer::open(char bracket) {
  comma();
  out_.push_back(bracket);
  due_ = false;
  return *this;
}

Writer& Writer::close(char bracket) {
  out_.push_back(bracket);
  due_ = true;
  return *this;
}

Writer& Writer::begin_object() { return open('{'); }
Writer& Writer::end_object() { return close('}'); }
Writer& Writer::begin_array() { return open('['); }
Writer& Writer::end_array() { return close(']'); }

Writer& Writer::key(std::string_view name) {
  string(name);
  out_.push_back(':');
  due_ = false;
  return *this;
}

Writer& Writer::string(std::string_view text) {
  comma();
  out_.push_back('"');
  append_escaped(out_, text);
  out_.push_back('"');
  return *this;
}

Writer& Writer::integer(std::int64_t value) {
  comma();
  append_int(out_, value);
  return *this;
}

Writer& Writer::uinteger(std::uint64_t value) {
  comma();
  append_uint(out_, value);
  return *this;
}

Writer& Writer::micros(std::int64_t millionths) {
  constexpr std::uint64_t kUnit = 1000000;
  comma();
  auto magnitude = static_cast<std::uint64_t>(millionths);
  if (millionths < 0) {
    out_.push_back('-');
    magnitude = 0U - magnitude;
  }
  append_uint(out_, magnitude / kUnit);
  std::uint64_t fraction = magnitude % kUnit;
  if (fraction == 0) return *this;
  out_.push_back('.');
  for (std::uint64_t place = kUnit / 10; fraction != 0; place /= 10) {
    out_.push_back(static_cast<char>('0' + fraction / place));
    fraction %= place;
  }
  return *this;
}

Writer& Writer::boolean(bool value) { return raw(value ? "true" : "false"); }
Writer& Writer::null() { return raw("null"); }

Writer& Writer::raw(std::string_view json) {
  comma();
  out_.append(json);
  return *this;
}

Writer& Writer::field(std::string_view name, std::string_view text) { return key(name).string(text); }
Writer& Writer::field(std::string_view name, std::int64_t value) { return key(name).integer(value); }
Writer& Writer::flag(std::string_view name, bool value) { return key(name).boolean(value); }

void Writer::comma() {
  if (due_) out_.push_back(',');
  due_ = true;
}

}  // namespace shunt::json
