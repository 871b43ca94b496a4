// What a comparison has found: for each kind of system a ranking, what the solutions are worth, and
// one line of advice.
#pragma once

#include <span>
#include <string>

#include "sim/compare/compared_system.hpp"

namespace hodge::sim {

// The rankings with their failures and the advice, for a terminal.
std::string comparison_text(std::span<const ComparedSystem> systems);

// The same as Markdown, with a table of residuals and errors of each kind.
std::string comparison_markdown(std::span<const ComparedSystem> systems);

}  // namespace hodge::sim
