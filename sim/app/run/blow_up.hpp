// Tells fields that are lost from fields that are merely unusual.
//
// Lost: a value that is no number, or max |u| > 1e4 times what the data of the problem allow:
//
//   max |u(0)|, max |u| on sides, max |Q_d| / A_d  +  sqrt(2 (max p - min p) / rho)  +
//   t (max |f| + sum_c |buoyancy_c| (max |c| + |neutral_c|))
//
// with the flow rates Q_d, the smallest face A_d normal to axis d, the pressures p of open sides,
// the force f per unit of mass, and the bounds of the scalars c below. A problem that sets none of
// these has nothing to compare with: there only values that are no number count as lost.
//
// A step that a CFL number bounds shrinks as the velocity grows, so that a flow may be lost long
// before it is that fast. Where nothing but a constant force f drives it (sides at rest, no flow
// rate, buoyancy, porous body or sponge), the kinetic energy E tells: with the volume V of the box,
//
//   sqrt(2 E(t)) <= sqrt(2 E(t_1)) + (t - t_1) |f| sqrt(V)
//
// for every flow without divergence, viscous or not, t_1 the first time that is looked at. Lost:
// the left side is more than 3 times the right one.
//
// A scalar is lost too where max |c| > 1e4 times what its data allow:
//
//   max |c(0)|, max |value| on sides  +  t max |source|  +  t sum_sides max |flux| A / V
//
// V is the smallest cell, which would hold all that has come in. A bound is computed anew, with
// formulas sampled on the grid at times up to t, only when a field exceeds the last known one.
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
  // `grid`: without one, only the initial values and the velocities of sides that are constant
  // bound the fields.
  BlowUpTest(const Problem& problem, const Diagnostics& initial, const Grid* grid = nullptr);

  // What is wrong with the fields, as the beginning of a sentence; nothing if they are good.
  std::optional<std::string> complaint(const Diagnostics& now, double time = 0) const;

  void visit_state(StateVisitor& visitor) {
    visitor.visit("largest_sane_speed", largest_sane_speed_,
                  {0, std::numeric_limits<double>::infinity()});
  }

 private:
  std::optional<std::string> energy_complaint(const Diagnostics& now, double time) const;
  std::optional<std::string> speed_complaint(double speed, double time) const;
  double speed_bound(double time) const;  // 0, infinite: not known
  double acceleration(double time) const;
  std::optional<std::string> scalar_complaint(const Diagnostics& now, double time) const;
  double bound(std::size_t scalar, double time) const;  // infinite: not known

  mutable double largest_sane_speed_;  // as last computed
  Problem problem_;
  std::optional<Grid> grid_;
  double initial_speed_;
  std::optional<double> constant_force_;  // |f| where it alone drives the flow
  struct Seen {
    double time, norm;  // norm: sqrt(2 E)
  };
  mutable std::optional<Seen> first_seen_;
  std::vector<double> initial_;        // max |c(0)|
  mutable std::vector<double> known_;  // bounds as last computed
};

}  // namespace hodge::sim
