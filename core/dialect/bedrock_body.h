// Writes Converse request bodies. A target only: no client speaks it.
#pragma once

#include "canonical/request.h"

namespace shunt::dialect {

bool write_bedrock(const Request& request, const RequestTarget& target, BodyPieces& out,
                   RequestProblem& problem);

}  // namespace shunt::dialect
