// What exchanges hold of the engine's shared bounds (held request bodies, collected answers), so that nothing
// taken can be lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time.h"

namespace shunt::exchange {

// One loan per exchange. A host may vanish without a word: a loan that is not renewed expires and is
// reclaimed by whoever asks next.
class Loans {
 public:
  struct Id {
    std::uint32_t index = 0xFFFFFFFFU;
    std::uint32_t generation = 0;
  };

  Id open(Instant expires) {
    std::uint32_t index = 0;
    if (free_.empty()) {
      index = static_cast<std::uint32_t>(loans_.size());
      loans_.emplace_back();
    } else {
      index = free_.back();
      free_.pop_back();
    }
    Loan& loan = loans_[index];
    loan.open = true;
    loan.expires = expires;
    return {index, loan.generation};
  }

  void set_body(Id id, std::uint64_t bytes) {
    if (Loan* loan = find(id)) move_to(bodies_, loan->body, bytes);
  }
  void set_answer(Id id, std::uint64_t bytes) {
    if (Loan* loan = find(id)) move_to(answers_, loan->answer, bytes);
  }
  // False when the loan was reclaimed meanwhile: its holder was given up for lost.
  bool renew(Id id, Instant expires) {
    Loan* loan = find(id);
    if (loan != nullptr) loan->expires = expires;
    return loan != nullptr;
  }
  void close(Id id) {
    if (Loan* loan = find(id)) close(*loan, id.index);
  }
  void reclaim(Instant now) {
    for (std::uint32_t i = 0; i < loans_.size(); ++i) {
      if (loans_[i].open && loans_[i].expires <= now) close(loans_[i], i);
    }
  }

  std::uint64_t bodies() const { return bodies_; }
  std::uint64_t answers() const { return answers_; }
  std::size_t count() const { return loans_.size() - free_.size(); }

 private:
  struct Loan {
    std::uint64_t body = 0;
    std::uint64_t answer = 0;
    Instant expires;
    std::uint32_t generation = 0;
    bool open = false;
  };

  static void move_to(std::uint64_t& total, std::uint64_t& part, std::uint64_t bytes) {
    total = total - part + bytes;
    part = bytes;
  }
  Loan* find(Id id) {
    if (id.index >= loans_.size()) return nullptr;
    Loan& loan = loans_[id.index];
    return loan.open && loan.generation == id.generation ? &loan : nullptr;
  }
  void close(Loan& loan, std::uint32_t index) {
    move_to(bodies_, loan.body, 0);
    move_to(answers_, loan.answer, 0);
    loan.open = false;
    ++loan.generation;
    free_.push_back(index);
  }

  std::vector<Loan> loans_;
  std::vector<std::uint32_t> free_;
  std::uint64_t bodies_ = 0;
  std::uint64_t answers_ = 0;
};

}  // namespace shunt::exchange
