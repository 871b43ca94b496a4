// The functions that formulas may call.
#pragma once

#include <span>

#include "sim/base/formulas/tree.hpp"

namespace hodge::sim {

struct FormulaFunction {
  const char* name;  // as it is called: atan2
  const char* description;
  int arguments;  // 0: one or more
  int (*build)(ExpressionTree& tree, std::span<const int> arguments);
};

std::span<const FormulaFunction> formula_function_table();

}  // namespace hodge::sim
