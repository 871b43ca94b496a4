// Whether what drives a problem changes later: a flow that waits for it is not steady.
#pragma once

#include <vector>

#include "sim/base/formulas/expression.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"
#include "sim/time/formula_samples.hpp"

namespace hodge::sim {

// Formulas of t: velocities, pressures and scalars of sides, flow rates, forces, sources, a
// prescribed velocity.
class LaterChange {
 public:
  LaterChange(const Problem& problem, const Grid& grid);

  // Whether one of them differs at some time up to `end` from what it is at `time`, by more than
  // 1e-6 of its largest value. Looked at are 64 times and the points of formula_samples.hpp; what
  // comes and goes between them is not seen.
  bool comes(double time, double end) const;

 private:
  struct Driver {
    Expression value;
    std::vector<FormulaSample> samples;
  };

  std::vector<Driver> drivers_;
};

}  // namespace hodge::sim
