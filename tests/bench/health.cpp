// What health costs, as lines of JSON: an outcome, a deployment's memory, a refresh of what is shared. Driven
// by health.mjs. With an argument (LINES) it makes the outcomes of so many lines alone, for profilers.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bench/timing.h"
#include "health/table.h"

namespace {

using namespace shunt;
using bench::ns_of;
using namespace shunt::health;

constexpr WallTime kWall{1'800'000'000'000};

// `shared`: 100 lines to a provider and its key, 10 to a model; else nothing is shared by any two.
std::vector<LineSpec> lines_of(std::uint32_t count, Preset preset, bool shared = false) {
  std::vector<LineSpec> lines;
  for (std::uint32_t i = 0; i < count; ++i) {
    LineSpec line;
    line.id = "line" + std::to_string(i);
    line.slots = 1;
    line.first_key_scope = shared ? i / 100 : i;
    line.model_scope = shared ? i / 10 : i;
    line.provider_scope = shared ? i / 100 : i;
    line.policy = preset_policy(preset);
    lines.push_back(std::move(line));
  }
  return lines;
}

Outcome outcome(bool success, std::uint64_t draw) {
  Outcome out;
  out.kind = success ? OutcomeKind::success : OutcomeKind::failure;
  out.error_class = ErrorClass::temporary;
  out.penalty = success ? Penalty::none : Penalty::normal;
  out.first_byte = milliseconds(static_cast<std::int64_t>(20 + draw % 900));
  out.first_token = out.first_byte + milliseconds(5);
  out.total = out.first_byte + milliseconds(400);
  out.inter_token_micros = 12'000;
  out.task = static_cast<std::uint32_t>(draw % 4);  // more task types than a line tells apart
  return out;
}

std::uint64_t next(std::uint64_t& state) {
  state = state * 6364136223846793005U + 1442695040888963407U;
  return state >> 33U;
}

// One in fifty calls fails; all three layers of rules are asked at each outcome.
void updates(std::uint32_t count) {
  HealthTable table(lines_of(count, Preset::three_layer), {});
  std::uint64_t state = 1;
  Instant now{1'000'000};
  const auto one = [&](std::size_t i) {
    const auto line = static_cast<std::uint32_t>(next(state) % count);
    if (i % 4 == 0) now = now + milliseconds(1);
    const auto ticket = table.begin(line, 0, now, now + seconds(60));
    if (ticket) table.settle(*ticket, outcome(next(state) % 50 != 0, next(state)), now, state);
  };
  ns_of(200'000, one);
  std::printf("{\"what\":\"outcome\",\"lines\":%u,\"ns\":%.1f}\n", count, ns_of(1'000'000, one));
}

void memory(std::uint32_t count, bool shared) {
  HealthTable table(lines_of(count, Preset::three_layer, shared), {});
  const std::size_t idle = table.memory();
  std::uint64_t state = 1;
  Instant now{1'000'000};
  for (std::uint32_t round = 0; round < 600; ++round, now = now + milliseconds(200)) {
    for (std::uint32_t line = 0; line < count; ++line) {
      const auto ticket = table.begin(line, 0, now, now + seconds(60));
      if (ticket) table.settle(*ticket, outcome(next(state) % 50 != 0, next(state)), now, state);
    }
  }
  std::printf("{\"what\":\"memory\",\"lines\":%u,\"shared\":%d,\"idle\":%zu,\"active\":%zu}\n", count,
              shared ? 1 : 0, idle / count, table.memory() / count);
}

void refresh(std::uint32_t count, std::uint32_t out) {
  HealthTable writer(lines_of(count, Preset::latched), {});
  Instant now{1'000'000};
  writer.observe_wall(now, kWall);
  for (std::uint32_t i = 0; i < out; ++i) {
    for (int n = 0; n < 3; ++n) {
      const auto ticket = writer.begin(i * (count / std::max(out, 1U)), 0, now, now + seconds(60));
      if (ticket) writer.settle(*ticket, outcome(false, 1), now, 1);
    }
  }
  std::string document;
  const double write_ns = ns_of(200, [&](std::size_t) {
    document.clear();
    writer.export_records(document, now, kWall);
  });
  double read_ns = 0;  // all of it is news to each reader
  constexpr int kReaders = 10;
  for (int i = 0; i < kReaders; ++i) {
    HealthTable reader(lines_of(count, Preset::latched), {});
    reader.observe_wall(now, kWall);
    read_ns += ns_of(1, [&](std::size_t) { reader.merge_records(document, now, kWall); }) / kReaders;
  }
  std::printf(
      "{\"what\":\"refresh\",\"lines\":%u,\"out\":%u,\"bytes\":%zu,\"write_ns\":%.0f,\"read_ns\":%.0f}\n",
      count, out, document.size(), write_ns, read_ns);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2) return updates(static_cast<std::uint32_t>(std::atoi(argv[1]))), 0;
  for (const std::uint32_t lines : {1U, 10U, 100U, 1'000U, 10'000U}) updates(lines);
  for (const bool shared : {true, false}) memory(1'000, shared);
  for (const std::uint32_t out : {0U, 10U, 100U, 1'000U}) refresh(10'000, out);
}
