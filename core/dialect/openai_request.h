// What the request bodies of OpenAI's two APIs share.
#pragma once

#include <string_view>

#include "canonical/request.h"
#include "dialect/request_common.h"

namespace shunt::dialect {

// `image_url`: the URL, or an object with it.
void read_openai_image(Reader& in, json::NodeId node, const Place& place, Part& part);
void read_openai_arguments(Reader& in, json::NodeId arguments, const Place& place, Part& call);
// What only tools that take plain text have, and their calls. `node`: has the name; `grammar`: has its
// language.
void read_openai_custom(Reader& in, json::NodeId node, json::NodeId grammar, Tool& tool);
void read_openai_input(Reader& in, json::NodeId input, const Place& place, Part& call);
bool read_openai_parallel(Reader& in, json::NodeId node, const Place& place);

}  // namespace shunt::dialect
