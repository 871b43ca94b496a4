// The sections solids and forces as read_solids.cpp and read_forces.cpp read them back.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/model/settings.hpp"

namespace hodge::sim {

std::string solids_text(const std::vector<Solid>& solids, int dim);
std::string forces_text(const std::optional<ForceSettings>& forces, int dim);  // "" where absent

}  // namespace hodge::sim
