// What is wrong with a configuration, and where: one entry per mistake, in plain words. Knows the text, not
// what its keys mean.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace shunt::config {

struct Fault {
  bool warning = false;
  std::string path;        // JSONPath: $.deployments[3].weight, $.routes['gpt-4o']
  int line = 0;            // from 1
  int column = 0;          // from 1, in characters
  std::string found;       // what stands there; a value that may be a secret is described, never quoted
  std::string allowed;     // what may stand there
  std::string suggestion;  // the nearest known name; empty = none is near
  friend bool operator==(const Fault&, const Fault&) = default;
};

// One sentence for people: `$.routes.a.stratgy (line 3, column 5): unknown key "stratgy"; allowed: … Did you
// mean "strategy"?`
std::string describe(const Fault& fault);

// Kept of each kind; a document with more is wrong in one way that repeats.
inline constexpr std::size_t kFaults = 100;

// Gathers faults by byte offset while a document is read; paths, lines and columns are found in one walk at
// the end, so reading a faultless document pays nothing for them.
class Report {
 public:
  void fault(std::uint64_t offset, const char* found, const char* allowed);
  // The % in `found` stands for the value, quoted.
  void fault_about(std::uint64_t offset, const char* found, const std::string& value, const char* allowed);
  void fault(std::uint64_t offset, const std::string& found, const char* allowed);
  void fault(std::uint64_t offset, const std::string& found, const std::string& allowed,
             const std::string& suggestion);
  void warn(std::uint64_t offset, const char* found, const char* allowed);
  void warn(std::uint64_t offset, const std::string& found, const char* allowed);
  void warn(std::uint64_t offset, const std::string& found, const std::string& allowed,
            const std::string& suggestion);
  // "read, not yet in force", once per `row`: any address that is the key's or word's own.
  void not_in_force(const void* row, std::uint64_t offset, std::string_view what);
  bool failed() const { return failed_; }
  bool full() const { return faults_ >= kFaults; }  // further faults are only counted as failure

  // Gives every entry its place in `text` and hands them over in document order.
  void settle(std::string_view text, std::vector<Fault>& faults, std::vector<Fault>& warnings);

 private:
  struct Entry {
    std::uint64_t offset = 0;
    Fault fault;
  };
  void add(std::uint64_t offset, bool warning, const std::string& found, const std::string& allowed,
           const std::string& suggestion);

  std::list<Entry> entries_;  // in document order
  std::vector<const void*> rows_warned_;
  std::size_t faults_ = 0;  // kept of them
  std::size_t warnings_ = 0;
  bool failed_ = false;
};

}  // namespace shunt::config
