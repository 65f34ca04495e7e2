// What a person is told about a failure, in Chinese and English, and what the log keeps of it. Knows verdicts
// only: no key, host, provider's name or body can enter a user's text.
#pragma once

#include <cstdint>
#include <string>

#include "canonical/failure.h"

namespace shunt::classify {

// What was asked for: the texts name it and some failures exist only for it.
enum class Medium : std::uint8_t { text, image, video, audio };

struct UserText {
  std::string zh;
  std::string en;
};

// The stage that failed, what happened, what can be done, each a sentence or the lead of one. A stated wait
// (`retry_after`; put the true remaining time there first) is named in the advice.
UserText user_message(const Verdict& verdict, Medium medium);

// The same for a task whose charge was returned: says so between what happened and what can be done.
UserText refunded_user_message(const Verdict& verdict, Medium medium);

// One line for operators: "RATE_LIMITED/rpm by word/rate, wait 20000 ms: the provider's own words, redacted".
std::string log_message(const Verdict& verdict);

}  // namespace shunt::classify
