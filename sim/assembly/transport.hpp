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

// weight_c (-C(velocity) field) + weight_d D field on the right side.
template <int Dim>
struct ExplicitTerm {
  ConstVelocityView<Dim> velocity;
  ConstFieldView<Dim> field;
  double convection = 0, diffusion = 0;
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

template <int Dim>
struct TransportRow {
  StencilRow<Dim> matrix;
  double right_side = 0;
};

// Of one side of the control volume at c. Flux and conductance are those of the lower side of a
// point, so the upper side of c asks at the next point.
template <int Dim>
HODGE_HD SideCoefficients transport_coefficients(const TransportEquation<Dim>& equation, int axis,
                                                 int side, const Index<Dim>& c) {
  const TransportOperator<Dim>& on = equation.transport;
  const Index<Dim> at = c.shifted(axis, side);
  const double diffusive =
      equation.implicit_diffusion * on.diffusivity * conductance(on.grid, on.location, axis, at);
  if (equation.implicit_convection == 0.0) return {diffusive, -diffusive};
  const double flux = equation.implicit_convection *
                      convecting_flux(on.grid, equation.convecting, on.location, axis, at);
  const bool enters = enters_box(on.grid, on.sides, on.location, axis, flux, at);
  const SideCoefficients convective =
      convection_coefficients(side == 0 ? -flux : flux, enters ? 0.0 : equation.upwind_fraction);
  return {convective.here + diffusive, convective.there - diffusive};
}

template <int Dim>
HODGE_HD double known_terms(const TransportEquation<Dim>& equation, const Index<Dim>& c) {
  const TransportOperator<Dim>& on = equation.transport;
  const TimeWeights& w = equation.weights;
  double rate = -(w.a1 * equation.old_level(c) + w.a2 * equation.older_level(c)) / equation.dt;
  if (equation.forcing.origin) rate += equation.forcing(c);
  if (equation.pressure.origin)
    rate -= gradient(on.grid, equation.pressure, on.location, c) / equation.density;
  double sum = on.grid.control_volume(on.location, c) * rate;
  for (const ExplicitTerm<Dim>& term : equation.explicit_terms) {
    if (term.convection != 0.0)
      sum -= term.convection * convection_of(on, term.velocity, term.field, false, c);
    if (term.diffusion != 0.0) sum += term.diffusion * diffusion_of(on, term.field, c);
  }
  if (equation.deferred.origin)
    sum -= equation.implicit_convection *
           convection_of(on, equation.convecting, equation.deferred, true, c);
  return sum;
}

template <int Dim>
HODGE_HD TransportRow<Dim> transport_row(const TransportEquation<Dim>& equation,
                                         const Unknowns<Dim>& unknowns, const Index<Dim>& c) {
  const TransportOperator<Dim>& on = equation.transport;
  TransportRow<Dim> row;
  row.right_side = known_terms(equation, c);
  double diagonal = on.grid.control_volume(on.location, c) * equation.weights.a0 / equation.dt;
  for (int axis = 0; axis < Dim; ++axis)
    for (int side = 0; side < 2; ++side) {
      const SideCoefficients a = transport_coefficients(equation, axis, side, c);
      diagonal += a.here;
      if (!unknowns.inside(axis, side, c)) {
        diagonal += a.there * equation.closure.slope(axis, side, c);
        row.right_side -= a.there * equation.closure.offset(axis, side, c);
        continue;
      }
      const Index<Dim> there = unknowns.neighbour(axis, side, c);
      if (unknowns.contains(there))
        row.matrix.coefficient[direction(axis, side)] = a.there;
      else
        diagonal += a.there * solid_slope(on.bodies, on.location, axis, there);
    }
  row.matrix.coefficient[centre<Dim>] = diagonal;
  return row;
}

// Values of the matrix and the right side; no allocation, nothing waits.
template <int Dim, class Space>
void assemble_transport(const TransportEquation<Dim>& equation, const Unknowns<Dim>& unknowns,
                        linalg::CsrMatrix<Space>& matrix, linalg::Vector<Space>& right_side) {
  const int* const row_offsets = matrix.pattern().row_offsets().data();
  double* const values = matrix.values().data();
  double* const b = right_side.data();
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (!unknowns.contains(c)) return;
    const TransportRow<Dim> row = transport_row(equation, unknowns, c);
    store_row(unknowns, c, row.matrix, row_offsets, values);
    b[unknowns.row(c)] = row.right_side;
  });
}

}  // namespace hodge::sim
