// The method direct of the velocity components and of scalars: where it can serve, and its memory.
#pragma once

#include <cstddef>

#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// Errors: KeyError where the method direct is named for systems that are not separable.
void check_transport_methods(const Settings& settings, const Problem& problem);

// Bytes of the direct solvers of the components, or of the scalars, on the device of the settings.
std::size_t direct_transport_bytes(SystemKind kind, const Settings& settings,
                                   const Problem& problem);

}  // namespace hodge::sim
