// User texts: every failure the rules know has all three parts in both languages, and says nothing it must
// not.
#include "classify/messages.h"

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/strings.h"

namespace shunt::classify {
namespace {

constexpr std::array<Medium, 4> kAllMedia = {Medium::text, Medium::image, Medium::video, Medium::audio};

Verdict verdict_of(ErrorClass error_class, std::string_view sub = "", std::string_view rule = "") {
  Verdict verdict;
  verdict.error_class = error_class;
  verdict.sub = sub;
  verdict.rule = rule;
  return verdict;
}

// One failure of every kind that a golden of the rules names: "… => CLASS sub by rule".
struct Known {
  ErrorClass error_class;
  std::string sub, rule;
};
std::vector<Known> known_failures() {
  std::vector<Known> out;
  for (const char* table : {"provider", "word", "sentence", "status", "fault"}) {
    std::ifstream file(std::string(SHUNT_SOURCE_DIR "/tests/golden/classify/") + table + "_rules.md");
    for (std::string line; std::getline(file, line);) {
      const std::size_t arrow = line.rfind(" => ");
      if (arrow == std::string::npos) continue;
      std::string_view rest = std::string_view(line).substr(arrow + 4);
      const std::string_view name = cut(rest, ' ');
      for (int i = 0; i < kErrorClasses; ++i) {
        const auto error_class = static_cast<ErrorClass>(i);
        if (name_of(error_class) != name) continue;
        const std::string_view sub = cut(rest, ' ');
        cut(rest, ' ');
        out.push_back({error_class, std::string(sub), std::string(rest)});
      }
    }
  }
  for (int i = 0; i < kErrorClasses; ++i) out.push_back({static_cast<ErrorClass>(i), "", ""});
  return out;
}

template <typename Check>
void each_text(Check check) {
  for (const Known& known : known_failures()) {
    for (const Medium medium : kAllMedia) {
      Verdict verdict = verdict_of(known.error_class, known.sub, known.rule);
      for (const std::optional<Duration> wait : {std::optional<Duration>(), std::optional(seconds(20))}) {
        verdict.retry_after = wait;
        const std::string about = known.sub + " by " + known.rule;
        check(user_message(verdict, medium), 2, about);
        check(refunded_user_message(verdict, medium), 3, about);
      }
    }
  }
}

int count(std::string_view text, std::string_view part) {
  int found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size()))
    ++found;
  return found;
}

TEST(Messages, EveryFailureIsToldAsStageCauseAndAction) {
  EXPECT_GE(known_failures().size(), 400U);
  each_text([](const UserText& text, int sentences, const std::string& about) {
    EXPECT_EQ(count(text.zh, "阶段："), 1) << about << text.zh;
    EXPECT_EQ(count(text.zh, "。"), sentences) << about << text.zh;
    EXPECT_TRUE(text.zh.find("请") != std::string::npos) << about << text.zh;
    EXPECT_EQ(count(text.en, ": "), 1) << about << text.en;
    EXPECT_EQ(count(text.en, ". "), sentences - 1) << about << text.en;
    EXPECT_TRUE(text.en.find("Please ") != std::string::npos && text.en.ends_with('.')) << about << text.en;
    EXPECT_EQ((text.zh + text.en).find_first_of("@#|{}"), std::string::npos) << about << text.en;
  });
}

TEST(Messages, ChineseHoldsNoLatinLetters) {
  each_text([](const UserText& text, int, const std::string&) {
    for (const char c : text.zh) EXPECT_FALSE(is_alpha(c)) << text.zh;
  });
}

TEST(Messages, NoBlameAndNoJargon) {
  each_text([](const UserText& text, int, const std::string&) {
    for (const char* word :
         {"http", "status", "token", "api", "server", "quota", "upstream", "provider", "error", "invalid",
          "illegal", "you ", "your", "violat", "wrong", "forbidden", "key"}) {
      EXPECT_FALSE(contains_fold(text.en, word)) << word << ": " << text.en;
    }
    for (const char* word :
         {"错误", "违规", "违法", "非法", "密钥", "令牌", "接口", "服务器", "参数", "上游", "你"}) {
      EXPECT_EQ(text.zh.find(word), std::string::npos) << word << ": " << text.zh;
    }
  });
}

TEST(Messages, NothingOfTheReplyEnters) {
  Verdict verdict = verdict_of(ErrorClass::unknown);
  verdict.message = "zebra";
  EXPECT_EQ(user_message(verdict, Medium::text).en.find("zebra"), std::string::npos);
  EXPECT_NE(log_message(verdict).find("zebra"), std::string::npos);
}

struct Case {
  Verdict verdict;
  Medium medium;
  const char* zh;
  const char* en;
};

