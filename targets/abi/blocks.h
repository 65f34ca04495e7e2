// The text blocks of calls that need no engine, taken apart: shunt_classify and shunt_normalize_open.
// abi.cpp's own.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/json_writer.h"
#include "base/limits.h"
#include "base/strings.h"
#include "base/time.h"
#include "classify/classify.h"
#include "classify/verdict_json.h"
#include "dialect/normalizer.h"

namespace shunt::abi {

inline Instant to_instant(double ms) {
  CORE_CHECK(ms >= -9e15 && ms <= 9e15);
  return {static_cast<std::int64_t>(ms)};
}

inline std::uint32_t number(std::string_view digits, std::uint64_t most) {
  const auto value = parse_uint(digits);
  CORE_CHECK(value && *value <= most);
  return static_cast<std::uint32_t>(*value);
}

inline std::string_view cut_headers(std::string_view& text) {
  const std::string_view whole = text;
  while (!text.empty() && !cut(text, '\n').empty()) {
  }
  return whole.substr(0, whole.size() - text.size());
}

// The verdict on the failure that `text` tells (abi.h: shunt_classify).
inline std::string judged(std::string_view text, double wall, const classify::RuleBook& rules) {
  classify::Evidence evidence;
  evidence.provider = cut(text, '\n');
  const std::string_view medium = cut(text, '\n');
  evidence.status = static_cast<int>(number(cut(text, '\n'), 999));
  evidence.fault =
      static_cast<TransportFault>(number(cut(text, '\n'), static_cast<std::uint64_t>(TransportFault::other)));
  evidence.fault_text = cut(text, '\n');
  evidence.headers = HeaderBlock(cut_headers(text));
  evidence.body = text;
  evidence.body_cut = text.size() >= limits::kErrorBodyBytes;
  if (wall != 0) evidence.wall = WallTime{to_instant(wall).ms};
  const classify::Medium named = classify::medium_of(evidence.provider);
  std::string out;
  json::Writer json(out);
  json.begin_object();
  write_verdict(json, classify::classify(evidence, rules), classify::medium_named(medium).value_or(named));
  json.end_object();
  return out;
}

inline std::unique_ptr<dialect::Normalizer> normalizer_of(std::string_view text, double created) {
  const std::string_view from = cut(text, '\n');
  const std::string_view to = cut(text, '\n');
  const std::string_view provider = cut(text, '\n');
  const std::string_view content_type = cut(text, '\n');
  dialect::EncodeOptions options;
  options.id = cut(text, '\n');
  options.model = text;
  options.created = to_instant(created).ms;
  options.include_usage = true;
  return dialect::make_normalizer(from, to, provider, content_type, options);
}

}  // namespace shunt::abi
