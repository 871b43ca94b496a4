// From text to a tree, by muParser: its grammar, its precedences, its complaints.
//
// muParser sees numbers that stand for nodes of the tree: every literal, name, operator and
// function is ours and makes a node, so that one evaluation writes the whole formula down.
#pragma once

#include <string>

#include "sim/base/formulas/expression.hpp"
#include "sim/base/formulas/tree.hpp"

namespace hodge::sim {

// The root. Errors: ConfigError, which says where in the text and what was expected.
int parse_formula(ExpressionTree& tree, const std::string& text, const FormulaNames& names);

}  // namespace hodge::sim
