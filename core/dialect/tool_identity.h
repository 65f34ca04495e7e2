// Which tool call a delta belongs to: providers leave out, repeat, rotate and share the ids and indexes that
// should say it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dialect/numbered.h"

namespace shunt::dialect {

inline constexpr std::size_t kToolCalls =
    1024;  // of one choice; parallel calls seen in traffic stay below 20

// The calls of one choice, numbered by first appearance.
class ToolIdentity {
 public:
  struct Delta {
    std::optional<std::int64_t> index;
    std::string_view id;
    std::string_view name;
  };
  struct Match {
    int call = -1;         // -1: one call too many
    bool fresh = false;    // the call begins with this delta
    bool late_id = false;  // it began without an id, and this delta has it
    bool late_name = false;
  };
  Match match(const Delta& delta);
  // The call it belongs to among those that have begun; -1 = none.
  int find(const Delta& delta);

  bool empty() const { return calls_.empty(); }

 private:
  struct Call {
    std::string id;
    std::optional<std::int64_t> index;
    bool named = false;
  };

  int find_id(std::string_view id);
  int find_index(std::int64_t index);

  Numbered<Call> calls_;
};

}  // namespace shunt::dialect
