// Evidence -> Verdict: what a failure is, what it says something about, and what may be done next.
// Pure; knows no health, no policy.
#pragma once

#include "canonical/failure.h"
#include "classify/evidence.h"
#include "classify/rule_book.h"

namespace shunt::classify {

// The judgement on an attempt that is known to have failed or to be suspect (a status of 400 and
// more, a broken transport, an error inside a 200, an answer without content). Total: any bytes
// give a verdict. Waits are as stated, before any cap of policy.
Verdict classify(const Evidence& evidence, const RuleBook& book);

}  // namespace shunt::classify
