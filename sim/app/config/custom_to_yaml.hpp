// The sections of CustomSettings as YAML that reads back to the same formulas.
#pragma once

#include <string>

#include "sim/model/custom_settings.hpp"

namespace hodge::sim {

// fluid, force, initial and exact, or prescribed_velocity; boundaries.
std::string custom_to_yaml(const CustomSettings& custom, int dim);

// Nothing without scalars. Where the boundaries are those of the file they are given.
std::string scalars_to_yaml(const std::vector<CustomScalar>& scalars, int dim,
                            const Boundaries* boundaries);

}  // namespace hodge::sim
