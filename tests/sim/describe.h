// Inputs and effects as lines of a log, short enough to read. Knows no world.
#pragma once

#include <string>

#include "exchange/io.h"

namespace shunt::sim {

std::string describe(const exchange::Input& input);
std::string describe(const exchange::Effect& effect);

}  // namespace shunt::sim
