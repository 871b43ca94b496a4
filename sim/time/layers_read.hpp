// How many layers of other processes' cells a flow reads beyond its cuts, which is how many are
// sent (discrete/processes/halo_exchange.hpp): a step, its diagnostics, output and probes.
#pragma once

#include <string>

#include "sim/discrete/fields/layout.hpp"
#include "sim/discrete/operators/closures/closures.hpp"
#include "sim/discrete/operators/side_values.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// Differences, and means of two neighbours, reach one cell far; the test filter of a dynamic model
// two, values at sides by higher schemes, and what bodies need, up to ghost_width.
inline int layers_read_beyond_cuts(const Settings& settings, const Problem& problem) {
  const auto is_central = [](const std::string& scheme) {
    return find_convection_scheme(scheme).kind == Convection::central;
  };
  const bool filters = problem.turbulence && is_dynamic(problem.turbulence->model);
  const bool near = !filters && problem.solids.empty() && !problem.resistances.any() &&
                    is_central(settings.convection_scheme) &&
                    (problem.scalars.empty() || is_central(settings.convection_of_scalars()));
  return near ? 1 : ghost_width;
}

}  // namespace hodge::sim