TEST(Messages, TellingFailuresHaveTheirOwnWords) {
  using enum ErrorClass;
  for (const Case& c : {
           Case{verdict_of(content_policy, "copyright"), Medium::image,
                "内容审核阶段：内容可能涉及版权或商标保护。请避开受保护的角色、标志和作品后再试。",
                "Content review: The content may be protected by copyright or trademark. Please leave out "
                "protected characters, logos and works, then try again."},
           Case{verdict_of(content_policy, "content_input", "word/real_person"), Medium::video,
                "内容审核阶段：素材中可能含有真人面部，未通过人脸审核。请换用不含真人面部的素材后再试。",
                "Content review: The material may show a real person's face and did not pass the face check. "
                "Please use material without a real person's face and try again."},
           Case{verdict_of(content_policy, "content_input"), Medium::video,
                "内容审核阶段：描述或素材可能含有敏感内容，视频没有生成。请调整描述或更换素材后再试。",
                "Content review: The description or the material may hold sensitive content; no video was "
                "made. "
                "Please change the wording or the material and try again."},
           Case{verdict_of(content_policy, "content_output"), Medium::image,
                "结果审核阶段：图片已生成，但可能含有敏感内容，没有给出。请重新生成，或调整描述后再试。",
                "Review of the result: The image was made but may hold sensitive content and was withheld. "
                "Please generate it again, or change the wording first."},
           Case{verdict_of(content_policy, "content_output"), Medium::text,
                "结果审核阶段：回答可能含有敏感内容，没有给出。请重新生成，或调整描述后再试。",
                "Review of the result: The answer may hold sensitive content and was withheld. "
                "Please generate it again, or change the wording first."},
           Case{verdict_of(invalid_request, "face_not_detected"), Medium::video,
                "内容审核阶段：图片中没有识别到清晰的人脸。请换用一张清晰的正面人脸照片后再试。",
                "Content review: No clear face was found in the image. "
                "Please use a clear photo of a face seen from the front and try again."},
           Case{verdict_of(invalid_request, "payload_too_large"), Medium::image,
                "提交请求阶段：文件过大或过多，超出了限制。请压缩或裁剪文件后再试。",
                "Submitting the request: The files are too large or too many. "
                "Please compress or trim the file and try again."},
           Case{verdict_of(rate_limited, "queue_full"), Medium::image,
                "排队阶段：正在处理的任务较多，队列已满。请稍后再试。",
                "Waiting in line: Many tasks are being worked on and the line is full. Please try again "
                "later."},
           Case{verdict_of(temporary, "upstream_timeout"), Medium::video,
                "生成视频阶段：生成时间过长，任务已结束，视频没有完成。请稍后再试，或选择较低的规格。",
                "Generating the video: It took too long; the task ended before the video was finished. "
                "Please try again later, or choose a smaller size."},
           Case{verdict_of(invalid_request, "context_length"), Medium::text,
                "提交请求阶段：内容超过了模型一次能读的长度。请精简内容，或开始新的对话后再试。",
                "Submitting the request: The content is longer than the model can read at once. "
                "Please shorten it or start a new conversation."},
       }) {
    const UserText text = user_message(c.verdict, c.medium);
    EXPECT_EQ(text.zh, c.zh);
    EXPECT_EQ(text.en, c.en);
  }
}

TEST(Messages, ARefundIsSaidBetweenCauseAndAction) {
  const UserText text = refunded_user_message(verdict_of(ErrorClass::temporary), Medium::video);
  EXPECT_EQ(text.zh,
            "生成视频阶段：模型服务出现临时故障。本次没有产生费用，已扣的部分已经退回。"
            "请稍后再试；若仍未恢复，请联系管理员。");
  EXPECT_EQ(text.en,
            "Generating the video: The model service had a temporary problem. Nothing was charged for this; "
            "what had "
            "been taken was returned. Please try again later; if it persists, contact the administrator.");
}

TEST(Messages, AStatedWaitIsNamedInTheUnitAPersonWouldSay) {
  struct Wait {
    std::int64_t ms;
    const char* zh;
    const char* en;
  };
  for (const Wait& c :
       {Wait{0, "请稍后再试", "again later."}, Wait{1, "请 1 秒后再试", "again in 1 second."},
        Wait{7660, "请 8 秒后再试", "again in 8 seconds."},
        Wait{90000, "请 90 秒后再试", "again in 90 seconds."},
        Wait{90001, "请 2 分钟后再试", "again in 2 minutes."},
        Wait{5400001, "请 2 小时后再试", "again in 2 hours."},
        Wait{200000000, "请 3 天后再试", "again in 3 days."},
        Wait{99999999999000, "请稍后再试", "again later."}, Wait{-5, "请稍后再试", "again later."}}) {
    Verdict verdict = verdict_of(ErrorClass::rate_limited);
    verdict.retry_after = milliseconds(c.ms);
    const UserText text = user_message(verdict, Medium::text);
    EXPECT_NE(text.zh.find(c.zh), std::string::npos) << text.zh;
    EXPECT_NE(text.en.find(c.en), std::string::npos) << text.en;
  }
}

TEST(Messages, TheLogHasClassSubRowWaitAndTheProvidersWordsOnOneLine) {
  Verdict verdict = verdict_of(ErrorClass::rate_limited, "rpm", "say/rpm");
  verdict.retry_after = seconds(20);
  verdict.message = "Slow down";
  EXPECT_EQ(log_message(verdict), "RATE_LIMITED/rpm by say/rpm, wait 20000 ms: Slow down");
  EXPECT_EQ(log_message(verdict_of(ErrorClass::unknown)), "UNKNOWN");
}

}  // namespace
}  // namespace shunt::classify
