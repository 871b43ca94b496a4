// The linear system of `hodge solve`, on the host: A, b, and what is known about them.
#pragma once

#include <string>
#include <vector>

#include "tools/hodge/matrix/matrix_files.hpp"
#include "tools/hodge/solve/solve_arguments.hpp"

namespace hodge::tools {

struct System {
  MatrixFile file;
  MatrixFacts facts;
  std::vector<double> b;
  std::string b_text;            // where b comes from
  std::vector<double> solution;  // of a system that was made up; empty where b was read

  const HostMatrix& matrix() const { return *file.matrix; }
};

// Without a file b = A 1; where the rows of A sum to zero (constants are in its null space) b = A v
// with random v of mean zero, so that the system is consistent and x is not trivial.
// Errors: ConfigError for a matrix that is not square, a b of another length.
System read_system(const SolveArguments& arguments);

}  // namespace hodge::tools
