// The members of a verdict in one order, and the providers whose name says what they make. No rules.
#include "classify/verdict_json.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/strings.h"

namespace shunt::classify {
namespace {

constexpr std::string_view name_of_medium(Medium medium) {
  switch (medium) {
    case Medium::text: return "text";
    case Medium::image: return "image";
    case Medium::video: return "video";
    case Medium::audio: return "audio";
  }
  return "text";
}

struct Maker {
  std::string_view name;  // of the provider, or what its name begins with: "kling", "kling-relay"
  Medium medium;
};
constexpr Maker kMakers[] = {
    {"vidu", Medium::video},
    {"kling", Medium::video},
    {"klingai", Medium::video},
    {"runway", Medium::video},
    {"runwayml", Medium::video},
    {"luma", Medium::video},
    {"lumaai", Medium::video},
    {"ltx", Medium::video},
    {"pika", Medium::video},
    {"hailuo", Medium::video},
    {"jimeng", Medium::video},
    {"midjourney", Medium::image},
    {"runblob", Medium::image},
    {"stability", Medium::image},
    {"stabilityai", Medium::image},
    {"ideogram", Medium::image},
    {"black-forest-labs", Medium::image},
    {"bfl", Medium::image},
    {"recraft", Medium::image},
    {"leonardo", Medium::image},
    {"fal", Medium::image},
    {"tencent-aiart", Medium::image},
    {"elevenlabs", Medium::audio},
    {"deepgram", Medium::audio},
    {"cartesia", Medium::audio},
    {"suno", Medium::audio},
};

bool is_called(std::string_view provider, std::string_view name) {
  if (!equal_fold(provider.substr(0, name.size()), name)) return false;
  const std::string_view rest = provider.substr(name.size());
  return rest.empty() || !(is_alpha(rest[0]) || is_digit(rest[0]));
}

void write_text(json::Writer& out, std::string_view key, const UserText& text) {
  out.key(key).begin_object().field("zh", text.zh).field("en", text.en).end_object();
}

void write_seconds(json::Writer& out, std::optional<Duration> wait) {
  if (!wait) {
    out.null();
    return;
  }
  constexpr std::int64_t kMicros = 1000;  // of a millisecond; longer waits than fit are all the same
  out.micros(std::min(wait->ms, std::numeric_limits<std::int64_t>::max() / kMicros) * kMicros);
}

}  // namespace

std::optional<Medium> medium_named(std::string_view name) {
  for (const Medium medium : {Medium::text, Medium::image, Medium::video, Medium::audio}) {
    if (name == name_of_medium(medium)) return medium;
  }
  return std::nullopt;
}

Medium medium_of(std::string_view provider) {
  for (const Maker& maker : kMakers) {
    if (is_called(provider, maker.name)) return maker.medium;
  }
  return Medium::text;
}

void write_verdict(json::Writer& out, const Verdict& verdict, Medium medium) {
  out.field("class", name_of(verdict.error_class)).key("sub");
  verdict.sub.empty() ? out.null() : out.string(verdict.sub);
  out.field("scope", name_of(verdict.scope));
  out.flag("retry_same", verdict.retry_same).flag("switch_provider", verdict.switch_provider);
  out.flag("penalise", verdict.penalty == Penalty::normal || verdict.penalty == Penalty::long_);
  out.field("penalty", name_of(verdict.penalty)).key("retry_after_s");
  write_seconds(out, verdict.retry_after);
  out.field("exposure", name_of(verdict.exposure)).field("rule", verdict.rule);
  write_text(out, "user_message", user_message(verdict, medium));
  write_text(out, "refunded_user_message", refunded_user_message(verdict, medium));
  out.field("log_message", log_message(verdict));
}

}  // namespace shunt::classify
