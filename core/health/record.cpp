// The join of two records, and their bytes.
#include "health/record.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "health/codec.h"

namespace shunt::health {

Record join(Kind kind, const Record& a, const Record& b) {
  Record out;
  if (kind == Kind::orders) {
    for (std::size_t i = 0; i < out.size(); i += 2) {
      const bool a_wins = std::pair(a[i], a[i + 1]) >= std::pair(b[i], b[i + 1]);
      out[i] = a_wins ? a[i] : b[i];
      out[i + 1] = a_wins ? a[i + 1] : b[i + 1];
    }
    return out;
  }
  if (a[OfCell::epoch] != b[OfCell::epoch]) return a[OfCell::epoch] > b[OfCell::epoch] ? a : b;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::max(a[i], b[i]);
  return out;
}

bool within(const Record& record, const Record& most) {
  bool all = true;
  for (std::size_t i = 0; i < record.size(); ++i) all = all && record[i] <= most[i];
  return all;
}

void put_name(std::string& out, const Entry& entry) {
  CORE_CHECK(entry.line.size() <= 0xFF);
  put(out, entry.line.size(), 1);
  out.append(entry.line);
  put(out, static_cast<std::uint64_t>(entry.kind), 1);
  put(out, entry.slot, 1);
}

void put_entry(std::string& out, const Entry& entry) {
  put_name(out, entry);
  for (const std::int64_t number : entry.record) put_short(out, static_cast<std::uint64_t>(number));
}

Entry read_name(Reader& in) {
  Entry entry;
  entry.line = in.take(in.byte());
  entry.kind = static_cast<Kind>(in.byte_below(kKinds));
  entry.slot = in.byte();
  return entry;
}

Entry read_entry(Reader& in) {
  Entry entry = read_name(in);
  for (std::int64_t& number : entry.record) number = static_cast<std::int64_t>(in.short_number());
  return entry;
}

std::string encode(const std::vector<Entry>& entries) {
  std::string out(kRecordMagic);
  for (const Entry& entry : entries) put_entry(out, entry);
  put_check(out, 0);
  return out;
}

bool decode(std::string_view bytes, std::vector<Entry>& out) {
  if (bytes.size() > kRecordBytes) return false;
  Reader in = Reader::of(bytes, kRecordMagic);
  while (in.good() && !in.at_end()) out.push_back(read_entry(in));
  return in.good();
}

}  // namespace shunt::health
