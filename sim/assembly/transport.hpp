// The implicit transport equation of a velocity component or a scalar q, linear in its new value,
// over control volumes V:
//
//   V (a0 q + a1 q^n + a2 q^{n-1}) / dt + theta_c C(u^) q - theta_d D q
//       = V (forcing - (grad p)_d / rho) + explicit terms
//
//   C(u^) q = sum_sides out value   central or upwind (operators/convection.hpp)
//   D q     = sum_sides g (q there - q here) (operators/diffusion.hpp)
//
// Explicit terms: transport of known levels with their weights, and minus the deferred correction
// of convection. Beyond a side of the box the value is offset + slope * q here
// (boundaries/closure.hpp), beside a solid a multiple of q here. Without implicit convection the
// matrix is symmetric, on stretched grids too.
#pragma once

#include "linalg/matrices/csr.hpp"
#include "sim/assembly/pattern.hpp"
#include "sim/boundaries/closure.hpp"
#include "sim/operators/gradient.hpp"
#include "sim/operators/transport.hpp"
#include "sim/time/schemes.hpp"

namespace hodge::sim {

// weight_c (-C(velocity) field) + weight_d D field on the right side; of C what the implicit upwind
// has not where `deferred`.
template <int Dim>
struct ExplicitTerm {
  ConstVelocityView<Dim> velocity;
  ConstFieldView<Dim> field;
  double convection = 0, diffusion = 0;
  bool deferred = false;
};

template <int Dim>
struct TransportEquation {
  TransportOperator<Dim> transport;
  ClosureView<Dim> closure;
  double dt;
  TimeWeights weights;
  ConstFieldView<Dim> old_level, older_level;  // q^n, q^{n-1}
  ConstVelocityView<Dim> convecting;           // u^
  double implicit_convection = 1, implicit_diffusion = 1;
  double upwind_fraction = 0;
  ExplicitTerm<Dim> explicit_terms[2] = {};
  ConstFieldView<Dim> deferred;  // the new q, extrapolated; null: no deferred correction
  ConstFieldView<Dim> forcing;   // [q] / T; null: none
  ConstFieldView<Dim> pressure;  // of a velocity component; null: none
  double density = 1;
};

// What the rows of an equation are made of but for its explicit terms; Location as in
// TransportOperator.
template <int Dim, class Location = int>
struct TransportRows {
  TransportOperator<Dim, Location> transport;
  Unknowns<Dim> unknowns;
  ClosureView<Dim> closure;
  double new_rate, old_rate, older_rate;       // a / dt of the three levels
  ConstFieldView<Dim> old_level, older_level;  // q^n, q^{n-1}
  ConstVelocityView<Dim> convecting;
  double implicit_convection, implicit_diffusivity, upwind_fraction;
  ConstFieldView<Dim> forcing, pressure;
  double inverse_density;
};

template <int Dim, class Location>
TransportRows<Dim, Location> rows_of(const TransportEquation<Dim>& equation,
                                     const TransportOperator<Dim, Location>& transport,
                                     const Unknowns<Dim>& unknowns) {
  const TimeWeights& w = equation.weights;
  return {transport,
          unknowns,
          equation.closure,
          w.a0 / equation.dt,
          w.a1 / equation.dt,
          w.a2 / equation.dt,
          equation.old_level,
          equation.older_level,
          equation.convecting,
          equation.implicit_convection,
          equation.implicit_diffusion * transport.diffusivity,
          equation.upwind_fraction,
          equation.forcing,
          equation.pressure,
          1.0 / equation.density};
}

template <int Dim>
struct TransportRow {
  StencilRow<Dim> matrix;
  double right_side = 0;
};

// What changes q beside transport: the levels before, forcing, pressure.
template <int Dim, class Location>
HODGE_HD double known_rate(const TransportRows<Dim, Location>& rows, const Index<Dim>& c) {
  const TransportOperator<Dim, Location>& on = rows.transport;
  double rate = -(rows.old_rate * rows.old_level(c) + rows.older_rate * rows.older_level(c));
  if (rows.forcing.origin) rate += rows.forcing(c);
  if (on.location != at_cells && rows.pressure.origin)
    rate -= gradient(on.grid, rows.pressure, on.location, c) * rows.inverse_density;
  return rate;
}

// Flux and conductance are those of the lower side of a point, so the upper side of c asks at the
// next point.
template <int Dim, class Location>
HODGE_HD void add_diffusion(const TransportRows<Dim, Location>& rows, const Index<Dim>& c,
                            StencilRow<Dim>& row) {
  const TransportOperator<Dim, Location>& on = rows.transport;
  for_each_side<Dim>([&](auto axis, auto side) {
    const double g =
        rows.implicit_diffusivity * conductance(on.grid, on.location, axis, c.shifted(axis, side));
    row.coefficient[centre<Dim>] += g;
    row.coefficient[direction(axis, side)] -= g;
  });
}

template <int Dim, class Location>
HODGE_HD void add_convection(const TransportRows<Dim, Location>& rows, const Index<Dim>& c,
                             StencilRow<Dim>& row) {
  const TransportOperator<Dim, Location>& on = rows.transport;
  for_each_side<Dim>([&](auto axis, auto side) {
    const Index<Dim> at = c.shifted(axis, side);
    const double flux =
        rows.implicit_convection * convecting_flux(on.grid, rows.convecting, on.location, axis, at);
    const bool enters = enters_box(on.grid, on.sides, on.location, axis, flux, at);
    const SideCoefficients a =
        convection_coefficients(side == 0 ? -flux : flux, enters ? 0.0 : rows.upwind_fraction);
    row.coefficient[centre<Dim>] += a.here;
    row.coefficient[direction(axis, side)] += a.there;
  });
}

// Replaces the values beyond sides of the box, and those that solids have excluded, by what they
// are in terms of the value here.
template <int Dim, class Location>
HODGE_HD void fold_known_neighbours(const TransportRows<Dim, Location>& rows, const Index<Dim>& c,
                                    TransportRow<Dim>& row) {
  const TransportOperator<Dim, Location>& on = rows.transport;
  double& diagonal = row.matrix.coefficient[centre<Dim>];
  for_each_side<Dim>([&](auto axis, auto side) {
    double& there = row.matrix.coefficient[direction(axis, side)];
    if (!rows.unknowns.inside(axis, side, c)) {
      diagonal += there * rows.closure.slope(axis, side, c);
      row.right_side -= there * rows.closure.offset(axis, side, c);
      there = 0.0;
      return;
    }
    const Index<Dim> neighbour = rows.unknowns.neighbour(axis, side, c);
    if (rows.unknowns.contains(neighbour)) return;
    diagonal += there * solid_slope(on.bodies, on.location, axis, neighbour);
    there = 0.0;
  });
}

template <int Dim, class Location>
HODGE_HD TransportRow<Dim> transport_row(const TransportRows<Dim, Location>& rows,
                                         const Index<Dim>& c) {
  const TransportOperator<Dim, Location>& on = rows.transport;
  const double volume = on.grid.control_volume(on.location, c);
  TransportRow<Dim> row;
  row.right_side = volume * known_rate(rows, c);
  row.matrix.coefficient[centre<Dim>] = volume * rows.new_rate;
  add_diffusion(rows, c, row.matrix);
  if (rows.implicit_convection != 0.0) add_convection(rows, c, row.matrix);
  if (rows.unknowns.numbers != nullptr || !rows.unknowns.surrounded(c))
    fold_known_neighbours(rows, c, row);
  return row;
}

// x := the values of a field at the unknowns, in the same pass; null: not wanted.
template <int Dim>
struct GatheredGuess {
  ConstFieldView<Dim> field;
  double* x = nullptr;
};

template <int Dim, class Space, class Location>
void assemble_rows(const TransportRows<Dim, Location>& rows, linalg::CsrMatrix<Space>& matrix,
                   linalg::Vector<Space>& right_side, const GatheredGuess<Dim>& guess) {
  double* const b = right_side.data();
  fill_rows(rows.unknowns, matrix, [=] HODGE_LAMBDA(const Index<Dim>& c, double* entries) {
    const TransportRow<Dim> row = transport_row(rows, c);
    const int number = rows.unknowns.row(c);
    if (guess.x != nullptr) guess.x[number] = guess.field(c);
    b[number] = row.right_side;
    return write_row(rows.unknowns, c, row.matrix, entries);
  });
}

template <int Dim, class Space, class Location, class Scheme>
void add_term(const TransportOperator<Dim, Location, Scheme>& on, const Unknowns<Dim>& unknowns,
              const ExplicitTerm<Dim>& term, linalg::Vector<Space>& right_side) {
  double* const b = right_side.data();
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!unknowns.contains(c)) return;
    double sum = 0.0;
    if (term.convection != 0.0)
      sum -= term.convection * convection_of(on, term.velocity, term.field, term.deferred, c);
    if (term.diffusion != 0.0) sum += term.diffusion * diffusion_of(on, term.field, c);
    b[unknowns.row(c)] += sum;
  });
}

