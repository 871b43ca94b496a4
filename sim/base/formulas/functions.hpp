// The functions that formulas may call.
#pragma once

#include <span>
#include <string>

#include "sim/base/formulas/tree.hpp"

namespace hodge::sim {

// A value, or a text in quotes.
struct FormulaArgument {
  int node = -1;
  std::string text{};

  bool is_text() const { return node < 0; }
};

// What is wrong with a call, thrown by the functions below.
struct CallMistake {
  std::string what;
};

struct FormulaFunction {
  const char* name;  // as it is called: atan2
  const char* description;
  int arguments;  // 0: one or more
  int (*build)(ExpressionTree& tree, std::span<const int> arguments);
  // In place of build, of a function that takes texts.
  int (*build_with_texts)(ExpressionTree& tree,
                          std::span<const FormulaArgument> arguments) = nullptr;
};

std::span<const FormulaFunction> formula_function_table();

}  // namespace hodge::sim
