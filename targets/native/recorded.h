// Recorded provider exchanges (JSON Lines, one exchange a line) and how they become a trace: each is played
// as an attempt of a request made here, on a virtual clock.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/dialect_id.h"
#include "native/trace_file.h"

namespace shunt::native {

struct Recorded {
  std::string id;
  std::string provider;  // label: a preset's name or alias, or unknown
  DialectId dialect{};
  bool stream = false;
  int status = 0;
  std::string headers;  // lines
  std::string body;
  std::vector<std::size_t> chunks;  // sizes of the reads as recorded; empty = not known
};

struct RecordedFile {
  std::vector<Recorded> exchanges;
  std::map<std::string, std::size_t> skipped;  // by wire API: nothing here knows it, or plays it
};

// What they are wanted for: played, which takes a dialect that clients speak, or only read.
enum class RecordedUse { play, read };

// False at the first line that is no exchange.
bool read_recorded(std::string_view text, RecordedUse use, RecordedFile& out, TraceFault& fault);

// How the client's side is made up; unset = as recorded.
struct Staging {
  std::string config;              // a document; empty = one line to the provider, one attempt
  std::string model = "recorded";  // what the client asks for
  std::optional<DialectId> client;
  std::optional<std::size_t> chunk;  // re-cut into chunks of this size; 0 = whole
};

// One request whose consecutive attempts meet these exchanges, of which there is one at least. The engine
// runs while the trace is made, so that attempts and timers come when it asks for them. An attempt beyond the
// last exchange is refused its connection. False: the configuration is refused, or the engine waits for
// nothing.
bool stage(const std::vector<const Recorded*>& exchanges, const Staging& staging, Trace& out,
           std::string& problem);

}  // namespace shunt::native
