// The matrix of a step of diffusion (transport_equation.hpp without implicit convection) in a box
// without solids as a separable system:
//
//   A = (a0 / dt) prod_d W_d + theta D sum_d T_d x prod_{e != d} W_e
//
//   along an axis   weights W                        couplings k of T
//   cells           widths; where the row has a      1 / distance of centres; at an end
//                   factor f (operators/             (1 - slope) / width of the last cell
//                   side_friction.hpp) width / f
//   faces           distances of centres             1 / width of the cell between
//
// A value beyond a side is offset + slope times the value within (boundaries/closure.hpp): -1 where
// the value is given in the side, 1 where the flux is, between them for Robin's condition with a
// constant coefficient. A face in a side where the velocity is given has the value 0 beyond.
// Only a0 / dt and theta D change from step to step: the shift and the factor of the system.
#pragma once

#include <string>

#include "linalg/matrices/separable_system.hpp"
#include "sim/discrete/boundaries/field_boundary.hpp"
#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {

// A field whose diffusion is solved for.
struct DiffusedField {
  FieldSides sides;
  int location;            // a component or at_cells
  double diffusivity = 0;  // of a scalar, for Robin's condition
};

// Why the system is not separable: "x_upper is open: ..."; empty: it is.
std::string against_separability(const DiffusedField& field, const Boundaries& boundaries, int dim);

// With shift 0 and factor 1. No axes where the field has no unknowns.
linalg::SeparableSystem separable_transport(const DiffusedField& field,
                                            const Boundaries& boundaries, const Grid& grid);

}  // namespace hodge::sim
