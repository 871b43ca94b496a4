// Tells fields that are lost from fields that are merely unusual.
//
// Lost: a value that is no number, or max |u| > 1e4 times the largest speed that the problem sets
// (initial fields and sides). A problem that sets no speed, or whose speed follows from forces,
// buoyancy or formulas on its sides, has nothing to compare with: there only values that are no
// number count as lost. Scalars: scalar_bounds.hpp.
#pragma once

#include <optional>
#include <string>

#include "sim/app/run/scalar_bounds.hpp"
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
    visitor.visit("largest_sane_speed", largest_sane_speed_);
  }

 private:
  double largest_sane_speed_;
  ScalarBounds scalars_;
};

}  // namespace hodge::sim
