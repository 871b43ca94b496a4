// What a user chooses of a linear solve; plain data, filled by a configuration file or a command
// line.
//
// Stopping rule: ||b - A x||_2 <= max(tolerance * ||b||_2, absolute_tolerance), or max_iterations,
// or max_seconds.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hodge::linalg {

struct PreconditionerSettings {
  std::string kind = "none";      // a name of preconditioner_table()
  int order = 1;                  // ssor_sai: terms of the Neumann series, 1 or 2
  double omega = 1.0;             // ssor_sai: relaxation factor, 0 < omega < 2
  std::string form = "factored";  // ssor_sai: factored, or truncated to the pattern of A
  double alpha = 1.0;             // ssor_sai truncated: part of a row that is kept, 0 < alpha <= 1
  int degree = 2;                 // neumann: degree of the polynomial, >= 0
  std::string smoother = "ssor_sai";  // multigrid: or jacobi, chebyshev
  int smoothings = 1;                 // multigrid: before and after each correction
  std::string cycle = "v";            // multigrid: or w, f (not symmetric)
  std::string precision = "single";   // multigrid: of its levels, or double
  int coarsest_cells = 64;            // multigrid: a grid of no more is solved directly, <= 512
};

struct SolverSettings {
  std::string method = "cg";  // a name of solver_table()
  PreconditionerSettings preconditioner;
  double tolerance = 1e-8;              // relative to ||b||_2
  double absolute_tolerance = 0.0;      // in the units of b
  int max_iterations = 1000;            // of every method in the chain
  int restart = 30;                     // gmres: dimension of the Krylov basis
  std::vector<std::string> fallback;    // methods tried in turn, each from the last good x
  std::optional<double> max_seconds{};  // wall clock, of a solve with all of its methods
  // When A has new values: every (the preconditioner is made of them), never (it is kept), auto (it
  // is made anew where that is cheaper, by the iterations and seconds of the solves before).
  std::string refresh = "every";

  // Of a sequence of systems in time. Who makes the sequence heeds these; LinearSolver does not
  // know them.
  std::string guess = "scheme";   // what a solve starts from
  int guess_vectors = 8;          // guess projected: solutions that it is made of
  std::string stop = "residual";  // of a projection also: divergence, max |div u| <= tolerance, 1/T
};

}  // namespace hodge::linalg
