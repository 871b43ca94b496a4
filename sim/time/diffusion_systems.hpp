// The systems of a step with implicit diffusion and explicit convection as separable ones
// (discrete/assembly/separable_transport.hpp), which the method direct solves.
#pragma once

#include <string>
#include <vector>

#include "linalg/matrices/separable_system.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/schemes.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// Whether a run solves systems of velocity components, or of scalars (of the pressure: not asked).
bool solves_systems_of(SystemKind kind, const TimeScheme& scheme, const Problem& problem);

// Whether it does so by a method that reads matrices.
bool has_transport_matrices(const Settings& settings, const Problem& problem);

// Why the systems are not separable: "the box has solids"; empty: they are.
std::string against_separable_diffusion(SystemKind kind, const TimeScheme& scheme,
                                        const Problem& problem, int dim);

// Of each component, or of each scalar, with shift 0 and factor 1; none where that is not empty.
std::vector<linalg::SeparableSystem> diffusion_systems(SystemKind kind, const TimeScheme& scheme,
                                                       const Problem& problem, const Grid& grid);

}  // namespace hodge::sim
