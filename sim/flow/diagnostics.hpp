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
#include "sim/discrete/fields/layers.hpp"
#include "sim/discrete/operators/diagnosed_cell.hpp"
#include "sim/flow/flow.hpp"

namespace hodge::sim {

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
  bool has_sides;    // of the whole box: where the fluid ends
};

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

// The cell's cfl_rate with the velocity in a side beside it where that is faster.
template <int Dim>
HODGE_HD double cfl_rate_beside_side(const DiagnosedFields<Dim>& f, const Index<Dim>& c) {
  double rate = 0.0;
  for (int d = 0; d < Dim; ++d) {
    const double speed =
        larger(magnitude(f.velocity[d](c)), magnitude(f.velocity[d](c.shifted(d, 1))));
    rate += larger(speed, speed_in_sides(f, d, c)) * f.grid.inverse_width(d, c[d]);
  }
  return rate;
}

template <int Dim>
HODGE_HD DiagnosedCell<Dim> diagnosed_cell(const DiagnosedFields<Dim>& f, const Index<Dim>& c) {
  DiagnosedCell<Dim> cell;
  cell.pressure = f.pressure(c);
  cell.finite = magnitude(cell.pressure) <= DBL_MAX;
  unrolled<Dim>([&](auto d) {
    const Index<Dim> above = c.shifted(d, 1);
    cell.lower[d] = f.velocity[d](c);
    cell.upper[d] = f.velocity[d](above);
    cell.visit_own_face(cell.lower[d], f.previous[d](c));
    if (c[d] == f.grid.cells[d] - 1) cell.visit_own_face(cell.upper[d], f.previous[d](above));
  });
  return cell;
}

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

// measured[0] .. measured[diagnostic_count - 1]
template <int Dim, class Space>
void measure_cells(const DiagnosedFields<Dim>& fields, double level, double* measured) {
  using enum linalg::Reduction;
  linalg::reduce<Space>(
      Box<Dim>{Index<Dim>::filled(0), fields.grid.cells},
      linalg::Kinds<max, sum, max, max, max, max, max, sum>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[diagnostic_count]) {
        measure_cell(fields.grid, fields.bodies, diagnosed_cell(fields, c), level, c, value);
      },
      measured);
}

// The last number. In a pass of its own, so that the cells within the box do not wait for it.
template <int Dim, class Space>
void measure_sides(const DiagnosedFields<Dim>& fields, double* measured) {
  double* const rate = measured + diagnostic_count;
  if (!fields.has_sides) return linalg::for_each<Space>(1, [=] HODGE_LAMBDA(int) { *rate = 0.0; });
  const CellsBesideSides<Dim> beside{fields.grid.cells};
  linalg::reduce<Space>(
      beside.box(), linalg::Kinds<linalg::Reduction::max>(),
      [=] HODGE_LAMBDA(const Index<Dim>& at, double(&value)[1]) {
        value[0] = 0.0;
        beside.visit(at, [&](int axis, int side, const Index<Dim>& c) {
          if (!fields.sides.continues[axis][side]) value[0] = cfl_rate_beside_side(fields, c);
        });
      },
      rate);
}

// `last_dt` is the size of the step from `previous` to `velocity`, 0 before the first step; `level`
// is the mean of the pressure before the step and becomes the present one. `results` has
// measured_count entries, of which the step may have measured those of the cells.
template <int Dim, class Space>
Diagnostics diagnose(const DiagnosedFields<Dim>& fields, double last_dt, double& level,
                     linalg::Buffer<double, Space>& results, bool cells_are_measured = false) {
  if (!cells_are_measured) measure_cells<Dim, Space>(fields, level, results.data());
  measure_sides<Dim, Space>(fields, results.data());
  std::array<double, measured_count> value{};
  results.download(value);
  level = value[7] / fields.volume;
  const double cfl_rate = larger(value[0], value[8]), max_speed = std::sqrt(value[3]);
  return {
      .cfl_rate = cfl_rate,
      .kinetic_energy = value[1],
      .max_divergence = value[2],
      .max_speed = max_speed,
      .rate_of_change = last_dt > 0 ? value[4] / last_dt : 0.0,
      .finite = value[5] == 0.0,
      .velocity_rate = last_dt > 0 ? value[4] / last_dt : 0.0,
      .divergence_rounding = divergence_rounding(fields, last_dt, cfl_rate, max_speed, value[6])};
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
  std::array<double, measured_count> value{};
  results.download(value);
  return {value[0], value[2], value[1] == 0.0};
}

}  // namespace hodge::sim
