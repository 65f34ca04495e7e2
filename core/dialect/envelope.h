// Bedrock's InvokeModel: each message of the AWS event stream wraps, in base64, what the model's own API
// would have sent. Knows the wrapping, not what is in it.
#pragma once

#include <memory>

#include "dialect/dialect.h"
#include "wire/sniff.h"

namespace shunt::dialect {

// The dialect's decoder for a body of this shape. In an AWS event stream it is fed with what is wrapped:
// `chunk` events {"bytes":"…"}; other frames pass as they are. Converse's are wrapped or its own.
std::unique_ptr<StreamDecoder> decoder_for(const Dialect& dialect, Quirks quirks, wire::BodyShape shape);

}  // namespace shunt::dialect
