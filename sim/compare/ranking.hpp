// Which solver was the fastest over all compared systems of a kind.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/compare/compared_system.hpp"

namespace hodge::sim {

// Over the systems that the solver has solved; iterations and seconds are those of one solve.
//
//   total_seconds = sum(iterations + 1) median(seconds / (iterations + 1))
//
// The median leaves out interruptions by other programs.
struct RankedSolver {
  SystemSettings settings;
  bool configured = false;
  int systems = 0, failures = 0;
  std::string first_failure;  // "step 5, u: breakdown: ..."
  std::string given_up;       // "step 1, u: stopped after ..."; that system does not count
  double median_iterations = 0, worst_iterations = 0;
  double median_seconds = 0, worst_seconds = 0, total_seconds = 0;
  double digits_per_second = 0;  // decimal digits of the residual
  double setup_share = 0;        // setup / (setup + solve), the setup that of a new preconditioner
  double share_of_copy = 0;      // of the device's bandwidth, by the bytes that had to be moved
  double worst_residual = 0;     // |b - A x| / |b|
  double worst_gap = 0;          // | |b - A x| - that of the recurrence | / |b|
  double worst_difference = 0;   // |x - reference| / |reference|
  double worst_divergence = 0;   // max |div u|, 1/T
};

// Of the time of the steps. A change that saves less does not pay: repeated measurements scatter as
// much.
inline constexpr double least_saving = 0.05;

// Orders by failures, then by total seconds.
bool ranks_before(int failures_a, double seconds_a, int failures_b, double seconds_b);

// Ranked, those that were given up last; empty where no system of the kind was compared.
std::vector<RankedSolver> ranking(std::span<const ComparedSystem> systems, SystemKind kind);

// The solver of the run.
const RankedSolver& configured_of(const std::vector<RankedSolver>& ranked);
// "cg + jacobi (configured)"
std::string name_text(const RankedSolver& solver);

}  // namespace hodge::sim
