// The values of keys: what a row of a table says after the name. integer<&Thing::size>(range<1, 9>) is a
// number with its destination; integer(range<1, 9>) is checked and let go. Knows no key itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "base/time.h"
#include "config/keys.h"

namespace shunt::config {

// What a pointer to member points into.
template <typename M>
struct MemberOf;
template <typename T, typename V>
struct MemberOf<V T::*> {
  using Owner = T;
};

// A destination as the members on the way to it: &Draft::row, &Deployment::weight.
template <auto... Members>
struct Path {
  using Owner = void;
};
template <auto First, auto... Rest>
struct Path<First, Rest...> {
  using Owner = typename MemberOf<decltype(First)>::Owner;
  static auto& from(Owner& owner) {
    if constexpr (sizeof...(Rest) == 0) {
      return owner.*First;
    } else {
      return Path<Rest...>::from(owner.*First);
    }
  }
  static void* place(void* into) { return &from(*static_cast<Owner*>(into)); }
  static void store(void* into, std::int64_t value) { put(from(*static_cast<Owner*>(into)), value); }

 private:
  static void put(Duration& to, std::int64_t value) { to = milliseconds(value); }
  template <typename V>
  static void put(std::optional<V>& to, std::int64_t value) {
    put(to.emplace(), value);
  }
  template <typename V>
  static void put(V& to, std::int64_t value) {
    to = static_cast<V>(value);
  }
};
template <auto... Members>
using OwnerOf = typename Path<Members...>::Owner;

template <std::int64_t Least, std::int64_t Most>
inline constexpr Range range{Least, Most};

template <auto... To>
constexpr Value<OwnerOf<To...>> stored(Is is) {
  Value<OwnerOf<To...>> out;
  out.row.is = is;
  if constexpr (sizeof...(To) > 0) out.row.store = Path<To...>::store;
  return out;
}
template <auto... To>
constexpr auto integer(const Range& in) {  // of Durations: milliseconds
  auto out = stored<To...>(Is::integer);
  out.row.range = &in;
  return out;
}
template <auto... To>
constexpr auto micros(const Range& in) {  // a decimal, in millionths
  auto out = stored<To...>(Is::decimal);
  out.row.range = &in;
  return out;
}
template <auto... To>
constexpr auto flag() {
  return stored<To...>(Is::flag);
}
template <auto... To>
constexpr auto word(const char* words) {
  auto out = stored<To...>(Is::word);
  out.row.words = words;
  return out;
}

template <auto... To>
constexpr Value<OwnerOf<To...>> placed(Is is) {
  Value<OwnerOf<To...>> out;
  out.row.is = is;
  if constexpr (sizeof...(To) > 0) out.row.place = Path<To...>::place;
  return out;
}
template <auto... To>
constexpr auto text() {
  return placed<To...>(Is::text);
}
template <auto... To>
constexpr auto texts() {
  return placed<To...>(Is::texts);
}
constexpr auto any_object() { return placed<>(Is::any_object); }

// An object of its own table: of the member To, or of what the object around it is read into.
template <auto... To, typename T, std::size_t N>
constexpr auto object(const Table<T, N>& keys, Is is = Is::object) {
  Value<std::conditional_t<sizeof...(To) == 0, T, OwnerOf<To...>>> out{placed<To...>(is).row};
  out.row.rows = keys.rows.data();
  out.row.count = N;
  return out;
}
template <typename T, std::size_t N>
constexpr auto objects(const Table<T, N>& keys) {
  return object(keys, Is::objects);
}

// What has a function of its own: void read(Reader&, T& into), or void read(Reader&) for what is only
// checked.
template <typename T, auto Read, auto... To>
void read_own(Reader& in, void* into) {
  if constexpr (std::is_void_v<T>) {
    Read(in);
  } else if constexpr (sizeof...(To) == 0) {
    Read(in, *static_cast<T*>(into));
  } else {
    Read(in, Path<To...>::from(*static_cast<T*>(into)));
  }
}
template <typename F>
struct Reads {
  using Into = void;
};
template <typename T>
struct Reads<void (*)(Reader&, T&)> {
  using Into = T;
};
template <auto Read, auto... To>
constexpr auto own() {
  using Into = std::conditional_t<sizeof...(To) == 0, typename Reads<decltype(Read)>::Into, OwnerOf<To...>>;
  Value<Into> out;
  out.row.read = read_own<Into, Read, To...>;
  return out;
}

}  // namespace shunt::config
