// Health as bytes: the cells out of their default state, by line id, with the time they have left.
//
//   "SHH1" · i64 wall time of saving · u32 count · count cells · u64 check over all before it;
//   little-endian. A cell: u8 length, line id · u8 scope · u8 slot · state · trip · long level · cooldown
//   level · u16 openings · u32 failures · i64 left of the rule, the long penalty, the cooldown. A shared
//   cell goes by the first line that has it.
#include <algorithm>

#include "base/check.h"
#include "base/order.h"
#include "base/rng.h"
#include "health/table.h"

namespace shunt::health {
namespace {

constexpr std::string_view kMagic = "SHH1";
constexpr std::size_t kCheckBytes = 8;
constexpr std::size_t kMaxIdBytes = 255;
// No policy holds a line longer than a stated quota reset of 31 days; beyond that and a day of slack it
// is garbage.
constexpr std::int64_t kMaxLeftMs = seconds(32 * 24 * 3600).ms;
constexpr std::uint32_t kMaxFailures = 1'000'000'000;

void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>((value >> (8 * i)) & 0xFFU));
}

std::uint64_t check_of(std::string_view bytes) {
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return mix64(hash);
}

void put_left(std::string& out, Instant end, Instant now) {
  put(out, end > now ? static_cast<std::uint64_t>((end - now).ms) : 0, 8);
}

void put_facts(std::string& out, const BreakerFacts& breaker, const CooldownFacts& cooldown, Instant now) {
  put(out, static_cast<std::uint64_t>(breaker.state), 1);
  put(out, static_cast<std::uint64_t>(breaker.trip), 1);
  put(out, breaker.long_level, 1);
  put(out, cooldown.level, 1);
  put(out, breaker.openings, 2);
  put(out, breaker.failures, 4);
  put_left(out, breaker.rule_end, now);
  put_left(out, breaker.long_end, now);
  put_left(out, cooldown.until, now);
}

// Reads forward; once anything is missing, `good` stays false and every value reads as zero.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  std::uint64_t number(std::size_t bytes) {
    const std::string_view text = take(bytes);
    std::uint64_t value = 0;
    for (std::size_t i = text.size(); i > 0; --i)
      value = value << 8U | static_cast<unsigned char>(text[i - 1]);
    return value;
  }
  std::uint8_t byte() { return static_cast<std::uint8_t>(number(1)); }
  std::uint8_t byte_below(int bound) {
    const std::uint8_t value = byte();
    if (value >= bound) good_ = false;
    return value;
  }
  // An end from the time it had left when it was saved.
  Instant end(Instant now, std::int64_t elapsed_ms) {
    const auto left_ms = static_cast<std::int64_t>(number(8));
    if (left_ms < 0 || left_ms > kMaxLeftMs) good_ = false;
    return good_ && left_ms > elapsed_ms ? now + milliseconds(left_ms - elapsed_ms) : kPast;
  }
  std::string_view take(std::size_t bytes) {
    if (!good_ || rest_.size() < bytes) {
      good_ = false;
      return {};
    }
    const std::string_view taken = rest_.substr(0, bytes);
    rest_.remove_prefix(bytes);
    return taken;
  }
  bool good() const { return good_; }
  bool at_end() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

bool is_default(const BreakerFacts& breaker, const Cooldown& cooldown, Instant now) {
  return breaker.state == State::closed && breaker.failures == 0 && !cooldown.in_force(now) &&
         cooldown.facts().level == 0;
}

}  // namespace

struct HealthTable::Saved {
  std::uint32_t cell = kNoScope;
  BreakerFacts breaker;
  CooldownFacts cooldown;
};

