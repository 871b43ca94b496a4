// Which pairs of method and preconditioner `hodge solve --compare` tries.
#pragma once

#include <string>
#include <vector>

#include "tools/hodge/solve/solve_arguments.hpp"

namespace hodge::tools {

struct Candidates {
  std::vector<linalg::SolverSettings> settings;
  std::vector<std::string> left_out;  // why, a line each
};

// Every entry of the registries that applies to the matrix, each preconditioner with a few sensible
// settings. A method or preconditioner that the arguments name limits the pairs to it, and settings
// that they give stand in place of the sensible ones.
Candidates candidates(const SolveArguments& arguments, const MatrixFacts& facts);

}  // namespace hodge::tools
