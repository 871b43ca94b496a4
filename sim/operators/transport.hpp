// Transport of q by a velocity and by diffusion, over control volumes V, with what the fields hold
// beyond the sides of the box (ghosts.hpp):
//
//   convection(c) = sum_sides q_out value          diffusion(c) = D sum_sides g (q there - q here)
//
// so that V dq/dt = -convection + diffusion. Shapes: q is a field with ghosts; results are
// integrals, in units of [q] L^Dim / T.
#pragma once

#include "sim/operators/convection.hpp"
#include "sim/operators/diffusion.hpp"

namespace hodge::sim {

template <int Dim>
struct TransportOperator {
  GridView<Dim> grid;
  SideKinds<Dim> sides;
  BodyView<Dim> bodies;
  int location;
  double diffusivity;
  Convection scheme;
};

// Flux of q along e through the side below c, less that of the implicit upwind where `deferred`.
template <int Dim>
HODGE_HD double convected_flux(const TransportOperator<Dim>& on, const ConstVelocityView<Dim>& u,
                               const ConstFieldView<Dim>& q, bool deferred, int e,
                               const Index<Dim>& c) {
  const double flux = convecting_flux(on.grid, u, on.location, e, c);
  const bool enters = enters_box(on.grid, on.sides, on.location, e, flux, c);
  if (enters && deferred) return 0.0;
  if (enters || on.scheme == Convection::central) return 0.5 * flux * (q(c.shifted(e, -1)) + q(c));
  double s[5];
  values_along_flow(q, on.bodies, on.location, e, flux, c, s);
  return flux * (side_value(on.scheme, s) - (deferred ? s[2] : 0.0));
}

template <int Dim>
HODGE_HD double convection_of(const TransportOperator<Dim>& on, const ConstVelocityView<Dim>& u,
                              const ConstFieldView<Dim>& q, bool deferred, const Index<Dim>& c) {
  double out = 0.0;
  for (int e = 0; e < Dim; ++e)
    out += convected_flux(on, u, q, deferred, e, c.shifted(e, 1)) -
           convected_flux(on, u, q, deferred, e, c);
  return out;
}

template <int Dim>
HODGE_HD double diffusion_of(const TransportOperator<Dim>& on, const ConstFieldView<Dim>& q,
                             const Index<Dim>& c) {
  double in = 0.0;
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2; ++side)
      in += conductance(on.grid, on.location, e, c.shifted(e, side)) *
            difference_across(q, on.bodies, on.location, e, side, c);
  return on.diffusivity * in;
}

}  // namespace hodge::sim
