// What sharp bodies (sharp.hpp) are to one scalar, on the host. Where the unknown of a cell beside
// a body is depends on what the body says of the scalar:
//
//   value               cells whose centre is in the fluid, each whole. Towards a cell whose centre
//                       is in the body the flux is that over the distance to the surface along the
//                       axis: D (w - q) / (theta delta), with 0 < theta <= 1
//   flux, convective,   all cells that are open, q at their centre, also where that is in the body.
//   nothing             With the open parts A of faces and V of the cell,
//
//       V dq/dt = sum_faces A (convection + D (q_there - q) / delta) + A_wall g
//
//                       A_wall g what passes the surface in the cell; convective g = K (w - q),
//                       with 1 / K = 1 / k + d / D, d the distance of the centre from the surface
//                       (< 0 in the body)
//
// Explicit schemes (`merges`) have no unknown in cells that are open by less than a half, where a
// small volume would ask for small steps. Such a cell has the value on the line along the normal of
// the surface, from the cells around where it meets the next plane of centres; what enters it is
// theirs, by the same weights, and so is its volume:
//
//   q_s = sum_j w_js q_j + length (dq/dn),   V_j := V_j + sum_s w_js V_s
//
// so that the total is kept and a cell is as stiff as a whole one (a plane that leaves V >= 1/2
// open leaves sum A / V <= 4 in 2D).
//
// Both are of second order, conserve the scalar, and have no coefficient of the wrong sign.
// Sources: F. Gibou, R. Fedkiw, L.-T. Cheng & M. Kang, J. Comput. Phys. 176, 2002 (value); Y. T.
// Ng, C. Min & F. Gibou, 228, 2009 (flux); J. Papac, F. Gibou & C. Ratsch, 229, 2010 (convective).
#pragma once

#include "sim/discrete/bodies/scalar_media.hpp"

namespace hodge::sim {

// `flow`: of sharp_bodies().
template <int Dim>
ScalarMedia<Dim> sharp_scalar_media(const Grid& grid, const Layout<Dim>& layout,
                                    const Problem& problem, const ScalarProblem& scalar,
                                    const BodyPoints<Dim>& flow, bool merges);

}  // namespace hodge::sim
