// Which solver was the fastest over all compared systems of a kind.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sim/compare/compared_system.hpp"

namespace hodge::sim {

// Over the systems that the solver has solved; iterations and seconds are those of one solve. The
// total is sum (iterations + 1) times the median of seconds / (iterations + 1): a solve that the
// machine held up does not count.
struct RankedSolver {
  SystemSettings settings;
  bool configured = false;
  int systems = 0, failures = 0;
  std::string first_failure;  // "step 5, u: breakdown: ..."
  double median_iterations = 0, worst_iterations = 0;
  double median_seconds = 0, worst_seconds = 0, total_seconds = 0;
  double digits_per_second = 0;  // decimal digits of the residual
  double setup_share = 0;        // of setup and solve, the preconditioner made from nothing
  double share_of_copy = 0;      // of the device's bandwidth, by the bytes that had to be moved
  double worst_residual = 0;     // |b - A x| / |b|
  double worst_gap = 0;          // | |b - A x| - that of the recurrence | / |b|
  double worst_difference = 0;   // |x - reference| / |reference|
  double worst_divergence = 0;   // max |div u|, 1/T
};

// Those without a failure first, among them the fastest in total.
bool ranks_before(int failures_a, double seconds_a, int failures_b, double seconds_b);

// Ranked; empty where no system of the kind was compared.
std::vector<RankedSolver> ranking(std::span<const ComparedSystem> systems, SystemKind kind);

// The one that the run goes on with.
const RankedSolver& configured_of(const std::vector<RankedSolver>& ranked);
// "cg + jacobi (configured)"
std::string name_text(const RankedSolver& solver);

}  // namespace hodge::sim
