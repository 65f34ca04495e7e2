// The interpreter of tables of keys, and the words for what is not in a table.
#include "config/keys.h"

#include <bit>
#include <string>
#include <vector>

#include "base/strings.h"

namespace shunt::config {
namespace {

std::optional<std::int64_t> read_number(Reader& in, const Row& row) {
  if (row.is == Is::flag) return in.flag();
  if (row.is == Is::word) return read_word(in, row.words);
  return in.number(row.is == Is::decimal, row.range->least, row.range->most);
}

template <typename T>
T* place_of(const Row& row, void* into) {
  return row.place == nullptr ? nullptr : static_cast<T*>(row.place(into));
}

void read_texts(Reader& in, std::vector<std::string>* into) {
  if (!in.enter_array()) return;
  while (in.next_element()) {
    std::string text;
    if (in.text(text) && into != nullptr) into->push_back(std::move(text));
  }
}

// The value of a key of the object that is read into `into`.
void read_value(Reader& in, const Row& row, void* into) {
  switch (row.is) {
    case Is::integer:
    case Is::decimal:
    case Is::flag:
    case Is::word:
      if (const auto number = read_number(in, row); number && row.store != nullptr) row.store(into, *number);
      return;
    case Is::text: {
      std::string text;
      std::string* const place = place_of<std::string>(row, into);
      if (in.text(text) && place != nullptr) *place = std::move(text);
      return;
    }
    case Is::texts: return read_texts(in, place_of<std::vector<std::string>>(row, into));
    case Is::object: {
      void* const place = place_of<void>(row, into);
      read_object(in, place != nullptr ? place : into, row.rows, row.count);
      return;
    }
    case Is::objects:
      if (!in.enter_array()) return;
      while (in.next_element()) read_object(in, into, row.rows, row.count);
      return;
    case Is::any_object:
      for (Members members(in); members.next();) in.skip();
      return;
    case Is::own: return row.read(in, into);
  }
}

}  // namespace

int read_object(Reader& in, void* into, const Row* rows, std::size_t count) {
  const std::uint64_t object_at = in.at();
  if (!in.enter_object()) return kNoObject;
  std::uint64_t seen = 0;  // a bit per row
  while (in.next_key()) {
    std::size_t i = 0;
    while (i < count && in.key() != rows[i].name) ++i;
    if (i == count) {
      Names names;
      for (i = 0; i < count; ++i) names.push_back(rows[i].name);
      in.unknown_key(names);
      continue;
    }
    const Row& row = rows[i];
    const std::uint64_t bit = 1ULL << i;
    if ((seen & bit) != 0) {
      in.duplicate_key();
      continue;
    }
    seen |= bit;
    if (row.stand == Stand::later) in.report().not_in_force(&row, in.key_at(), row.name);
    read_value(in, row, into);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (rows[i].stand == Stand::required && (seen & (1ULL << i)) == 0)
      in.report().fault_about(object_at, "no %", rows[i].name, "the key is required");
  }
  return std::popcount(seen);
}

std::optional<std::int64_t> read_word(Reader& in, const char* words) {
  constexpr char kNotInForce = '~';
  Names names;
  std::uint64_t out_of_force = 0;  // a bit per word
  for (std::string_view rest = words; !rest.empty();) {
    std::string_view name = cut(rest, ' ');
    if (name.front() == kNotInForce) {
      name.remove_prefix(1);
      out_of_force |= 1ULL << names.size();
    }
    names.push_back(name);
  }
  const std::uint64_t at = in.at();
  const auto place = read_word_of(in, names);
  if (!place || (out_of_force >> *place & 1U) == 0) return place;
  const std::string_view name = names[static_cast<std::size_t>(*place)];
  in.report().not_in_force(name.data(), at, name);
  return std::nullopt;
}

std::optional<std::int64_t> read_word_of(Reader& in, const Names& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!in.is_string(names[i])) continue;
    in.skip();
    return static_cast<std::int64_t>(i);
  }
  in.wrong_word(names);
  return std::nullopt;
}

}  // namespace shunt::config
