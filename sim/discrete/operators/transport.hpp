// Transport of q by a velocity and by diffusion, over control volumes V, with what the fields hold
// beyond the sides of the box (ghosts.hpp):
//
//   convection(c) = sum_sides q_out value          diffusion(c) = D sum_sides g (q there - q here)
//
// so that V dq/dt = -convection + diffusion. Shapes: q is a field with ghosts; results are
// integrals, in units of [q] L^Dim / T. What is known of an operator when kernels are compiled is
// in its type; where its coefficient varies, one operator with nothing fixed serves.
#pragma once

#include "sim/discrete/boundaries/entering.hpp"
#include "sim/discrete/operators/convection.hpp"
#include "sim/discrete/operators/diffusion.hpp"
#include "sim/discrete/operators/fixed_location.hpp"

namespace hodge::sim {

// Location: int or Fixed; Scheme: Convection or FixedScheme; Coefficient: UnitCoefficient where D
// is known to be a constant.
template <int Dim, class Location = int, class Scheme = Convection, class Grid = GridView<Dim>,
          class Coefficient = FaceCoefficient<Dim>>
struct TransportOperator {
  Grid grid;  // GridView or UniformGrid
  SideKinds<Dim> sides;
  BodyView<Dim> bodies;
  Location location;
  double diffusivity;
  Scheme scheme;
  Coefficient coefficient{};
  SideFlows<Dim> side_flows{};  // operators/open_faces.hpp
};

// The same operator, of a constant D, with a location, scheme and grid of other types.
template <int Dim, class Location, class Scheme, class Grid>
HODGE_HD TransportOperator<Dim, Location, Scheme, Grid, UnitCoefficient> with_constant_diffusivity(
    const TransportOperator<Dim>& on, Location location, Scheme scheme, const Grid& grid) {
  return {grid, on.sides, on.bodies, location, on.diffusivity, scheme, {}, on.side_flows};
}

// f(the same operator) of a fixed location, and of a fixed scheme too.
template <int Dim, class F>
void with_fixed_location(const TransportOperator<Dim>& on, F f) {
  if (on.coefficient.varies()) return f(on);
  with_fixed_location<Dim>(on.location, [&](auto location) {
    f(with_constant_diffusivity(on, location, on.scheme, on.grid));
  });
}

template <int Dim, class F>
void with_fixed_location_and_scheme(const TransportOperator<Dim>& on, F f) {
  if (on.coefficient.varies()) return f(on);
  with_fixed_location<Dim>(on.location, [&](auto location) {
    with_fixed_scheme(on.scheme, [&](auto scheme) {
      f(with_constant_diffusivity(on, location, scheme, on.grid));
    });
  });
}

// What `flux` carries of q along e through the side below c, less what the implicit upwind does
// where `deferred`.
template <int Dim, class... Kind>
HODGE_HD double carried_by(double flux, const TransportOperator<Dim, Kind...>& on,
                           const ConstFieldView<Dim>& q, bool deferred, int e,
                           const Index<Dim>& c) {
  const bool enters = enters_box(on.grid, on.sides, on.location, e, flux, c);
  if (enters && deferred) return 0.0;
  if (on.scheme == Convection::central || enters) return 0.5 * flux * (q(c.shifted(e, -1)) + q(c));
  double s[5];
  values_along_flow(q, on.bodies, on.location, e, flux, c, s);
  return flux * (side_value(on.scheme, s) - (deferred ? s[2] : 0.0));
}

template <int Dim, class... Kind>
HODGE_HD double convected_flux(const TransportOperator<Dim, Kind...>& on,
                               const ConstVelocityView<Dim>& u, const ConstFieldView<Dim>& q,
                               bool deferred, int e, const Index<Dim>& c) {
  return carried_by(convecting_flux(on.grid, u, on.location, e, c), on, q, deferred, e, c);
}

template <int Dim, class... Kind>
HODGE_HD double convection_of(const TransportOperator<Dim, Kind...>& on,
                              const ConstVelocityView<Dim>& u, const ConstFieldView<Dim>& q,
                              bool deferred, const Index<Dim>& c) {
  double out = 0.0;
  unrolled<Dim>([&](auto e) {
    out += convected_flux(on, u, q, deferred, e, c.shifted(e, 1)) -
           convected_flux(on, u, q, deferred, e, c);
  });
  return out;
}

// difference(e, side) is q there - q here.
template <int Dim, class Difference, class... Kind>
HODGE_HD double diffusion_by(const TransportOperator<Dim, Kind...>& on,
                             const Difference& difference, const Index<Dim>& c) {
  double in = 0.0;
  for_each_side<Dim>([&](auto e, auto side) {
    in += conductance(on, e, c.shifted(e, side)) * difference(e, side);
  });
  return on.diffusivity * in;
}

template <int Dim, class... Kind>
HODGE_HD double diffusion_of(const TransportOperator<Dim, Kind...>& on,
                             const ConstFieldView<Dim>& q, const Index<Dim>& c) {
  if (!on.bodies.any())
    return diffusion_by(
        on, [&](int e, int side) { return q(c.shifted(e, side == 0 ? -1 : 1)) - q(c); }, c);
  return diffusion_by(
      on, [&](int e, int side) { return difference_across(q, on.bodies, on.location, e, side, c); },
      c);
}

// What the transpose of the gradient of u brings to a velocity component.
template <int Dim, class... Kind>
HODGE_HD double transposed_diffusion_of(const TransportOperator<Dim, Kind...>& on,
                                        const ConstVelocityView<Dim>& u, const Index<Dim>& c) {
  double in = 0.0;
  for (int e = 0; e < Dim; ++e)
    in += transposed_flux(on, u, e, c.shifted(e, 1)) - transposed_flux(on, u, e, c);
  return on.diffusivity * in;
}

}  // namespace hodge::sim
