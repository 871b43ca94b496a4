// One line: which solver to take, and what to put in the file.
#pragma once

#include <string>
#include <vector>

#include "sim/compare/ranking.hpp"

namespace hodge::sim {

// "pressure: cg + jacobi takes 2.3 ms a solve, 1.8 times faster than the configured ...; put this
// in the file: solvers: {pressure: {...}}". `ranked` as ranking() gives it, not empty.
std::string advice(const std::vector<RankedSolver>& ranked, SystemKind kind);

}  // namespace hodge::sim
