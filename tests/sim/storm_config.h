// The configuration of a storm: lines of several sorts, and what a seed draws of limits, second calls and
// strategies. Values only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/faults.h"
#include "sim/scenario.h"

namespace shunt::sim {

// With a store that shares health alone; with one that grants leases and quotas.
std::string storm_alone(std::uint64_t seed, std::uint32_t isolate, Faults faults);
std::string storm_with_leases(std::uint64_t seed, std::uint32_t isolate, Faults faults);
std::vector<Caller> storm_callers();

}  // namespace shunt::sim
