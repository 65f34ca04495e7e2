// What the core takes for the bytes of a stream: framing alone, and whole exchanges through handle() and
// poll() as a host drives them. One source for the machine (a program that times itself) and for WebAssembly
// (exports that streams.mjs calls and times). The streams come from streams.mjs.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.h"
#include "exchange/engine.h"
#include "exchange/exchange.h"
#include "wire/sse.h"

#if defined(__wasm__)
#define BENCH_EXPORT(name) extern "C" __attribute__((export_name(#name), visibility("default")))
#else
#define BENCH_EXPORT(name) extern "C"
#endif

namespace shunt {
namespace {

using namespace exchange;

constexpr std::string_view kConfig = R"({
  "providers": {"openai": {"dialect": "openai_chat", "base_url": "http://127.0.0.1:1/v1", "keys": ["KEY"]},
                "claude": {"dialect": "anthropic_messages", "base_url": "http://127.0.0.1:2", "keys": ["KEY"]}},
  "deployments": [{"id": "openai", "provider": "openai", "model": "m"},
                  {"id": "claude", "provider": "claude", "model": "m"}],
  "routes": {"r": {"deployments": ["openai"]}}
})";

// What a host would be asked to do, counted: bytes to the client, and how many of them are its own chunk's.
struct Asked {
  std::uint64_t bytes = 0;
  std::uint64_t own = 0;
  AttemptNo attempt = 0;
};

void tell(Exchange& exchange, const Input& input, Asked& asked) {
  exchange.handle(Instant{1000}, input);
  while (const auto effect = exchange.poll()) {
    if (const auto* start = std::get_if<StartAttempt>(&*effect)) asked.attempt = start->attempt;
    if (const auto* bytes = std::get_if<SendBytes>(&*effect)) {
      asked.bytes += bytes->bytes.size();
      if (bytes->input) asked.own += bytes->bytes.size();
    }
  }
}

std::unique_ptr<Engine> make_engine() {
  config::Loaded loaded;
  std::vector<config::Fault> faults;
  return config::load(kConfig, loaded, faults) ? std::make_unique<Engine>(std::move(loaded)) : nullptr;
}

std::uint32_t count_frames(std::string_view stream, std::size_t chunk) {
  wire::SseFramer framer(wire::SseProfile::llm);
  wire::Frame frame;
  std::uint32_t frames = 0;
  for (std::size_t at = 0; at < stream.size(); at += chunk) {
    framer.feed(stream.substr(at, chunk));
    while (framer.next(frame)) ++frames;
  }
  return frames;
}

// One streamed answer of `deployment` to an openai_chat client.
Asked answer(Engine& engine, std::string_view deployment, std::string_view stream, std::size_t chunk) {
  Asked asked;
  Exchange exchange(engine, 1, Kind::request);
  tell(exchange, RequestArrived{"POST", "/v1/chat/completions", "", "", {1'800'000'000'000}, {}}, asked);
  const std::string request = std::string(R"({"stream":true,"model":")").append(deployment) +
                              R"(","stream_options":{"include_usage":true},"messages":[]})";
  tell(exchange, RequestBytes{request}, asked);
  tell(exchange, RequestEnded{}, asked);
  tell(exchange, HeadArrived{asked.attempt, 200, "content-type: text/event-stream\n"}, asked);
  for (std::size_t at = 0; at < stream.size(); at += chunk) {
    tell(exchange, BytesArrived{asked.attempt, stream.substr(at, chunk)}, asked);
  }
  tell(exchange, AttemptEnded{asked.attempt}, asked);
  return asked;
}

// The state of the module: a host calls it by numbers.
struct Bench {
  std::string stream;
  std::unique_ptr<Engine> engine;
};
Bench* bench = nullptr;

}  // namespace
}  // namespace shunt

// Room for a stream of `size` bytes.
BENCH_EXPORT(bench_stream) char* bench_stream(std::uint32_t size) {
  using namespace shunt;
  if (bench == nullptr) bench = new Bench{"", make_engine()};
  bench->stream.resize(size);
  return bench->stream.data();
}

// Frames counted; bytes sent to the client.
BENCH_EXPORT(bench_framing) std::uint32_t bench_framing(std::uint32_t chunk) {
  return shunt::count_frames(shunt::bench->stream, chunk);
}
BENCH_EXPORT(bench_relay) std::uint32_t bench_relay(std::uint32_t chunk) {
  using namespace shunt;
  return static_cast<std::uint32_t>(answer(*bench->engine, "openai", bench->stream, chunk).bytes);
}
BENCH_EXPORT(bench_translation) std::uint32_t bench_translation(std::uint32_t chunk) {
  using namespace shunt;
  return static_cast<std::uint32_t>(answer(*bench->engine, "claude", bench->stream, chunk).bytes);
}

#if !defined(__wasm__)
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

// bench_streams STREAM framing|relay|translation CHUNK ROUNDS: the seconds of the best round, and its result.
int main(int count, char** words) {
  if (count != 5) return 2;
  std::ifstream file(words[1], std::ios::binary);
  const std::string stream{std::istreambuf_iterator<char>(file), {}};
  std::memcpy(bench_stream(static_cast<std::uint32_t>(stream.size())), stream.data(), stream.size());
  const std::string_view what = words[2];
  const auto run = what == "framing" ? bench_framing : what == "relay" ? bench_relay : bench_translation;
  const auto chunk = static_cast<std::uint32_t>(std::atoi(words[3]));
  double best = 1e9;
  std::uint32_t result = 0;
  for (int round = std::atoi(words[4]); round > 0; --round) {
    const auto begin = std::chrono::steady_clock::now();
    result = run(chunk);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (took.count() < best) best = took.count();
  }
  std::printf("%.9f %u\n", best, result);
}
#endif
