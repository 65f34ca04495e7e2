// A verdict in words, for people: which row decided and why, what it means for the line, what users read.
#pragma once

#include <string>

#include "canonical/failure.h"
#include "classify/evidence.h"
#include "classify/messages.h"

namespace shunt::native {

// Several lines, each indented but the first.
std::string in_words(const Verdict& verdict, const classify::Evidence& evidence, classify::Medium medium);

}  // namespace shunt::native
