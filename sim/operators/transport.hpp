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
  BodyView<Dim> bodies;
  int location;
  double diffusivity;
  Convection scheme;
};

template <int Dim>
HODGE_HD double convection_of(const TransportOperator<Dim>& on, const ConstVelocityView<Dim>& u,
                              const ConstFieldView<Dim>& q, bool deferred, const Index<Dim>& c) {
  double out = 0.0;
  for (int e = 0; e < Dim; ++e) {
    const Index<Dim> above = c.shifted(e, 1);
    const double below_flux = convecting_flux(on.grid, u, on.location, e, c);
    const double above_flux = convecting_flux(on.grid, u, on.location, e, above);
    out += convected_flux(q, on.bodies, on.scheme, deferred, on.location, e, above_flux, above) -
           convected_flux(q, on.bodies, on.scheme, deferred, on.location, e, below_flux, c);
  }
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
