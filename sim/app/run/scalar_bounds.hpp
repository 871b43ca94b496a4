// Tells scalars that are lost from scalars that are merely large.
//
// Lost: a value that is no number, or max |c| > factor times what its data allow:
//
//   max |c(0)|, max |value| on sides  +  t max |source|  +  t sum_sides max |flux| A / V
//
// V is the smallest cell, which would hold all that has come in. The bound is computed anew, with
// formulas sampled on the grid at times up to t, only when a scalar exceeds the last known bound.
// Reactions, conditions whose coefficient is a formula, and a velocity with divergence (which
// compresses) allow any value: there only values that are no number count as lost.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/flow/flow.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

class ScalarBounds {
 public:
  ScalarBounds(const Problem& problem, const Diagnostics& initial, const Grid* grid, double factor);

  // "the scalar c explodes: ..."; nothing if all are good.
  std::optional<std::string> complaint(const Diagnostics& now, double time) const;

 private:
  double bound(std::size_t scalar, double time) const;  // infinite: not known

  std::vector<ScalarProblem> scalars_;
  Boundaries boundaries_;
  std::optional<Grid> grid_;
  double factor_;
  std::vector<double> initial_;
  mutable std::vector<double> known_;  // bounds as last computed
};

}  // namespace hodge::sim
