// What one time step did, and where its time went.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "linalg/solve/solve_report.hpp"

namespace hodge::sim {

// The entry of all reactions of a step, beside those of linear systems; it has no residual.
inline constexpr const char* reactions_entry = "reactions";

struct SolveSummary {
  std::string system;  // "u", "v", "w", "pressure", a scalar, or reactions_entry
  int iterations = 0;
  double seconds = 0;
  linalg::SolveReport report;
};

struct StepReport {
  double dt = 0;
  double assembly_seconds = 0;
  double transport_seconds = 0;
  double pressure_seconds = 0;
  double reaction_seconds = 0;
  double comparison_seconds = 0;  // of other solvers on the same systems (sim/compare)
  double other_seconds = 0;
  std::vector<SolveSummary> solves;  // in the order of solving
  // max |div u| that the last projection promises, 1/T, but for rounding; absent without one.
  std::optional<double> promised_divergence;
  bool ok = true;
  std::string failure;        // solve_failure of the solve that failed, or what else went wrong
  std::string cause;          // of a failure, where it is known
  std::string bad_key;        // of the formula whose value made it fail: "scalars.a.reaction"
  bool solves_failed = true;  // where not ok: a solve, not an iteration over solves
};

// A sentence: system, step, time, method, status, iterations, residuals.
std::string solve_failure(const SolveSummary& solve, long step, double time);

// Adds reactions to those of the step: they are one entry, the sum of both halves.
void count_reactions(int iterations, double seconds, StepReport& report);

// A sentence: a viscosity or a diffusivity of this key is not positive. `least`: its value, where
// that is below 0.
std::string coefficient_failure(const std::string& key, long step, double time, double least);

// A sentence: viscosities that are so many times apart in steps that the scheme does not damp.
std::string undamped_failure(const char* scheme, long step, double ratio, double most_apart,
                             double largest_step);

// A sentence: the iteration over the deferred part of convection (deferred_convection.hpp) did not
// converge; `share`: its last change over that of the step.
std::string deferred_failure(const std::string& system, const std::string& convection, long step,
                             double time, double share);

}  // namespace hodge::sim
