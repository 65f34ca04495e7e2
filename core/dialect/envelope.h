// Bedrock's InvokeModel: each message of the AWS event stream wraps, in base64, what the model's own API
// would have sent. Knows the wrapping, not what is in it.
#pragma once

#include <memory>

#include "dialect/dialect.h"

namespace shunt::dialect {

// A decoder that feeds `inner` with what is wrapped: `chunk` events {"bytes":"…"}. Other frames pass as they
// are, those of Converse among them.
std::unique_ptr<StreamDecoder> make_envelope_decoder(std::unique_ptr<StreamDecoder> inner);

}  // namespace shunt::dialect
