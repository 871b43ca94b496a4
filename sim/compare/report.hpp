// What a comparison has found: for each kind of system a ranking, what the solutions are worth, and
// one line of advice.
#pragma once

#include <span>
#include <string>

#include "sim/compare/ranking.hpp"

namespace hodge::sim {

// The rankings with their failures and the advice, for a terminal.
std::string comparison_text(std::span<const ComparedSystem> systems);

// The same as Markdown, with a table of residuals and errors of each kind.
std::string comparison_markdown(std::span<const ComparedSystem> systems);

// "pressure: cg + jacobi takes 2.3 ms a solve, 1.8 times faster than the configured ...; put this
// in the file: solvers: {pressure: {...}}"
std::string advice(const std::vector<RankedSolver>& ranked, SystemKind kind);

}  // namespace hodge::sim