// b += the explicit terms of the equation
template <int Dim, class Space>
void add_explicit_terms(const TransportEquation<Dim>& equation, const Unknowns<Dim>& unknowns,
                        linalg::Vector<Space>& right_side) {
  const ExplicitTerm<Dim> deferred{equation.convecting, equation.deferred,
                                   equation.deferred.origin ? equation.implicit_convection : 0.0,
                                   0.0, true};
  for (const ExplicitTerm<Dim>& term :
       {equation.explicit_terms[0], equation.explicit_terms[1], deferred})
    if (term.convection != 0.0 || term.diffusion != 0.0)
      with_fixed_location_and_scheme(equation.transport, [&](const auto& on) {
        add_term<Dim, Space>(on, unknowns, term, right_side);
      });
}

// Values of the matrix and the right side; no allocation, nothing waits.
template <int Dim, class Space>
void assemble_transport(const TransportEquation<Dim>& equation, const Unknowns<Dim>& unknowns,
                        linalg::CsrMatrix<Space>& matrix, linalg::Vector<Space>& right_side,
                        const GatheredGuess<Dim>& guess = {}) {
  with_fixed_location(equation.transport, [&](const auto& on) {
    assemble_rows<Dim, Space>(rows_of(equation, on, unknowns), matrix, right_side, guess);
  });
  add_explicit_terms(equation, unknowns, right_side);
}

}  // namespace hodge::sim
