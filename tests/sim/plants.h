// Faults planted between the core and its watch, one for each rule: a rule that no planted fault breaks
// guards nothing. Tests only; an exchange's effects and inputs pass through here.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "exchange/engine.h"
#include "exchange/io.h"
#include "sim/watch.h"

namespace shunt::sim {

struct Plant {
  std::string_view name;
  Rule breaks;
  std::string_view about;
  std::string_view scenario = "storm";  // in which it is found
};
const std::vector<Plant>& plants();
const Plant* find_plant(std::string_view name);

// What a plant may see of the exchange it meddles with.
struct Scene {
  std::uint64_t exchange = 0;
  const Watched& seen;
  std::uint32_t line_out;  // a line that is out now; the number of lines = none
  exchange::Engine& engine;
};

class Saboteur {
 public:
  Saboteur(const Plant* plant, std::uint64_t seed) : plant_(plant), seed_(seed) {}

  // False: the core never hears of it.
  bool lets_in(const Scene& scene, const exchange::Input& input);
  // What the core hears instead.
  exchange::Input changed(const exchange::Input& input) const;
  // Hands on what comes out, and more or less than that.
  void pass(const Scene& scene, const exchange::Effect& effect,
            const std::function<void(const exchange::Effect&)>& on);

 private:
  bool is(std::string_view name) const { return plant_ != nullptr && plant_->name == name; }
  bool chosen(const Scene& scene, std::uint64_t n) const {
    return Dice(seed_, Luck::plant, {scene.exchange}).once_in(n);
  }

  const Plant* plant_;
  std::uint64_t seed_;
};

}  // namespace shunt::sim
