// Where every value of a provider's JSON went: an independent reading of a frame against the events that were
// made of it. Knows the dialects' members by its own table (leaf_rows.cpp), shares no code with the decoders.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "canonical/events.h"
#include "catalog/dialect_id.h"
#include "wire/frame.h"

namespace shunt::dialect::test {

// What an event has of a member, or why it needs none.
enum class Fate : std::uint8_t {
  text,
  reasoning,  // text, signature or sealed text of it
  refusal,
  any,  // of these three and of arguments, whichever the value is a part of
  call_id,
  call_name,
  arguments,  // a fragment as it is, or the whole as any JSON
  usage,      // the object
  counts,     // one of the counts beside the answer: the usage is the whole frame
  finish,
  id,       // of the answer: these three are said once, and must be the same ever after
  model,    //
  created,  //
  place,    // which part of the answer is meant
  patch,    // a piece of arguments that come as JSON paths and values
  padding,  // against length analysis: random
  near,     // a number that extras told before, with other digits behind
  fixed,    // one of the row's words, always the same in its place
};

// A member that events have. `path`: keys divided by '/', * for a place in a list.
struct Row {
  std::string_view path;
  Fate fate;
  std::string_view words = {};  // of fixed: what it may be, divided by '|', as JSON
  bool again = false;           // it may say once more what has been said
};

// An extra that is kept whole although events have some of it: what it was part of cannot be told without.
struct Whole {
  DialectId dialect;
  std::string_view key;
  std::string_view why;
  std::string_view made = {};  // of no member: what it says by being there; * = anything
};

std::span<const Row> rows_of(DialectId dialect);
std::span<const Whole> wholes();

// One answer, frame by frame.
class LeafLedger {
 public:
  explicit LeafLedger(DialectId dialect) : dialect_(dialect), rows_(rows_of(dialect)) {}

  void frame(const nlohmann::json& value, const EventList& events);
  // The answer is over: one line for each value that is nowhere, and for each extra that holds what events
  // have.
  std::vector<std::string> faults();

  const std::set<std::string_view>& used_wholes() const { return used_wholes_; }

 private:
  struct Told {
    std::string text;
    bool used = false;
  };
  struct Kept {  // an extra or error of this frame
    std::string key;
    nlohmann::json value;
    bool used = false;
  };
  struct Fault {
    std::string what, path;
    nlohmann::json value;
    bool may_come = false;  // a later extra may hold it
  };
  struct Inside {                      // of an extra, while its values are gone through
    std::size_t ours = 0, theirs = 0;  // values that events have, that no event has
  };

  void take(const EventList& events);
  void take_call(int choice, int call, std::string_view id, std::string_view name);
  void walk(const nlohmann::json& node, const std::string& path, Inside* inside);
  void each_inside(const nlohmann::json& node, const std::string& path, Inside* inside);
  bool kept(const nlohmann::json& node, const std::string& path);
  bool is_above_rows(std::string path) const;
  const Row* row_at(const std::string& path) const;
  bool is_said(const Row& row, const nlohmann::json& node);
  bool is_said_text(Fate fate, bool again, const std::string& text);
  bool was_said(const nlohmann::json& node, const std::string& path) const;
  bool is_said_arguments(const nlohmann::json& node);
  bool is_same(const Row& row, std::string_view said, const nlohmann::json& node);
  void leave(const Kept& extra);
  bool comes_later(const Fault& fault) const;
  bool is_near(double number) const;
  bool is_in_arguments(const nlohmann::json& patch) const;

  DialectId dialect_;
  std::span<const Row> rows_;
  // Of the answer so far.
  bool started_ = false;
  std::string id_, model_;
  std::int64_t created_ = 0;
  std::map<Fate, std::string> so_far_;
  std::map<std::pair<int, int>, std::string> arguments_;
  std::set<std::string> ids_, names_, finishes_;
  std::vector<nlohmann::json> usages_;
  std::map<std::string, nlohmann::json> extras_;  // by path
  std::set<std::string_view> used_wholes_;
  // Of the frame.
  std::map<Fate, std::vector<Told>> told_;
  std::vector<Kept> extra_, error_;
  nlohmann::json root_;

  std::vector<nlohmann::json> patches_;
  std::vector<Fault> faults_;
};

}  // namespace shunt::dialect::test
