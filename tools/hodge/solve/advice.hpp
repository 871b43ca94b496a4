// What to try when a solve has failed.
#pragma once

#include <string>

#include "linalg/solve_report.hpp"
#include "tools/hodge/matrix/facts.hpp"

namespace hodge::tools {

// The status and the reason, in words: "breakdown: p.Ap <= 0: the operator is not positive
// definite".
std::string outcome_text(const linalg::SolveReport& report);

// One sentence; empty where nothing better is known, and for a solve that has converged.
std::string advice(const linalg::SolveReport& report, const MatrixFacts& facts,
                   bool null_space_removed);

}  // namespace hodge::tools
