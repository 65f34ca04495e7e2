// User texts as rows: {stage, cause, action}, first match wins, joined by one rule, so that none can lack a
// part. Stages and actions are shared by many rows. '@' stands for what was asked for, '#' for the wait.
// Review for: no blame, no jargon, nothing technical, names of nobody; Chinese without Latin letters.
#include "classify/messages.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <string_view>

#include "base/packed_texts.h"
#include "base/strings.h"

namespace shunt::classify {
namespace {

using enum ErrorClass;

struct Both {
  std::string_view zh, en;
};

enum class Stage : std::uint8_t { submit, review, result_review, access, queue, connect, generate, receive };
constexpr Both kStages[] = {
    {"提交请求", "Submitting the request"},
    {"内容审核", "Content review"},
    {"结果审核", "Review of the result"},
    {"服务授权", "Access to the service"},
    {"排队", "Waiting in line"},
    {"连接服务", "Connecting to the service"},
    {"生成@", "Generating the @"},
    {"接收@", "Receiving the @"},
};

enum class Action : std::uint8_t {
  retry,
  keep_trying,
  admin,
  other_model,
  rephrase,
  regenerate,
  original,
  no_face,
  clear_face,
  shorten,
  smaller,
  format,
  settings,
  recreate,
  wait_for_it,
  simpler,
  restate,
  send_again,
};
constexpr Both kActions[] = {
    {"请#再试", "Please try again #"},
    {"请#再试；若仍未恢复，请联系管理员", "Please try again #; if it persists, contact the administrator"},
    {"请联系管理员处理", "Please contact the administrator"},
    {"请换用其他模型，或联系管理员", "Please choose another model or contact the administrator"},
    {"请调整描述或更换素材后再试", "Please change the wording or the material and try again"},
    {"请重新生成，或调整描述后再试", "Please generate it again, or change the wording first"},
    {"请避开受保护的角色、标志和作品后再试",
     "Please leave out protected characters, logos and works, then try again"},
    {"请换用不含真人面部的素材后再试", "Please use material without a real person's face and try again"},
    {"请换用一张清晰的正面人脸照片后再试",
     "Please use a clear photo of a face seen from the front and try again"},
    {"请精简内容，或开始新的对话后再试", "Please shorten it or start a new conversation"},
    {"请压缩或裁剪文件后再试", "Please compress or trim the file and try again"},
    {"请换用格式常见、能正常打开的文件后再试", "Please use an intact file in a common format and try again"},
    {"请检查内容和设置后再试", "Please check the content and the settings and try again"},
    {"请重新创建或上传后再试", "Please create or upload it again and retry"},
    {"请等前一个任务完成后再试", "Please wait for the earlier one to finish and try again"},
    {"请#再试，或选择较低的规格", "Please try again #, or choose a smaller size"},
    {"请再试一次，或换一种说法", "Please try once more or put it differently"},
    {"如仍需要结果，请重新提交", "Please submit it again if the result is still wanted"},
};

static_assert(std::size(kStages) == static_cast<std::size_t>(Stage::receive) + 1);
static_assert(std::size(kActions) == static_cast<std::size_t>(Action::send_again) + 1);

// The media a row is for.
constexpr std::uint8_t kText = 1U << 0U;
constexpr std::uint8_t kPicture = 1U << 1U | 1U << 2U;
constexpr std::uint8_t kAny = 0xF;
constexpr std::uint8_t kMedia = kAny ^ kText;

struct Row {
  ErrorClass error_class;
  std::uint8_t media;
  std::string_view when;  // subs, or names of rules where the sub is too wide, parted by '|'; empty = any
  Stage stage;
  Both cause;
  Action action;
};

// clang-format off: one row, one to three lines
constexpr Row kRows[] = {
    {content_policy, kAny, "copyright", Stage::review,
     {"内容可能涉及版权或商标保护", "The content may be protected by copyright or trademark"},
     Action::original},
    {content_policy, kAny, "word/real_person", Stage::review,
     {"素材中可能含有真人面部，未通过人脸审核",
      "The material may show a real person's face and did not pass the face check"},
     Action::no_face},
    {content_policy, kAny, "content_recitation", Stage::result_review,
     {"@与已有作品过于相似，没有给出", "The @ was too close to an existing work and was withheld"},
     Action::regenerate},
    {content_policy, kMedia, "content_output", Stage::result_review,
     {"@已生成，但可能含有敏感内容，没有给出", "The @ was made but may hold sensitive content and was withheld"},
     Action::regenerate},
    {content_policy, kAny, "content_output", Stage::result_review,
     {"回答可能含有敏感内容，没有给出", "The answer may hold sensitive content and was withheld"},
     Action::regenerate},
    {content_policy, kMedia, "content_input_or_output", Stage::review,
     {"描述、素材或生成的@可能含有敏感内容", "The description, the material or the @ may hold sensitive content"},
     Action::rephrase},
    {content_policy, kMedia, "", Stage::review,
     {"描述或素材可能含有敏感内容，@没有生成",
      "The description or the material may hold sensitive content; no @ was made"},
     Action::rephrase},
    {content_policy, kAny, "", Stage::review,
     {"内容没有通过安全审核", "The content did not pass the safety review"}, Action::rephrase},

    {rate_limited, kAny, "request_too_large_tpm", Stage::submit,
     {"内容超过了模型服务每分钟的处理量", "The content is more than the model service takes in a minute"},
     Action::shorten},
    {rate_limited, kMedia, "queue_full|queue_limit|concurrency", Stage::queue,
     {"正在处理的任务较多，队列已满", "Many tasks are being worked on and the line is full"}, Action::retry},
    {rate_limited, kAny, "", Stage::queue,
     {"当前请求较多，暂时无法处理", "There are many requests just now and this one could not be taken"},
     Action::retry},

    {quota_insufficient, kAny, "per_day_quota|per_month_quota|plan_window|fair_use", Stage::access,
     {"模型服务这一时段的用量已用完", "The model service's allowance for this period is used up"},
     Action::keep_trying},
    {quota_insufficient, kAny, "", Stage::access,
     {"模型服务的可用额度不足", "The model service has no allowance left"}, Action::admin},

    {auth_failure, kAny, "region", Stage::access,
     {"模型服务暂不支持当前地区", "The model service is not offered in this region"}, Action::other_model},
    {auth_failure, kAny, "model_permission|model_access|permission|verification", Stage::access,
     {"所选模型尚未对本服务开放", "The chosen model is not open to this service"}, Action::other_model},
    {auth_failure, kAny, "", Stage::access,
     {"本服务暂未获准使用模型服务", "This service could not sign in to the model service"}, Action::admin},

    {provider_unavailable, kAny, "", Stage::connect,
     {"所选模型目前不可用", "The chosen model is not available at present"}, Action::other_model},

    {invalid_request, kAny, "own_key", Stage::access,
     {"所选模型需由使用者自行授权，请求中没有提供", "The chosen model needs personal access, and the request came without"},
     Action::settings},
    {invalid_request, kAny, "context_length", Stage::submit,
     {"内容超过了模型一次能读的长度", "The content is longer than the model can read at once"}, Action::shorten},
    {invalid_request, kAny, "face_not_detected", Stage::review,
     {"图片中没有识别到清晰的人脸", "No clear face was found in the image"}, Action::clear_face},
    {invalid_request, kAny, "payload_too_large|image_too_large|file_count", Stage::submit,
     {"文件过大或过多，超出了限制", "The files are too large or too many"}, Action::smaller},
    {invalid_request, kAny,
     "invalid_image|invalid_image_url|invalid_media|invalid_audio|unsupported_file|input_download",
     Stage::submit,
     {"文件无法读取，或尺寸、格式不符合要求", "A file could not be read, or its size or format does not fit"},
     Action::format},
    {invalid_request, kAny, "stale_reference|task_not_found|resource_state", Stage::submit,
     {"引用的文件或任务已不存在或不可用", "The file or task referred to is gone or cannot be used"},
     Action::recreate},
    {invalid_request, kAny, "duplicate_request|conflict", Stage::submit,
     {"相同的任务正在处理", "The same task is being worked on already"}, Action::wait_for_it},
    {invalid_request, kMedia, "", Stage::submit,
     {"有的设置不适用于所选模型，@没有生成", "A setting does not suit the chosen model; no @ was made"},
     Action::settings},
    {invalid_request, kAny, "", Stage::submit,
     {"有的内容或设置不适用于所选模型", "Some content or setting does not suit the chosen model"},
     Action::settings},

    {external_network, kAny, "timeout|headers_timeout|body_timeout|own_timeout", Stage::generate,
     {"等待时间过长，模型服务没有及时回应", "The model service did not answer in time"}, Action::retry},
    {external_network, kAny, "truncated|reset|protocol", Stage::receive,
     {"传输中断，@没有收完整", "The connection broke before the @ was complete"}, Action::retry},
    {external_network, kAny, "", Stage::connect,
     {"暂时无法连接模型服务", "The model service cannot be reached for now"}, Action::keep_trying},

    {temporary, kAny, "overloaded|capacity|server_busy|model_loading", Stage::generate,
     {"使用人数较多，模型服务繁忙", "The model service is busy with many users"}, Action::retry},
    {temporary, kPicture, "upstream_timeout", Stage::generate,
     {"生成时间过长，任务已结束，@没有完成", "It took too long; the task ended before the @ was finished"},
     Action::simpler},
    {temporary, kAny, "upstream_timeout", Stage::generate,
     {"生成时间过长，@没有完成", "It took too long and the @ was not finished"}, Action::retry},
    {temporary, kAny, "", Stage::generate,
     {"模型服务出现临时故障", "The model service had a temporary problem"}, Action::keep_trying},

    {empty_content, kAny, "", Stage::generate,
     {"模型已处理完，但没有给出内容", "The model finished without giving any content"}, Action::restate},

    {unknown, kAny, "caller_abort", Stage::generate,
     {"任务在完成前被取消", "The task was cancelled before it was finished"}, Action::send_again},
    {unknown, kAny, "", Stage::generate,
     {"模型服务没有说明原因，@没有完成", "The model service gave no reason and the @ was not finished"},
     Action::keep_trying},
};
// clang-format on

constexpr Both kRefund = {"本次没有产生费用，已扣的部分已经退回",
                          "Nothing was charged for this; what had been taken was returned"};

constexpr Both kNouns[] = {{"回答", "answer"}, {"图片", "image"}, {"视频", "video"}, {"音频", "audio"}};

template <const auto& Pairs>
struct PairTable {
  template <typename Out>
  static constexpr void write(Out& out) {
    for (const Both& pair : Pairs) {
      out.text(pair.zh);
      out.text(pair.en);
    }
  }
};
constexpr auto kStageTexts = packed_texts<PairTable<kStages>>();
constexpr auto kActionTexts = packed_texts<PairTable<kActions>>();
constexpr auto kNounTexts = packed_texts<PairTable<kNouns>>();

Both pair_at(PackedTexts texts, unsigned place) {
  for (; place > 0; --place) {
    texts.text();
    texts.text();
  }
  const std::string_view zh = texts.text();
  return {zh, texts.text()};
}

constexpr unsigned kHalf = 4;     // bits: the media, and the class above them
constexpr unsigned kStageAt = 5;  // the action, and the stage above it
struct RowTable {
  template <typename Out>
  static constexpr void write(Out& out, std::size_t rows = std::size(kRows)) {
    for (const Row& row : std::span(kRows).first(rows)) {
      out.byte(static_cast<unsigned>(row.error_class) << kHalf | row.media);
      out.byte(static_cast<unsigned>(row.stage) << kStageAt | static_cast<unsigned>(row.action));
      out.text(row.when);
      out.text(row.cause.zh);
      out.text(row.cause.en);
    }
  }
};
constexpr auto kRowTexts = packed_texts<RowTable>();
// Where the first row of each class stands; one without any begins at the first of all.
constexpr auto kRowsAt = [] {
  std::array<std::uint16_t, kErrorClasses> places{};
  for (std::size_t row = std::size(kRows); row-- > 0;) {
    pack::Counter before;
    RowTable::write(before, row);
    places[static_cast<std::size_t>(kRows[row].error_class)] = static_cast<std::uint16_t>(before.size);
  }
  return places;
}();
static_assert(kRowTexts.size() <= 0xFFFF);

struct Found {
  unsigned stage, action;
  Both cause;
};

// The last row of each class is for everything; the last row of all is also what an unlisted class would get.
Found row_for(const Verdict& verdict, Medium medium) {
  const auto named = [&](std::string_view name) { return name == verdict.sub || name == verdict.rule; };
  const std::size_t first = kRowsAt[static_cast<std::size_t>(verdict.error_class)];
  PackedTexts rows(kRowTexts.data() + first, kRowTexts.size() - first);
  while (true) {
    const unsigned who = rows.byte();
    const unsigned what = rows.byte();
    const std::string_view when = rows.text();
    const std::string_view zh = rows.text();
    const std::string_view en = rows.text();
    const bool meant = who >> kHalf == static_cast<unsigned>(verdict.error_class) &&
                       (who >> static_cast<unsigned>(medium) & 1U) != 0 &&
                       (when.empty() || any_of_list(when, named));
    if (meant || rows.empty()) return {what >> kStageAt, what & ((1U << kStageAt) - 1), {zh, en}};
  }
}

// " 20 秒后" and "in 20 seconds": rounded up, in the unit a person would say; no word of a wait beyond a
// month.
UserText wait_words(const Verdict& verdict) {
  struct Unit {
    std::int64_t ms, most;
    Both name;
  };
  constexpr Unit kUnits[] = {{1000, 90, {"秒", "second"}},
                             {60000, 90, {"分钟", "minute"}},
                             {3600000, 36, {"小时", "hour"}},
                             {86400000, 31, {"天", "day"}}};
  const std::int64_t ms = verdict.retry_after ? verdict.retry_after->ms : 0;
  for (const Unit& unit : kUnits) {
    if (ms <= 0 || ms > unit.ms * unit.most) continue;
    std::string count;
    append_int(count, (ms + unit.ms - 1) / unit.ms);
    UserText words{" ", "in "};
    words.zh.append(count).append(" ").append(unit.name.zh).append("后");
    words.en.append(count).append(" ").append(unit.name.en).append(count == "1" ? "" : "s");
    return words;
  }
  return {"稍后", "later"};
}

// The text with the noun and the wait in place of their signs.
void append_filled(std::string& out, std::string_view text, std::string_view noun, std::string_view wait) {
  while (!text.empty()) {
    const std::size_t sign = std::min({text.find('@'), text.find('#'), text.size()});
    out += text.substr(0, sign);
    if (sign == text.size()) return;
    out += text[sign] == '@' ? noun : wait;
    text.remove_prefix(sign + 1);
  }
}

UserText told(const Verdict& verdict, Medium medium, bool refunded) {
  const Found row = row_for(verdict, medium);
  const Both noun = pair_at(kNounTexts, static_cast<unsigned>(medium));
  const UserText wait = wait_words(verdict);
  UserText out;
  out.zh.reserve(256);
  out.en.reserve(256);
  const auto say = [&](const Both& said, std::string_view end_zh, std::string_view end_en) {
    append_filled(out.zh, said.zh, noun.zh, wait.zh);
    out.zh += end_zh;
    append_filled(out.en, said.en, noun.en, wait.en);
    out.en += end_en;
  };
  say(pair_at(kStageTexts, row.stage), "阶段：", ": ");
  say(row.cause, "。", ". ");
  if (refunded) say(kRefund, "。", ". ");
  say(pair_at(kActionTexts, row.action), "。", ".");
  return out;
}

}  // namespace

UserText user_message(const Verdict& verdict, Medium medium) { return told(verdict, medium, false); }

UserText refunded_user_message(const Verdict& verdict, Medium medium) { return told(verdict, medium, true); }

std::string log_message(const Verdict& verdict) {
  std::string out(name_of(verdict.error_class));
  if (!verdict.sub.empty()) out.append("/").append(verdict.sub);
  if (!verdict.rule.empty()) out.append(" by ").append(verdict.rule);
  if (verdict.retry_after) {
    out += ", wait ";
    append_int(out, verdict.retry_after->ms);
    out += " ms";
  }
  if (!verdict.message.empty()) out.append(": ").append(verdict.message);
  return out;
}

}  // namespace shunt::classify
