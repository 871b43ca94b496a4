// One system of a step and the result of each solver: one row per solver in compare.csv.
//
// Norms are 2-norms in the units of the right side; seconds are wall time.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "linalg/solve/solve_report.hpp"
#include "sim/model/system_settings.hpp"

namespace hodge::sim {

struct ComparedSolve {
  SystemSettings settings;
  bool configured = false;     // the run continues with its solution
  std::string not_run;         // why it was not tried; empty: it was
  std::string given_up;        // why it is not tried again, being too slow; empty: it is
  linalg::SolveReport report;  // of the fastest of the repeated solves
  double setup_seconds = 0;    // of the first solve, which builds the preconditioner
  double seconds = 0;          // of a solve in the run: without the setup where A never changes
  double bytes = 0;            // that the solve had to move, as its method counts; 0: not known
  std::optional<double> difference;      // |x - reference| / |reference|
  std::optional<double> max_divergence;  // max |div u| after the projection, 1/T

  bool solved() const { return not_run.empty() && given_up.empty() && report.converged(); }
};

// The configured solver from another starting guess.
struct ComparedGuess {
  std::string guess;        // as solvers.*.guess names it
  bool configured = false;  // it is what the run starts from
  double make_seconds = 0;  // of the guess itself; 0 of the configured one
  linalg::SolveReport report;
  double seconds = 0;  // of the solve, as in ComparedSolve
};

// The configured solver with the preconditioner of an earlier step.
struct KeptPreconditioner {
  long made_in_step = 0;
  linalg::SolveReport report;
  double seconds = 0;
};

struct ComparedSystem {
  long step = 0;
  double time = 0;
  std::string name;  // u, v, w, pressure, a scalar
  SystemKind kind = SystemKind::pressure;
  int rows = 0;
  long long nonzeros = 0;
  double rhs_norm = 0;
  std::optional<double> rhs_mean;  // where A is singular: what no solution can match
  std::string reference;           // the solver of the reference solution; empty: none was found
  double reference_residual = 0;   // the smallest |b - A x| that was reached
  double copy_bandwidth = 0;       // of the device, bytes a second, read and written
  std::vector<ComparedGuess> guesses;
  std::optional<KeptPreconditioner> kept;
  std::vector<ComparedSolve> solves;  // the configured solver first
};

// Takes the systems as they are compared. Errors: those of the files behind it.
class ComparisonSink {
 public:
  virtual ~ComparisonSink() = default;
  virtual void add(ComparedSystem system) = 0;
};

}  // namespace hodge::sim
