// A few steps of a case without any output: what its quantities were at each step, and what its
// systems cost.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/base/median.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"
#include "sim/model/system_settings.hpp"

namespace hodge::tools {

struct SystemCost {
  long iterations = 0;
  std::vector<double> solves;  // seconds of each

  // The median times the number of solves, so that interruptions by other programs do not count.
  double seconds() const { return sim::median(solves) * static_cast<double>(solves.size()); }
};

struct ShortRun {
  std::optional<std::string> failure;                     // why it ended early
  std::vector<double> steps;                              // dt of each
  std::vector<std::vector<sim::Quantity>> quantities;     // after each step
  std::array<SystemCost, sim::system_kinds.size()> cost;  // of each kind of system
  double max_divergence = 0;                              // at the end, 1/T

  const SystemCost& cost_of(sim::SystemKind kind) const {
    return cost[static_cast<std::size_t>(kind)];
  }
};

// Takes `count` steps, fewer where the case ends before; with `steps` given, of those sizes.
ShortRun short_run(const sim::Settings& settings, const sim::Problem& problem, long count,
                   std::span<const double> steps = {});

// The largest change of a quantity from the reference: over the steps, as a fraction of the largest
// size of the quantity in the reference. Quantities that are zero there but for rounding are left
// out.
struct Change {
  double largest = 0;
  std::string quantity;  // whose change it is
};
Change change_from(const ShortRun& reference, const ShortRun& run);

}  // namespace hodge::tools
