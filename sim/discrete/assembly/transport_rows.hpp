// One row of a transport equation (transport_equation.hpp): its coefficients and right side but for
// the explicit terms, as point functions. A location that is Fixed makes them straight code but for
// rows beside a side or a solid.
//
// The right side is the residual of the old level. The coefficients of a row add up to
// V a0 / dt + theta_c F, F the net flux out of the control volume, so it can be written in
// differences:
//
//   b - A q^n = V (a2 (q^n - q^{n-1}) / dt + forcing - (grad p)_d / rho)
//               - sum_sides a_there (q^n there - q^n here) - theta_c F q^n here
//
// Its rounding errors are then those of the differences, and a uniform stream leaves exactly 0.
#pragma once

#include "sim/discrete/assembly/pattern.hpp"
#include "sim/discrete/assembly/transport_equation.hpp"
#include "sim/discrete/operators/gradient.hpp"
#include "sim/discrete/operators/side_friction.hpp"

namespace hodge::sim {

// What the rows of an equation are made of but for its explicit terms; Operator: a
// TransportOperator.
template <int Dim, class Operator = TransportOperator<Dim>>
struct TransportRows : ImplicitTerms<Dim> {
  Operator transport;
  Unknowns<Dim> unknowns;
  double new_rate, older_rate;  // a0 / dt, a2 / dt
  double implicit_diffusivity, inverse_density;
};

template <int Dim, class Operator>
TransportRows<Dim, Operator> rows_of(const TransportEquation<Dim>& equation,
                                     const Operator& transport, const Unknowns<Dim>& unknowns) {
  return {{equation},
          transport,
          unknowns,
          equation.weights.a0 / equation.dt,
          equation.weights.a2 / equation.dt,
          equation.implicit_diffusion * transport.diffusivity,
          1.0 / equation.density};
}

template <int Dim>
struct TransportRow {
  StencilRow<Dim> matrix;
  double right_side = 0;  // b - A q^n
};

// What changes q beside transport: the level before, forcing, pressure. a0 + a1 + a2 = 0, so that
// -(a0 + a1) q^n - a2 q^{n-1} is a difference.
template <int Dim, class Operator>
HODGE_HD double known_rate(const TransportRows<Dim, Operator>& rows, double here,
                           const Index<Dim>& c) {
  const Operator& on = rows.transport;
  double rate = rows.older_rate * (here - rows.older_level(c));
  if (rows.forcing.origin) rate += rows.forcing(c);
  if (on.location != at_cells && rows.pressure.origin)
    rate -= gradient(on.grid, rows.pressure, on.location, c) * rows.inverse_density;
  return rate;
}

// Flux and conductance are those of the lower side of a point, so the upper side of c asks at the
// next point.
template <int Dim, class Operator>
HODGE_HD void add_diffusion(const TransportRows<Dim, Operator>& rows, const Index<Dim>& c,
                            StencilRow<Dim>& row) {
  const Operator& on = rows.transport;
  for_each_side<Dim>([&](auto axis, auto side) {
    const double g = rows.implicit_diffusivity * conductance(on, axis, c.shifted(axis, side));
    row.coefficient[centre<Dim>] += g;
    row.coefficient[direction(axis, side)] -= g;
  });
}

// Returns the net flux out of the control volume.
template <int Dim, class Operator>
HODGE_HD double add_convection(const TransportRows<Dim, Operator>& rows, const Index<Dim>& c,
                               StencilRow<Dim>& row) {
  const Operator& on = rows.transport;
  double net = 0.0;
  for_each_side<Dim>([&](auto axis, auto side) {
    const Index<Dim> at = c.shifted(axis, side);
    const double flux =
        rows.implicit_convection * convecting_flux(on.grid, rows.convecting, on.location, axis, at);
    const bool enters = enters_box(on.grid, on.sides, on.location, axis, flux, at);
    const double out = side == 0 ? -flux : flux;
    const SideCoefficients a = convection_coefficients(out, enters ? 0.0 : rows.upwind_fraction);
    row.coefficient[centre<Dim>] += a.here;
    row.coefficient[direction(axis, side)] += a.there;
    net += out;
  });
  return net;
}

// What the factors of the rows beside sides (operators/side_friction.hpp) add to diffusion.
template <int Dim, class Operator>
HODGE_HD void add_side_friction(const TransportRows<Dim, Operator>& rows, const Index<Dim>& c,
                                StencilRow<Dim>& row) {
  const Operator& on = rows.transport;
  unrolled<Dim>([&](auto axis) {
    const double factor = side_factor(on.grid, on.sides, on.bodies, on.location, axis, c);
    if (factor == 1.0) return;
    unrolled<2>([&](auto side) {
      const double g =
          (factor - 1.0) * rows.implicit_diffusivity * conductance(on, axis, c.shifted(axis, side));
      row.coefficient[centre<Dim>] += g;
      row.coefficient[direction(axis, side)] -= g;
    });
  });
}

// right_side -= sum_sides a there (q^n there - q^n here), of a row whose neighbours surround it.
template <int Dim, class Operator>
HODGE_HD void subtract_differences(const TransportRows<Dim, Operator>& rows, double here,
                                   const Index<Dim>& c, TransportRow<Dim>& row) {
  for_each_side<Dim>([&](auto axis, auto side) {
    row.right_side -= row.matrix.coefficient[direction(axis, side)] *
                      (rows.old_level(c.shifted(axis, side == 0 ? -1 : 1)) - here);
  });
}

// The same of any other row, whose coefficients of values beyond sides of the box, and of those
// that solids have excluded, are replaced by what these values are in terms of the value here.
template <int Dim, class Operator>
HODGE_HD void fold_known_neighbours(const TransportRows<Dim, Operator>& rows, double here,
                                    const Index<Dim>& c, TransportRow<Dim>& row) {
  const Operator& on = rows.transport;
  double& diagonal = row.matrix.coefficient[centre<Dim>];
  for_each_side<Dim>([&](auto axis, auto side) {
    double& there = row.matrix.coefficient[direction(axis, side)];
    if (!rows.unknowns.inside(axis, side, c)) {
      const double slope = rows.closure.slope(axis, side, c);
      diagonal += there * slope;
      row.right_side -= there * (rows.closure.offset(axis, side, c) + (slope - 1.0) * here);
      there = 0.0;
      return;
    }
    const Index<Dim> neighbour = rows.unknowns.neighbour(axis, side, c);
    if (rows.unknowns.contains(neighbour)) {
      row.right_side -= there * (rows.old_level(neighbour) - here);
      return;
    }
    const AffineClosure beyond = on.bodies.beyond(on.location, axis, side, c);
    diagonal += there * beyond.slope;
    row.right_side -= there * (beyond.offset + (beyond.slope - 1.0) * here);
    there = 0.0;
  });
}

template <int Dim, class Operator>
HODGE_HD TransportRow<Dim> transport_row(const TransportRows<Dim, Operator>& rows,
                                         const Index<Dim>& c) {
  const Operator& on = rows.transport;
  const double volume = storage(on, c);
  const double here = rows.old_level(c);
  TransportRow<Dim> row;
  row.right_side = volume * known_rate(rows, here, c);
  row.matrix.coefficient[centre<Dim>] = volume * rows.new_rate;
  add_diffusion(rows, c, row.matrix);
  if (rows.implicit_convection != 0.0) row.right_side -= add_convection(rows, c, row.matrix) * here;
  if (rows.unknowns.numbers == nullptr && rows.unknowns.surrounded(c)) {
    subtract_differences(rows, here, c, row);
  } else {
    add_side_friction(rows, c, row.matrix);
    fold_known_neighbours(rows, here, c, row);
  }
  return row;
}

}  // namespace hodge::sim
