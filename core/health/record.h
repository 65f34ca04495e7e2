// What isolates and machines tell each other of a line: a join-semilattice, and a document of it. Merging is
// commutative, associative and idempotent, so records may arrive late, twice and in any order. Knows no
// breaker, store or clock.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "health/codec.h"

namespace shunt::health {

// A record is six whole numbers, none negative, 0 = nothing; what they mean depends on its kind.
//
// Of a cell: of two epochs the higher speaks alone; within one, each number is a maximum. The epoch rises
// only when a leased probe or an operator ends what was in force, so what was ended cannot come back. Ends
// are wall time in ms; `tombstone` is when everything that the epoch ended will have run out; `latched` is 1
// until an epoch ends it.
//
// Of a line's orders: three of an operator's registers, each a stamp (wall ms of the act) and a value; the
// newer stamp wins, of one stamp the greater value. Priority and weight are stored plus 1; 0 = as configured.
using Record = std::array<std::int64_t, 6>;
struct OfCell {
  enum : std::size_t { epoch, rule_end, long_end, cooldown_end, tombstone, latched };
};
inline constexpr Record kNothing{};
struct OfOrders {  // where the stamp stands; its value is next
  enum : std::size_t { mode = 0, priority = 2, weight = 4 };
};

enum class Kind : std::uint8_t { own, key, model, region, provider, orders };
inline constexpr int kKinds = 6;

// The number an operator ordered; none = as configured.
constexpr std::optional<std::uint32_t> ordered(const Record& orders, std::size_t field) {
  if (orders[field + 1] == 0) return std::nullopt;
  return static_cast<std::uint32_t>(orders[field + 1] - 1);
}

// A latch has no end of its own that its tombstone could wait for; nor has an order that was taken back.
inline constexpr Duration kUnending = seconds(30 * 24 * 3600);

Record join(Kind kind, const Record& a, const Record& b);

// Whether no number of it exceeds `most`.
bool within(const Record& record, const Record& most);

struct Entry {
  std::string_view line;  // a shared cell goes by the first line that has it
  Kind kind = Kind::own;
  std::uint8_t slot = 0;
  Record record{};
  friend bool operator==(const Entry&, const Entry&) = default;
};

//   "SHR1" · entries · u64 check over all before it. An entry: u8 length, line id · u8 kind · u8 slot · six
//   numbers of seven bits a byte.
inline constexpr std::string_view kRecordMagic = "SHR1";
inline constexpr std::size_t kRecordBytes =
    8 * 1024 * 1024;                                  // 10,000 lines out in all their scopes: about 2 MB
void put_name(std::string& out, const Entry& entry);  // all but its record
void put_entry(std::string& out, const Entry& entry);
Entry read_name(Reader& in);
Entry read_entry(Reader& in);
std::string encode(const std::vector<Entry>& entries);
// All or nothing, and nothing beyond kRecordBytes; the ids are views into `bytes`.
bool decode(std::string_view bytes, std::vector<Entry>& out);

}  // namespace shunt::health
