// The longest step with which motion that is only about to begin keeps to the Courant number.
//
// The present velocity says nothing of a lid that starts at t = 0, of a force on fluid at rest or
// of an inflow that opens at t = 5. Their formulas do. With s the time from the start of the step,
// the Courant number per unit of time may reach
//
//   r(s) = max over sides of sum_d |u_d(x, t + s)| / h_d
//        + s   max_x sum_d |f_d(x, t + s) - f_d(x, t)| / h_d        forces
//        + s   max_x sum_d |b_d (c(x, t + s) - c(x, t))| / h_d      buoyancy: scalars on sides
//        + s^2 max_x sum_d |b_d (q(x, t + s) - q(x, t))| / h_d      their sources, and fluxes / h
//        + s   (max - min of p(x, t + s) - p(x, t)) / (rho L h)     open sides, L the shortest of
//                                                                   the box, h of its cells
//
// and a step is at most the s up to which s r(s) <= cfl. In the first step everything acts anew:
// f - 0, p - 0, c - neutral, that of the initial scalars too. Later steps look at what depends on
// time: what acts already shows in the velocity. Friction, and the pressure that may balance a
// force, are not counted, so the bound errs on the short side.
//
// Formulas are sampled at up to 256 points of each side and of the box, 8 times per step, 64 times
// in the first one. What comes and goes between two samples is not seen.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"
#include "sim/time/formula_samples.hpp"

namespace hodge::sim {

class MotionAhead {
 public:
  MotionAhead(const Problem& problem, const Grid& grid);

  // Up to `longest`; `is_first`: no step has been taken.
  double longest_step(double time, bool is_first, double cfl, double longest) const;

  using Vector = std::array<double, 3>;

  // What adds value s^power to the velocity in a step of length s.
  struct Term {
    std::function<Vector(const FormulaSample&, double t)> value{};
    int power = 0;          // 0: it is the velocity
    bool varies = true;     // with time
    Vector reference{};     // the value before the first step
    bool is_range = false;  // of the first component, the largest value minus the least one counts
    std::vector<FormulaSample> samples{};
  };

 private:
  std::vector<Term> terms_;
};

}  // namespace hodge::sim
