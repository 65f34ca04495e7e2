// Rulings that rows of several tables share. Knows no row.
#pragma once

#include <optional>

#include "classify/rules.h"

namespace shunt::classify {

// Another line may take more.
inline constexpr Ruling kContext{ErrorClass::invalid_request, "context_length", std::nullopt, std::nullopt,
                                 true};
// A full server, whatever status says so.
inline constexpr Ruling kOverloaded{ErrorClass::temporary, "overloaded"};
// The key may use other models.
inline constexpr Ruling kModelPermission{ErrorClass::auth_failure, "model_permission", Scope::deployment};

}  // namespace shunt::classify