void HealthTable::snapshot(std::string& out, Instant now, WallTime wall) const {
  const std::size_t start = out.size();
  out.append(kMagic);
  put(out, static_cast<std::uint64_t>(wall.ms), 8);
  const std::size_t count_at = out.size();
  put(out, 0, 4);
  std::uint32_t count = 0;
  std::vector<bool> told(cells_.size(), false);
  for (std::uint32_t line = 0; line < lines_.size(); ++line) {
    const std::string& id = lines_[line].id;
    CORE_CHECK(id.size() <= kMaxIdBytes);
    for (std::uint32_t slot = 0; slot < lines_[line].slots; ++slot) {
      const Cells cells = cells_of(line, slot);
      for (std::size_t kind = 0; kind < kCellsOfLine; ++kind) {
        if (cells[kind] == kNoScope || told[cells[kind]]) continue;
        told[cells[kind]] = true;
        const Cell& cell = cells_[cells[kind]];
        const BreakerFacts& facts = cell.breaker.facts();
        if (is_default(facts, cell.cooldown, now)) continue;
        put(out, id.size(), 1);
        out.append(id);
        put(out, kind, 1);
        put(out, slot, 1);
        put_facts(out, facts, cell.cooldown.facts(), now);
        ++count;
      }
    }
  }
  std::string counted;
  put(counted, count, 4);
  out.replace(count_at, 4, counted);
  put(out, check_of(std::string_view(out).substr(start)), static_cast<int>(kCheckBytes));
}

bool HealthTable::parse(std::string_view bytes, Instant now, WallTime wall, std::vector<Saved>& out) const {
  if (bytes.size() < kMagic.size() + kCheckBytes) return false;
  const std::string_view body = bytes.substr(0, bytes.size() - kCheckBytes);
  if (Reader(bytes.substr(body.size())).number(kCheckBytes) != check_of(body)) return false;
  Reader in(body);
  if (in.take(kMagic.size()) != kMagic) return false;
  const auto saved_ms = static_cast<std::int64_t>(in.number(8));
  // A wall clock that was set back gives no time back.
  const std::int64_t elapsed_ms = saved_ms >= 0 && wall.ms > saved_ms ? wall.ms - saved_ms : 0;
  std::vector<std::uint32_t> by_id(lines_.size());
  for (std::uint32_t i = 0; i < by_id.size(); ++i) by_id[i] = i;
  stable_order(by_id, [this](std::uint32_t a, std::uint32_t b) { return lines_[a].id < lines_[b].id; });
  for (std::uint64_t count = in.number(4); count > 0 && in.good(); --count) {
    const std::string_view id = in.take(in.byte());
    const std::uint8_t kind = in.byte_below(kCellsOfLine);
    const std::uint8_t slot = in.byte();
    Saved saved;
    saved.breaker.state = static_cast<State>(in.byte_below(kStates));
    saved.breaker.trip = static_cast<Trip>(in.byte_below(kTrips));
    saved.breaker.long_level = in.byte();
    saved.cooldown.level = in.byte();
    saved.breaker.openings = static_cast<std::uint16_t>(in.number(2));
    saved.breaker.failures = static_cast<std::uint32_t>(in.number(4));
    saved.breaker.rule_end = in.end(now, elapsed_ms);
    saved.breaker.long_end = in.end(now, elapsed_ms);
    saved.cooldown.until = in.end(now, elapsed_ms);
    if (saved.breaker.failures > kMaxFailures) return false;
    const auto found = std::lower_bound(
        by_id.begin(), by_id.end(), id,
        [this](std::uint32_t line, std::string_view text) { return lines_[line].id < text; });
    if (!in.good() || found == by_id.end() || lines_[*found].id != id || slot >= lines_[*found].slots)
      continue;
    saved.cell = cells_of(*found, slot)[kind];
    if (saved.cell != kNoScope) out.push_back(saved);
  }
  return in.good() && in.at_end();
}

LoadResult HealthTable::load(std::string_view bytes, Instant now, WallTime wall) {
  std::vector<Saved> cells;
  if (!parse(bytes, now, wall, cells)) return LoadResult::refused;
  ++order_;
  for (const Saved& saved : cells) {
    cells_[saved.cell].breaker.restore(saved.breaker, order_);
    cells_[saved.cell].cooldown.restore(saved.cooldown, order_);
  }
  return LoadResult::loaded;
}

}  // namespace shunt::health
