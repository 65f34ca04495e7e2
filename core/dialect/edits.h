// The top-level members of a body that a line sets or leaves out. Knows names, and which of them mean the
// same; no body.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "canonical/request.h"
#include "catalog/dialect_id.h"

namespace shunt::dialect {

inline constexpr std::int64_t kDefaultMaxTokens =
    4096;  // where anthropic demands one and nobody said; all its models can

struct Edit {
  std::string_view name;
  std::string value;  // JSON; empty = the member is left out
  bool done = false;  // the member has been met
};

// Views of the target: lives no longer than it does.
class Edits {
 public:
  // Where the dialect demands a member that the target leaves out, the target's default is put in its place.
  Edits(const RequestTarget& target, DialectId dialect);

  // What becomes of this member; null = it stays. openai_chat has two names for max_tokens, gemini_generate
  // two forms of every name.
  Edit* of(std::string_view member);
  bool drops(std::string_view member);  // of() says that it is left out
  void forget(std::string_view member);
  std::vector<Edit>& all() { return edits_; }

 private:
  DialectId dialect_;
  std::vector<Edit> edits_;
};

}  // namespace shunt::dialect
