// Whether what drives a problem changes later: a flow that waits for it is not steady.
#pragma once

#include <span>
#include <vector>

#include "sim/base/formulas/expression.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"
#include "sim/time/formula_samples.hpp"

namespace hodge::sim {

// Formulas of t: velocities, pressures and scalars of sides, flow rates, forces, sources,
// reactions, a prescribed velocity.
class LaterChange {
 public:
  LaterChange(const Problem& problem, const Grid& grid);

  // Whether one of them differs at some time up to `end` from what it is at `time`, by more than
  // 1e-6 of its largest value. Looked at are 64 times and the points of formula_samples.hpp; what
  // comes and goes between them is not seen. `sizes`: max |c| of each scalar; reactions are looked
  // at where all scalars have these values, half of them and a tenth; forces of the flow likewise,
  // with all velocities 1, 1/2 and 1/10.
  bool comes(double time, double end, std::span<const double> sizes) const;

 private:
  struct Driver {
    Expression value;
    std::vector<FormulaSample> samples;
    bool is_reaction = false;  // or another formula of scalars
    int velocities = 0;        // that it is of, before the scalars
  };
  static bool changes(const Driver& driver, double time, double end,
                      std::span<const double> scalars);

  std::vector<Driver> drivers_;
};

}  // namespace hodge::sim
