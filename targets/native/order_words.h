// Why lines stand in this order, for people: a policy's strategy, and of each line the numbers that it looked
// at.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace shunt::native {

// "the cheapest for this request, inside the best priority", of a record's policy.
std::string strategy_in_words(const nlohmann::json& policy);
// "priority 1, weight 50, cost $0.0125", of a line as it stands in a record, but with its region by name.
std::string numbers_in_words(const nlohmann::json& view, const nlohmann::json& policy);

}  // namespace shunt::native
