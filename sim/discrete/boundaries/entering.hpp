// Fluid that enters through an open side, where the static pressure is given.
//
// A static pressure does work on whatever enters, so that an eddy that reaches across the side
// could draw energy from it without end. A flow that does not change along the normal, developed in
// a pipe, say, needs that work, also where it reverses. The two differ beside the side:
//
//   share = 1 / (1 + (<e^2> / <w^2>)^2)   w: speed inwards;  1: p is given;  0: p + rho u^2 / 2 is
//   e     = L |du/dn|                     L: the smallest extent of the side, as the largest eddy
//                                         that fits has
//
// <> are means over what enters through the side, weighted by its flux, so that one share holds for
// a side: if it were one of each face, fluid would come in where it costs nothing, in jets. e is 0
// in a parallel flow and in a uniform stream of any direction, and w or more in an eddy. The share
// acts where fluid enters:
//
//   across the side   the flux that enters carries u (1 + share) / 2
//   along it          the same by convection and friction together: the value beyond is
//                     slope * within,  slope = (k + share w / 2) / (k + w / 2),  k = nu / delta
//
// The kinetic energy that convection brings through the side is share |u|^2 / 2 per volume, and
// what it takes out |u|^2 / 2: without friction the balance is exact (open_faces_test.cpp). With
// share = 0 this is the directional do-nothing condition; docs/BACKFLOW.md compares it with others.
// The share is a smooth function of the velocity that carries. Cost: a reduction over each open
// side wherever the sides are refreshed; nothing waits for the host.
//
// Sources: C.-H. Bruneau & P. Fabrie, Int. J. Numer. Meth. Fluids 19, 1994; M. Braack & P. B.
// Mucha, J. Comput. Math. 32, 2014 (directional do-nothing condition).
#pragma once

#include "linalg/base/macros.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/grid/metrics.hpp"

namespace hodge::sim {

// Sums over the faces of a side, on the device. A: what is open of them.
struct SideFlow {
  double outward = 0;    // A u.n
  double entering = 0;   // A w where fluid enters, else 0
  double energy = 0;     // A w w^2
  double deviation = 0;  // A w e^2
};
inline constexpr int side_flow_sums = 4;

// Of each open side; null: it is none.
template <int Dim>
struct SideFlows {
  const SideFlow* of[Dim][2] = {};
};

// |du/dn|^2 in a cell beside the side, from the next values inwards; of the components along the
// side the mean over both faces of the cell.
template <int Dim>
HODGE_HD double squared_normal_gradient(const GridView<Dim>& grid, const ConstVelocityView<Dim>& u,
                                        int axis, int side, const Index<Dim>& cell) {
  const int inward = side == 0 ? 1 : -1;
  const double across =
      (u[axis](cell.shifted(axis, 1)) - u[axis](cell)) * grid.inverse_width(axis, cell[axis]);
  const double inverse = grid.inverse_distance(axis, cell[axis] + (side == 0 ? 1 : 0));
  double sum = across * across;
  for (int e = 0; e < Dim; ++e)
    for (int upper = 0; upper < 2 && e != axis; ++upper) {
      const Index<Dim> face = cell.shifted(e, upper);
      const double along = (u[e](face.shifted(axis, inward)) - u[e](face)) * inverse;
      sum += 0.5 * along * along;
    }
  return sum;
}

// What one face adds; `extent`: L; `open`: what bodies leave of it.
template <int Dim>
HODGE_HD SideFlow side_flow_at(const GridView<Dim>& grid, double open,
                               const ConstVelocityView<Dim>& u, int axis, int side, double extent,
                               const Index<Dim>& cell) {
  const double along = u[axis](side == 0 ? cell : cell.shifted(axis, 1));
  const double w = side == 0 ? along : -along, flux = open * grid.face_area(axis, cell) * w;
  if (w <= 0.0) return {-flux, 0.0, 0.0, 0.0};
  const double gradient = squared_normal_gradient(grid, u, axis, side, cell);
  return {-flux, flux, flux * w * w, flux * extent * extent * gradient};
}

// Null: 1.
HODGE_HD inline double entering_share(const SideFlow* of) {
  if (of == nullptr) return 1.0;
  const SideFlow flow = *of;
  const double sum = flow.energy + flow.deviation;
  if (!(sum > 0.0)) return 1.0;
  const double part = flow.energy / sum, rest = flow.deviation / sum;  // no powers that overflow
  return part * part / (part * part + rest * rest);
}

}  // namespace hodge::sim
