// Tells fields that are lost from fields that are merely unusual.
//
// Lost: a value that is no number, or max |u| > 1e4 times the largest speed that the problem sets
// (initial fields and sides). A problem that sets no speed, or whose speed follows from forces,
// buoyancy or formulas on its sides, has nothing to compare with: there only values that are no
// number count as lost.
//
// A scalar is lost too where max |c| > 1e4 times what its data allow:
//
//   max |c(0)|, max |value| on sides  +  t max |source|  +  t sum_sides max |flux| A / V
//
// V is the smallest cell, which would hold all that has come in. The bound is computed anew, with
// formulas sampled on the grid at times up to t, only when a scalar exceeds the last known bound.
// Reactions, conditions whose coefficient is a formula, and a velocity with divergence (which
// compresses) allow any value: there only values that are no number count as lost.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/state_visitor.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

class BlowUpTest {
 public:
  // `grid`: without one, only the initial values and constants bound the scalars.
  BlowUpTest(const Problem& problem, const Diagnostics& initial, const Grid* grid = nullptr);

  // What is wrong with the fields, as the beginning of a sentence; nothing if they are good.
  std::optional<std::string> complaint(const Diagnostics& now, double time = 0) const;

  void visit_state(StateVisitor& visitor) {
    visitor.visit("largest_sane_speed", largest_sane_speed_,
                  {0, std::numeric_limits<double>::infinity()});
  }

 private:
  std::optional<std::string> scalar_complaint(const Diagnostics& now, double time) const;
  double bound(std::size_t scalar, double time) const;  // infinite: not known

  double largest_sane_speed_;
  std::vector<ScalarProblem> scalars_;
  Boundaries boundaries_;
  std::optional<Grid> grid_;
  std::vector<double> initial_;        // max |c(0)|
  mutable std::vector<double> known_;  // bounds as last computed
};

}  // namespace hodge::sim
