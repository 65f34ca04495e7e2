// A provider's sentence made ready for rules to look into. Knows no rule.
#pragma once

#include <string>
#include <string_view>

#include "classify/reading.h"

namespace shunt::classify {

// The sentence as rules match it: lower case, white space folded, and what stands in quotes
// replaced by #, because prompts, names and values are echoed there. At most 1 KB.
std::string sentence_of(std::string_view message);

// What sentences of rules are looked for in: the sentence, and the words of the names of quotas behind it.
std::string matched_text(const Reading& reading);

// The last HTTP status of 400 to 599 that a sentence names as one, "upstream returned status 429"; else 0.
int named_status(std::string_view sentence);

}  // namespace shunt::classify
