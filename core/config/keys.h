// Tables of keys: what an object may hold is a constexpr array of rows, each with type, range and destination
// of one key (values.h makes them); one interpreter reads them all. Knows no key itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "config/reader.h"

namespace shunt::config {

// required: its absence is a fault. later: checked like any other, then the located warning "read, not yet in
// force".
enum class Stand : std::uint8_t { optional, required, later };

enum class Is : std::uint8_t { integer, decimal, flag, word, text, texts, object, objects, any_object, own };

struct Range {
  std::int64_t least, most;
};

// A key of any object: what its value may be and where it goes. Without a destination it is checked and let
// go. All pointers and small numbers: rows of zeros between would cost more than they say.
struct Row {
  const char* name = nullptr;
  union {
    const Range* range = nullptr;
    const char* words;  // as read_word() takes them
    const Row* rows;    // `count` of them
  };
  union {
    void (*store)(void* into, std::int64_t value) = nullptr;  // of numbers, flags and words
    void* (*place)(void* into);                               // of texts, lists of them and objects
    void (*read)(Reader& in, void* into);                     // of what is read in its own way
  };
  std::uint16_t count = 0;
  Is is = Is::own;
  Stand stand = Stand::optional;
};

// A value of an object that is read into a T; void: that has no destination, so it may stand in every object.
template <typename T>
struct Value {
  Row row;  // but for name and stand
  template <typename U>
  constexpr operator Value<U>() const {
    static_assert(std::is_void_v<T>, "a value of another object");
    return {row};
  }
};

template <typename T>
struct Key {
  const char* name;
  Value<T> value;
  Stand stand = Stand::optional;
};

template <typename T, std::size_t N>
struct Table {
  static_assert(N <= 64, "read_object() has a bit per row");
  std::array<Row, N> rows;
};
template <typename T, std::size_t N>
constexpr Table<T, N> table(const Key<T> (&keys)[N]) {
  Table<T, N> out{};
  for (std::size_t i = 0; i < N; ++i) {
    out.rows[i] = keys[i].value.row;
    out.rows[i].name = keys[i].name;
    out.rows[i].stand = keys[i].stand;
  }
  return out;
}

// Reads one object: unknown, duplicate and missing keys are faults. The number of known keys; kNoObject when
// what came was none.
inline constexpr int kNoObject = -1;
int read_object(Reader& in, void* into, const Row* rows, std::size_t count);
template <typename T, std::size_t N>
int read_object(Reader& in, T& into, const Table<T, N>& keys) {
  return read_object(in, &into, keys.rows.data(), N);
}
template <std::size_t N>
int check_object(Reader& in, const Table<void, N>& keys) {
  return read_object(in, nullptr, keys.rows.data(), N);
}

// The place of the word that comes next in `words`, which stand in one text with spaces between; any other is
// a fault. A word marked as not in force ("memory ~redis") warns and gives none.
std::optional<std::int64_t> read_word(Reader& in, const char* words);
// The same of a list of names, all in force.
std::optional<std::int64_t> read_word_of(Reader& in, const Names& names);

}  // namespace shunt::config
