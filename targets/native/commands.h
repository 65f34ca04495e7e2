// What each command takes, as values: so only main.cpp knows how a command line is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace shunt::native {

// Exit codes of every command.
inline constexpr int kFine = 0;
inline constexpr int kDifference = 1;  // a difference, or a fault in the input
inline constexpr int kUsage = 2;       // wrong usage: nothing was read

struct FramesOptions {
  std::string format = "sse";
  std::string profile = "whatwg";
  std::size_t chunk = 0;  // 0 = whole
  bool json = false;
  std::string file;  // empty or "-" = standard input
};

// One of `to`, `events` and `fold` says what is printed.
struct NormalizeOptions {
  std::string from;      // the provider's dialect, or what recordings call it
  std::string provider;  // whose quirks count; empty = none
  std::string to;        // the client's dialect
  std::string trace;     // file of recorded exchanges, instead of a body and `from`
  std::string file;      // the body; empty or "-" = standard input
  std::size_t chunk = 0;
  bool events = false;
  bool fold = false;
};

struct CheckOptions {
  std::string file;
  bool json = false;
};

struct ReplayOptions {
  std::vector<std::string> files;
  std::string config;              // file; empty = what the input says
  std::vector<std::string> chain;  // ids of recorded exchanges, played as consecutive attempts of one request
  std::string to;                  // the client's dialect; empty = the recorded one
  std::string model;               // what the client asks for under --config; empty = its first route
  std::optional<std::size_t> chunk;
  bool verify = false;
  std::string expect;
  bool effects = false;
  bool as_trace = false;
  bool json = false;
};

struct ClassifyOptions {
  std::string provider;
  int status = 0;                    // 0 = no reply came
  std::vector<std::string> headers;  // "name:value"
  std::optional<std::string> body;   // file; "-" = standard input
  std::optional<std::string> network;
  std::string batch;   // file of rows, instead of all of the above
  std::string medium;  // empty = by the provider's name
  std::size_t repeat = 1;
  bool json = false;
};

struct ExplainOptions {
  std::string config;
  std::string request;  // file of the request's body; "-" = standard input
  std::string snapshot;
  std::string path = "/v1/chat/completions";
  std::vector<std::string> headers;  // "name:value"
  std::uint64_t seed = 1;
  bool json = false;
};

struct RepairJsonOptions {
  std::string file;  // empty or "-" = standard input
  bool partial = false;
  bool latex = false;
  std::string schema;  // file; empty = keys stay as they are
};

int run_frames(const FramesOptions& options);
int run_normalize(const NormalizeOptions& options);
int run_check(const CheckOptions& options);
int run_replay(const ReplayOptions& options);
int run_classify(const ClassifyOptions& options);
int run_explain(const ExplainOptions& options);
int run_repair_json(const RepairJsonOptions& options);

}  // namespace shunt::native
