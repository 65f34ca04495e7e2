// What an isolate tells others of its lines, read back: which are out, until when, and which have not proved
// themselves since. Built from the isolate's own documents alone, never from the engine's tables.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/time.h"
#include "catalog/catalog.h"
#include "exchange/engine.h"
#include "health/line.h"
#include "health/record.h"

namespace shunt::sim {

class Ledger {
 public:
  explicit Ledger(const Catalog& catalog);

  // Takes what the engine would publish now. Cheap while nothing has changed.
  void refresh(exchange::Engine& engine, WallTime wall);

  enum class Standing : std::uint8_t {
    well,
    on_trial,  // what held it is over, but no probe has succeeded
    out,
    ordered_out,  // an operator's: nobody may call it
  };
  Standing standing(std::uint32_t line, std::uint32_t slot, Instant now) const;
  // Whether what holds it ends so near to `now` that it may be over or not.
  bool in_doubt(std::uint32_t line, std::uint32_t slot, Instant now) const;
  // When the last of what holds it ends; kNever = not by time.
  Instant end(std::uint32_t line, std::uint32_t slot, Instant now) const;
  // Rises when somebody ended what was in force.
  std::int64_t epoch(std::uint32_t line, std::uint32_t slot) const;
  // A leased probe of the line succeeded.
  void proved(std::uint32_t line, std::uint32_t slot, Instant now);

  std::uint64_t trips() const { return trips_; }
  Instant first_trip(std::uint32_t line) const { return first_trip_[line]; }

 private:
  // As in a record; ends in the engine's time.
  struct Cell {
    Instant open_until = Instant{0};  // the breaker's, rule or long penalty
    Instant wait_until = Instant{0};
    bool latched = false;
    bool trial = false;
    std::int64_t epoch = 0;
  };
  using Cells = std::vector<std::uint32_t>;

  const Cells& cells_of(std::uint32_t line, std::uint32_t slot) const;
  void take(const health::Entry& entry, Instant now, Duration wall_offset);
  void take_orders(std::uint32_t line, const health::Record& orders, Instant now);

  static constexpr std::uint32_t kSlots = 4;
  std::vector<Cell> cells_;
  std::vector<Cells> of_slot_;  // by line and slot
  std::map<std::string, std::uint32_t, std::less<>> lines_by_id_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t>
      named_;                                         // (first line, kind and slot) -> cell
  std::vector<std::vector<std::uint32_t>> lines_of_;  // by cell
  std::vector<Instant> first_trip_;                   // by line
  std::vector<bool> ordered_out_;                     // by line
  std::vector<std::int64_t> stamps_;                  // of each line's last order
  std::vector<bool> told_;                            // cells of the document being read
  std::uint64_t revision_ = ~std::uint64_t{0};
  std::uint64_t trips_ = 0;
  std::string document_;
  std::vector<health::Entry> entries_;
};

}  // namespace shunt::sim
