// How an implicit step with a deferred convection scheme comes to its solution. The matrix holds
// upwind convection, the rest of the scheme stands on the right side (operators/convection.hpp):
//
//   A q_{k+1} = b - (C(q_k) - C_upwind(q_k)),     q_0: the extrapolated field
//
// until q_k changes no more. The step is then the fully implicit one, so it is stable where that is
// stable. Of a wave, the iteration multiplies the error by |nu (s - s_upwind)| / |a0 + nu
// s_upwind|, nu the CFL number, s the symbols of the schemes: at most 0.33 (quick) and 0.41 (weno5)
// at nu = 1 with bdf2, 0.58 and 0.74 for any nu
// (tests/verification/stability/).
//
// "No more" means: the root mean square of the last change is `step_share` of that of the step, or
// what the absolute tolerance of the linear solver and rounding leave. A scalar leaves the bounds
// of van_leer by what its iteration leaves: where steps are short enough for bounds (keeps_bounds,
// stability.hpp) the largest change must be `bounded_share` of the largest |q|, or `step_share`
// after many iterations. Source: P. K. Khosla & S. G. Rubin, Comput. Fluids 2, 1974.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "linalg/settings/settings.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/assembly/unknowns.hpp"
#include "sim/discrete/operators/convection.hpp"

namespace hodge::sim {

struct DeferredTolerance {
  static constexpr int most_iterations = 60;
  static constexpr int most_for_bounds = 150;
  static constexpr int undamped_iterations = 20;  // then half of a change that has hardly shrunk
  static constexpr double hardly = 0.95;          // is taken
  static constexpr double step_share = 1e-3;
  static constexpr double rounding = 1e-14;
  // Of each change, where heat along sharp surfaces is iterated (bodies/sharp_media.hpp): without,
  // an error becomes -0.2 to -1 times what it was, the more the better one side conducts, and more
  // in single cells of coarse grids, for which less is taken where changes grow.
  static constexpr double taken_along_surfaces = 0.7;
  static constexpr double taken_less = 0.6;
  static constexpr double bounded_share = 1e-11;
  static constexpr double bounded_solve = 1e-12;  // of the linear systems of a bounded scheme
};

// What the last solve changed, over the unknowns.
struct IterateChange {
  double squares = 0;        // sum (q_{k+1} - q_k)^2
  double step_squares = 0;   // sum (q_{k+1} - q^n)^2
  double value_squares = 0;  // sum q_{k+1}^2
  double largest = 0;        // max |q_{k+1} - q_k|
  double largest_value = 0;  // max |q_{k+1}|

  bool finite() const { return std::isfinite(squares) && std::isfinite(value_squares); }
  double share_of_step() const { return step_squares > 0 ? std::sqrt(squares / step_squares) : 0; }
};

inline constexpr int iterate_change_count = 5;

template <int Dim, class Space>
IterateChange iterate_change(const Unknowns<Dim>& unknowns, const ConstFieldView<Dim>& next,
                             const ConstFieldView<Dim>& iterate, const ConstFieldView<Dim>& level,
                             linalg::Buffer<double, Space>& results) {
  using enum linalg::Reduction;
  linalg::reduce<Space, iterate_change_count>(
      unknowns.box, {sum, sum, sum, max, max},
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[iterate_change_count]) {
        const bool counts = unknowns.contains(c);
        const double q = counts ? next(c) : 0.0;
        const double change = counts ? q - iterate(c) : 0.0;
        const double step = counts ? q - level(c) : 0.0;
        value[0] = change * change;
        value[1] = step * step;
        value[2] = q * q;
        value[3] = change < 0.0 ? -change : change;
        value[4] = q < 0.0 ? -q : q;
      },
      results.data());
  std::array<double, iterate_change_count> value{};
  results.download(value);
  return {value[0], value[1], value[2], value[3], value[4]};
}

// When an iteration has converged.
struct DeferredRule {
  bool keeps_bounds;
  double solver_error;  // root mean square that the linear systems may leave, [q]
  std::int64_t rows;
  double taken = 1;  // of each change but the first

  int most_iterations() const {
    return keeps_bounds ? DeferredTolerance::most_for_bounds : DeferredTolerance::most_iterations;
  }

  bool met_by(const IterateChange& change) const {
    if (!keeps_bounds) return leaves_order(change);
    return change.largest <= DeferredTolerance::bounded_share * change.largest_value;
  }
  // Of the squares: below it there is nothing but what two solves leave, and rounding.
  double floor_of(const IterateChange& change) const {
    const double rounding = DeferredTolerance::rounding;
    return 4 * solver_error * solver_error * static_cast<double>(rows) +
           rounding * rounding * change.value_squares;
  }
  // Good enough for accuracy and stability: what is asked for where the iteration has not ended.
  bool leaves_order(const IterateChange& change) const {
    const double step = DeferredTolerance::step_share;
    return change.squares <= step * step * change.step_squares ||
           change.squares <= floor_of(change);
  }
};

// What an iteration needs beside q.
template <int Dim, class Space>
struct DeferredScratch {
  Field<Dim, Space> iterate;  // empty where nothing is iterated
  linalg::Buffer<double, Space> changes{iterate_change_count};
};

struct DeferredEnd {
  bool solved = true;     // every system
  bool converged = true;  // else the last change was `share` of that of the step
  double share = 0;
};

// Calls solve(), which makes q_{k+1} of q_k in place and says whether it could, until q meets the
// rule; `level` is q^n.
template <int Dim, class Space, class Solve>
DeferredEnd iterate_deferred(const Unknowns<Dim>& unknowns, const DeferredRule& rule,
                             const ConstFieldView<Dim>& level, Field<Dim, Space>& q,
                             DeferredScratch<Dim, Space>& scratch, const Solve& solve) {
  using Tolerance = DeferredTolerance;
  IterateChange change;
  double taken = rule.taken;
  for (int k = 0; k < rule.most_iterations(); ++k) {
    const double before = change.squares;
    scratch.iterate.values() = 1.0 * q.values();
    if (!solve()) return {.solved = false};
    if (rule.taken < 1 && k > 0)  // of the first, which has the total of the step, all
      q.values() = taken * q.values() + (1 - taken) * scratch.iterate.values();
    change =
        iterate_change<Dim, Space>(unknowns, std::as_const(q).view(),
                                   std::as_const(scratch.iterate).view(), level, scratch.changes);
    if (!change.finite()) break;
    if (rule.met_by(change)) return {};
    if (rule.taken < 1 && k > 1 && change.squares > before) taken *= Tolerance::taken_less;
    const double shrunk = Tolerance::hardly * Tolerance::hardly * before;
    if (k >= Tolerance::undamped_iterations && change.squares > shrunk)
      q.values() = 0.5 * q.values() + 0.5 * scratch.iterate.values();
  }
  return {true, change.finite() && rule.leaves_order(change), change.share_of_step()};
}

// Scalars keep their bounds as well as their linear systems are solved: relative to the right side
// of the first iterate, or to |q| a0 / dt, of which `rounding` is a unit in the last place.
inline double least_for_bounds(double rounding) {
  return DeferredTolerance::bounded_solve / std::numeric_limits<double>::epsilon() * rounding;
}
inline SystemSettings for_bounds(SystemSettings solver, bool keeps_bounds) {
  if (keeps_bounds) solver.tolerance = std::min(solver.tolerance, DeferredTolerance::bounded_solve);
  return solver;
}

}  // namespace hodge::sim
