// The sides of the box, their kinds and the conditions of scalars, by the names that they have in
// files.
#pragma once

#include <span>
#include <string>

#include "sim/model/boundaries.hpp"

namespace hodge::sim {

struct SideKindName {
  const char* name;
  const char* description;
  SideKind kind;
};

struct ScalarConditionName {
  const char* name;
  const char* description;
  ScalarSideKind kind;
};

std::span<const SideKindName> side_kind_table();
std::span<const ScalarConditionName> scalar_condition_table();

const char* name_of(SideKind kind);
const char* name_of(ScalarSideKind kind);

// "x_lower", "x_upper", "y_lower", ...
std::string side_name(int axis, int side);

}  // namespace hodge::sim
