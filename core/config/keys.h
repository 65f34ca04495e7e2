// Tables of keys: what an object may hold is a constexpr array of rows, each with the function that reads its
// value. Templates for the common values, so that a row says type, range and destination at once. Knows no
// key itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/time.h"
#include "config/reader.h"

namespace shunt::config {

// required: its absence is a fault. later: checked like any other, then the located warning "read, not yet in
// force".
enum class Stand : std::uint8_t { optional, required, later };

// A key of an object that is read into a T.
template <typename T>
struct Key {
  std::string_view name;
  void (*read)(Reader& in, T& into);
  Stand stand = Stand::optional;
};

// What of a row does not depend on what it reads into.
struct KeyName {
  std::string_view name;
  Stand stand;
  const void* row;  // whose it is
};

// Reads one object: unknown, duplicate and missing keys are faults. read(into, i, in) is called for the value
// of the key keys[i]. The number of known keys; none when what came was no object.
std::optional<int> read_object(Reader& in, std::span<const KeyName> keys, void* into,
                               void (*read)(void* into, std::size_t i, Reader& in));

// The same by a table; at most 64 rows.
template <typename T>
std::optional<int> read_object(Reader& in, T& into, std::span<const Key<T>> keys) {
  struct Bound {
    T& into;
    std::span<const Key<T>> keys;
  } bound{into, keys};
  std::array<KeyName, 64> names;
  for (std::size_t i = 0; i < keys.size(); ++i) names[i] = {keys[i].name, keys[i].stand, &keys[i]};
  return read_object(in, std::span(names).first(keys.size()), &bound,
                     [](void* to, std::size_t i, Reader& from) {
                       const Bound& table = *static_cast<Bound*>(to);
                       table.keys[i].read(from, table.into);
                     });
}

// A word of an enum. One that is not `in_force` warns and leaves the default standing.
template <typename E>
struct Word {
  std::string_view name;
  E value;
  bool in_force = true;
};

// The place of the word that comes next among `names`; none when it is not among them, which is a fault.
std::optional<std::size_t> read_word_of(Reader& in, std::span<const std::string_view> names);

template <typename E>
std::optional<E> read_word(Reader& in, std::span<const Word<E>> words) {
  const std::uint64_t at = in.at();
  std::vector<std::string_view> names;
  for (const Word<E>& word : words) names.push_back(word.name);
  const auto place = read_word_of(in, names);
  if (!place) return std::nullopt;
  const Word<E>& word = words[*place];
  if (word.in_force) return word.value;
  in.report().not_in_force(word.name.data(), at, word.name);
  return std::nullopt;
}

// What a pointer to member points into and to.
template <typename M>
struct MemberOf;
template <typename T, typename V>
struct MemberOf<V T::*> {
  using Owner = T;
  using Value = V;
};
template <auto M>
using Owner = typename MemberOf<decltype(M)>::Owner;
template <auto M>
using Value = typename MemberOf<decltype(M)>::Value;

template <auto M, std::int64_t Least, std::int64_t Most>
void integer(Reader& in, Owner<M>& into) {
  if (const auto value = in.integer(Least, Most)) {
    if constexpr (std::is_integral_v<Value<M>>) {
      into.*M = static_cast<Value<M>>(*value);
    } else {
      into.*M = static_cast<typename Value<M>::value_type>(*value);
    }
  }
}
template <auto M, std::int64_t Least, std::int64_t Most>
void micros(Reader& in, Owner<M>& into) {
  if (const auto value = in.micros(Least, Most)) into.*M = *value;
}
template <auto M, std::int64_t Least, std::int64_t Most>
void duration(Reader& in, Owner<M>& into) {
  if (const auto value = in.integer(Least, Most)) into.*M = milliseconds(*value);
}
template <auto M>
void flag(Reader& in, Owner<M>& into) {
  if (const auto value = in.flag()) into.*M = *value;
}
template <auto M>
void text(Reader& in, Owner<M>& into) {
  if (auto value = in.text()) into.*M = std::move(*value);
}
template <auto M>
void texts(Reader& in, Owner<M>& into) {
  if (!in.enter_array()) return;
  while (in.next_element()) {
    if (auto value = in.text()) (into.*M).push_back(std::move(*value));
  }
}
template <auto M, const auto& Words>
void word(Reader& in, Owner<M>& into) {
  using E = decltype(Words[0].value);
  if (const auto value = read_word(in, std::span<const Word<E>>(Words))) into.*M = *value;
}
template <auto M, const auto& Keys>
void object(Reader& in, Owner<M>& into) {
  read_object(in, into.*M, std::span<const Key<Value<M>>>(Keys));
}

// For keys whose room does not exist yet: the value is checked and let go.
template <std::int64_t Least, std::int64_t Most, typename T>
void expect_integer(Reader& in, T&) {
  in.integer(Least, Most);
}
template <std::int64_t Least, std::int64_t Most, typename T>
void expect_micros(Reader& in, T&) {
  in.micros(Least, Most);
}
template <typename T>
void expect_flag(Reader& in, T&) {
  in.flag();
}
template <typename T>
void expect_text(Reader& in, T&) {
  in.text();
}
template <typename T>
void expect_texts(Reader& in, T&) {
  if (!in.enter_array()) return;
  while (in.next_element()) in.text();
}
template <typename T>
void expect_any(Reader& in, T&) {
  in.skip();
}
template <typename T>
void expect_any_object(Reader& in, T&) {
  in.each_member([&](std::string_view, std::uint64_t) { in.skip(); });
}
template <const auto& Words, typename T>
void expect_word(Reader& in, T&) {
  using E = decltype(Words[0].value);
  read_word(in, std::span<const Word<E>>(Words));
}
// Of an object whose rows read into the same T.
template <const auto& Keys, typename T>
void expect_object(Reader& in, T& into) {
  read_object(in, into, std::span<const Key<T>>(Keys));
}
template <const auto& Keys, typename T>
void expect_objects(Reader& in, T& into) {
  if (!in.enter_array()) return;
  while (in.next_element()) read_object(in, into, std::span<const Key<T>>(Keys));
}

}  // namespace shunt::config
