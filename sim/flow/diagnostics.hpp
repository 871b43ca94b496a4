// Diagnostics of the present fields: one pass over the cells, one copy to the host.
#pragma once

#include <array>
#include <cfloat>
#include <cmath>
#include <limits>

#include "linalg/vectors/parallel.hpp"
#include "sim/base/unrolled.hpp"
#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/boundaries/side_kinds.hpp"
#include "sim/discrete/operators/cell_values.hpp"
#include "sim/discrete/operators/divergence.hpp"
#include "sim/flow/flow.hpp"

namespace hodge::sim {

HODGE_HD inline double larger(double a, double b) {
  return a > b ? a : b;
}
HODGE_HD inline double magnitude(double a) {
  return std::fabs(a);
}

template <int Dim>
struct DiagnosedFields {
  GridView<Dim> grid;
  SideKinds<Dim> sides;
  ConstVelocityView<Dim> velocity, previous;
  ConstFieldView<Dim> pressure;
  BodyView<Dim> bodies;
  double density;
  double volume;     // of the box
  double stiffness;  // sum_d 4 / h_d^2 of the smallest widths
  double length;     // of the longest axis
};

template <int Dim>
HODGE_HD bool touches_side(const DiagnosedFields<Dim>& f, const Index<Dim>& c) {
  bool touches = false;
  for (int axis = 0; axis < Dim; ++axis)
    touches = touches || (!f.sides.continues[axis][0] && c[axis] == 0) ||
              (!f.sides.continues[axis][1] && c[axis] == f.grid.cells[axis] - 1);
  return touches;
}

// The fastest |u_d| in the sides along d that cell c touches, beside both of its faces.
template <int Dim>
HODGE_HD double speed_in_sides(const DiagnosedFields<Dim>& f, int d, const Index<Dim>& c) {
  double speed = 0.0;
  for (int axis = 0; axis < Dim; ++axis)
    for (int side = 0; side < 2; ++side) {
      const SideIndices at{f.grid.cells[axis], side};
      if (c[axis] != at.inner(1) || axis == d || f.sides.continues[axis][side]) continue;
      for (int upper = 0; upper < 2; ++upper) {
        const Index<Dim> face = c.shifted(d, upper);
        const double beyond = f.velocity[d](with(face, axis, at.ghost(1)));
        speed = larger(speed, magnitude(0.5 * (f.velocity[d](face) + beyond)));
      }
    }
  return speed;
}

// sum_d |u_d| / h_d with the faster of the two faces, or the velocity in a side beside the cell
// where that is faster.
template <int Dim>
HODGE_HD double cfl_rate(const DiagnosedFields<Dim>& f, const Index<Dim>& c) {
  double speed[Dim];
  for (int d = 0; d < Dim; ++d)
    speed[d] = larger(magnitude(f.velocity[d](c)), magnitude(f.velocity[d](c.shifted(d, 1))));
  if (touches_side(f, c))
    for (int d = 0; d < Dim; ++d) speed[d] = larger(speed[d], speed_in_sides(f, d, c));
  double rate = 0.0;
  for (int d = 0; d < Dim; ++d) rate += speed[d] * f.grid.inverse_width(d, c[d]);
  return rate;
}

// Integral of |u|^2 / 2 over the cell, each face standing for the half of the cell next to it.
template <int Dim>
HODGE_HD double kinetic_energy(const DiagnosedFields<Dim>& f, const Index<Dim>& c) {
  double squares = 0.0;
  for (int d = 0; d < Dim; ++d) {
    const double lower = f.velocity[d](c), upper = f.velocity[d](c.shifted(d, 1));
    squares += lower * lower + upper * upper;
  }
  return 0.25 * f.bodies.fluid(c) * f.grid.cell_volume(c) * squares;
}

template <int Dim>
HODGE_HD double speed_squared(const DiagnosedFields<Dim>& f, const Index<Dim>& c) {
  double sum = 0.0;
  for (int d = 0; d < Dim; ++d) {
    const double u = cell_velocity(f.velocity, d, c);
    sum += u * u;
  }
  return sum;
}

// f(d, face) for the lower faces of cell c, and for the upper ones of the last cells, which lie in
// the upper sides: over all cells every face once.
template <int Dim, class F>
HODGE_HD void for_each_own_face(const DiagnosedFields<Dim>& f, const Index<Dim>& c, F visit) {
  unrolled<Dim>([&](auto d) {
    visit(d, c);
    if (c[d] == f.grid.cells[d] - 1) visit(d, c.shifted(d, 1));
  });
}

template <int Dim>
HODGE_HD double largest_change(const DiagnosedFields<Dim>& f, const Index<Dim>& c) {
  double change = 0.0;
  for_each_own_face(f, c, [&](int d, const Index<Dim>& face) {
    change = larger(change, magnitude(f.velocity[d](face) - f.previous[d](face)));
  });
  return change;
}

// 1 where a value of a cell or of its faces is infinite or not a number, else 0.
template <int Dim>
HODGE_HD double not_finite(const DiagnosedFields<Dim>& f, const Index<Dim>& c) {
  bool finite = magnitude(f.pressure(c)) <= DBL_MAX;
  for_each_own_face(f, c, [&](int d, const Index<Dim>& face) {
    finite &= magnitude(f.velocity[d](face)) <= DBL_MAX;
  });
  return finite ? 0.0 : 1.0;
}

inline constexpr int diagnostic_count = 8;

// What rounding leaves of div u, 1/T: of the outflows of a cell, and of the gradient that the last
// projection has subtracted, that of a potential of about dt max |phi| / rho, for the initial
// velocity L max |u|, whose rounding errors are eps max |potential| in all cells. `increment`
// bounds |phi|: the largest difference between p and its mean before the step. (A level that all
// pressures have is in no increment.)
template <int Dim>
double divergence_rounding(const DiagnosedFields<Dim>& of, double last_dt, double cfl_rate,
                           double max_speed, double increment) {
  constexpr double of_outflows = 1e-12;
  const double potential = last_dt > 0 ? last_dt / of.density * increment : of.length * max_speed;
  return of_outflows * cfl_rate + std::numeric_limits<double>::epsilon() * of.stiffness * potential;
}

// `last_dt` is the size of the step from `previous` to `velocity`, 0 before the first step; `level`
// is the mean of the pressure before the step and becomes the present one. `results` has
// diagnostic_count entries.
template <int Dim, class Space>
Diagnostics diagnose(const DiagnosedFields<Dim>& fields, double last_dt, double& level,
                     linalg::Buffer<double, Space>& results) {
  using enum linalg::Reduction;
  constexpr int count = diagnostic_count;
  const double before = level;
  linalg::reduce<Space>(
      Box<Dim>{Index<Dim>::filled(0), fields.grid.cells},
      linalg::Kinds<max, sum, max, max, max, max, max, sum>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[count]) {
        value[0] = cfl_rate(fields, c);
        value[1] = kinetic_energy(fields, c);
        value[2] = magnitude(divergence(fields.grid, fields.bodies, fields.velocity, c));
        value[3] = speed_squared(fields, c);
        value[4] = largest_change(fields, c);
        value[5] = not_finite(fields, c);
        const double p = fields.bodies.excludes(at_cells, c) ? before : fields.pressure(c);
        value[6] = magnitude(p - before);
        value[7] = fields.grid.cell_volume(c) * p;
      },
      results.data());
  std::array<double, count> value{};
  results.download(value);
  level = value[7] / fields.volume;
  return {.cfl_rate = value[0],
          .kinetic_energy = value[1],
          .max_divergence = value[2],
          .max_speed = std::sqrt(value[3]),
          .rate_of_change = last_dt > 0 ? value[4] / last_dt : 0.0,
          .finite = value[5] == 0.0,
          .velocity_rate = last_dt > 0 ? value[4] / last_dt : 0.0,
          .divergence_rounding =
              divergence_rounding(fields, last_dt, value[0], std::sqrt(value[3]), value[6])};
}

// The largest change of a scalar in a step, its largest value, whether all values are numbers.
struct ScalarChange {
  double largest = 0, size = 0;
  bool finite = true;
};

template <int Dim, class Space>
ScalarChange scalar_change(const Box<Dim>& cells, const BodyView<Dim>& bodies,
                           const ConstFieldView<Dim>& now, const ConstFieldView<Dim>& before,
                           linalg::Buffer<double, Space>& results) {
  using enum linalg::Reduction;
  linalg::reduce<Space>(
      cells, linalg::Kinds<max, max, max>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[3]) {
        const bool fluid = !bodies.excludes(at_cells, c);
        value[0] = fluid ? magnitude(now(c) - before(c)) : 0.0;
        value[1] = !fluid || now(c) - now(c) == 0.0 ? 0.0 : 1.0;
        value[2] = fluid ? magnitude(now(c)) : 0.0;
      },
      results.data());
  std::array<double, diagnostic_count> value{};
  results.download(value);
  return {value[0], value[2], value[1] == 0.0};
}

}  // namespace hodge::sim
