// Ids of tool calls whose provider gave none: the same answer always gets the same ones.
#pragma once

#include <string>
#include <string_view>

namespace shunt::dialect {

// `prefix` + 16 hexadecimal digits out of the answer's id and the call's place in it.
std::string made_call_id(std::string_view prefix, std::string_view answer_id, int choice, int call);

}  // namespace shunt::dialect
