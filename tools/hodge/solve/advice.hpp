// What to try when a solve has failed.
#pragma once

#include <string>

#include "linalg/solve/solve_report.hpp"
#include "tools/hodge/matrix/facts.hpp"

namespace hodge::tools {

// One sentence; empty where nothing better is known, and for a solve that has converged.
std::string advice(const linalg::SolveReport& report, const MatrixFacts& facts,
                   bool null_space_removed);

}  // namespace hodge::tools
