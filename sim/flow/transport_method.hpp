// The method direct of the velocity components and of scalars: where it can serve, and its memory.
// And where their preconditioner jacobi is left out: division by a constant changes no iterate of
// any method, and takes a pass over the rows for each product.
#pragma once

#include <cstddef>

#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// Errors: KeyError where the method direct is named for systems that are not separable.
void check_transport_methods(const Settings& settings, const Problem& problem);

// Whether all rows of the components, or of the scalars, have the same diagonal: equal cells
// between periodic sides and no solids; with implicit convection also no upwind share in the
// matrix, and a velocity that was projected: the net flux out of a control volume is then that of
// rounding, or of the tolerance of the projection.
bool has_constant_diagonals(SystemKind kind, const Settings& settings, const Problem& problem);

// The settings of a run: with the method that the pressure gets, `none` for a jacobi of constant
// diagonals, and bicgstab for scalars whose matrix is not symmetric though the velocity's is.
Settings with_chosen_methods(const Settings& settings, const Problem& problem);

// Bytes of the direct solvers of the components, or of the scalars, on the device of the settings.
std::size_t direct_transport_bytes(SystemKind kind, const Settings& settings,
                                   const Problem& problem);

}  // namespace hodge::sim
