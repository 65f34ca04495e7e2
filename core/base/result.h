// A value or an error, in 30 lines: the error channel of the core (no exceptions anywhere).
#pragma once

#include <utility>
#include <variant>

#include "base/check.h"

namespace shunt {

// Reads like std::expected. T and E must differ. value() on an error is a broken invariant and traps.
template <typename T, typename E>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit by design
  Result(E error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit by design

  explicit operator bool() const { return state_.index() == 0; }
  T& value() {
    T* value = std::get_if<0>(&state_);
    CORE_CHECK(value != nullptr);
    return *value;
  }
  const T& value() const { return const_cast<Result*>(this)->value(); }
  const E& error() const {
    const E* error = std::get_if<1>(&state_);
    CORE_CHECK(error != nullptr);
    return *error;
  }

 private:
  std::variant<T, E> state_;
};

}  // namespace shunt
