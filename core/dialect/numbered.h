// Things that are counted from 0, as providers count choices and calls: made when first asked for, never
// moved. Knows nothing of them.
#pragma once

#include <cstddef>
#include <vector>

namespace shunt::dialect {

// Owning pointers without a type, so that growing is compiled once and not for each type.
template <typename T>
class Numbered {
 public:
  Numbered() = default;
  Numbered(const Numbered&) = delete;
  Numbered& operator=(const Numbered&) = delete;
  ~Numbered() {
    for (std::size_t i = 0; i < size(); ++i) drop(i);
  }

  std::size_t size() const { return slots_.size(); }  // one more than the largest number asked for
  bool empty() const { return slots_.empty(); }
  T& operator[](std::size_t number) {
    while (slots_.size() <= number) slots_.push_back(nullptr);
    void*& slot = slots_[number];
    if (slot == nullptr) slot = new T();
    return *static_cast<T*>(slot);
  }
  T& add() { return (*this)[size()]; }
  // The thing is no longer needed; its number stays taken.
  void drop(std::size_t number) {
    delete static_cast<T*>(slots_[number]);
    slots_[number] = nullptr;
  }
  void clear() {
    for (std::size_t i = 0; i < size(); ++i) drop(i);
    slots_.clear();
  }

 private:
  std::vector<void*> slots_;
};

}  // namespace shunt::dialect
