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
// Both are of second order, conserve the scalar, and have no coefficient of the wrong sign. Cells
// may be small and surfaces near, so that transport has to be implicit (time/scalar_step.hpp).
// Sources: F. Gibou, R. Fedkiw, L.-T. Cheng & M. Kang, J. Comput. Phys. 176, 2002 (value); Y. T.
// Ng, C. Min & F. Gibou, 228, 2009 (flux); J. Papac, F. Gibou & C. Ratsch, 229, 2010 (convective).
#pragma once

#include "sim/discrete/bodies/scalar_media.hpp"

namespace hodge::sim {

// `flow`: of sharp_bodies().
template <int Dim>
ScalarMedia<Dim> sharp_scalar_media(const Grid& grid, const Layout<Dim>& layout,
                                    const Problem& problem, const ScalarProblem& scalar,
                                    const BodyPoints<Dim>& flow);

}  // namespace hodge::sim
