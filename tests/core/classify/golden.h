// Goldens of rules: reads tests/golden/classify/<table>.md, judges every case, and sees to it that every row
// of the table has one.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

#include "classify/rules.h"
#include "judged.h"

namespace shunt::classify::golden {

// "429 [name: value] body" or "fault dns the runtime's text".
inline Verdict judge(std::string_view given, std::string_view provider) {
  Evidence evidence;
  evidence.provider = provider;
  if (given.starts_with("fault ")) {
    given.remove_prefix(6);
    const std::string_view word = cut(given, ' ');
    for (int i = 0; i <= static_cast<int>(TransportFault::other); ++i) {
      if (name_of(static_cast<TransportFault>(i)) == word) evidence.fault = static_cast<TransportFault>(i);
    }
    evidence.fault_text = given;
    return judged(evidence);
  }
  evidence.status = static_cast<int>(parse_int(cut(given, ' ')).value_or(-1));
  if (given.starts_with('[')) {
    given.remove_prefix(1);
    evidence.headers = HeaderBlock(cut(given, ']'));
  }
  evidence.body = trim(given);
  return judged(evidence);
}

inline std::string say(const Verdict& verdict) {
  std::string out(name_of(verdict.error_class));
  return out.append(" ").append(verdict.sub).append(" by ").append(verdict.rule);
}

inline void check(const std::string& table, Rules rules) {
  std::ifstream file(SHUNT_SOURCE_DIR "/tests/golden/classify/" + table + ".md");
  ASSERT_TRUE(file) << table;
  std::set<std::string> hit;
  std::string provider;
  bool cases = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("```")) {
      cases = line.starts_with("```cases");
      provider = cases && line.size() > 9 ? line.substr(9) : "";
    } else if (cases) {
      const std::size_t arrow = line.rfind(" => ");
      ASSERT_NE(arrow, std::string::npos) << line;
      const Verdict verdict = judge(line.substr(0, arrow), provider);
      EXPECT_EQ(say(verdict), line.substr(arrow + 4)) << line;
      hit.emplace(verdict.rule);
    }
  }
  std::set<std::string> names;
  while (const auto rule = rules.next()) {
    EXPECT_TRUE(hit.contains(std::string(rule->name))) << "no golden case is decided by " << rule->name;
    EXPECT_TRUE(names.emplace(rule->name).second) << "two rows are called " << rule->name;
  }
}

}  // namespace shunt::classify::golden
