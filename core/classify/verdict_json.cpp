// The members of a verdict in one order, and the providers whose name says what they make. No rules.
#include "classify/verdict_json.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/packed_texts.h"
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

// Names of providers, or what their names begin with: "kling", "kling-relay".
struct Makers {
  Medium medium;
  std::string_view names;
};
constexpr Makers kMakers[] = {
    {Medium::video, "vidu|kling|klingai|runway|runwayml|luma|lumaai|ltx|pika|hailuo|jimeng"},
    {Medium::image,
     "midjourney|runblob|stability|stabilityai|ideogram|black-forest-labs|bfl|recraft|leonardo|fal|"
     "tencent-aiart"},
    {Medium::audio, "elevenlabs|deepgram|cartesia|suno"},
};

struct MakerTable {
  template <typename Out>
  static constexpr void write(Out& out) {
    for (const Makers& makers : kMakers) {
      each_part(makers.names, [&](std::string_view name) {
        out.byte(static_cast<unsigned>(makers.medium));
        out.text(name);
      });
    }
  }
};
constexpr auto kMakerTexts = packed_texts<MakerTable>();

bool is_called(std::string_view provider, std::string_view name) {
  if (provider.size() < name.size() || !equal_fold(provider.substr(0, name.size()), name)) return false;
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
  for (PackedTexts makers(kMakerTexts); !makers.empty();) {
    const auto medium = static_cast<Medium>(makers.byte());
    if (is_called(provider, makers.text())) return medium;
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
