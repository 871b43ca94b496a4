// From Settings to a YAML file that reads back to the same Settings: every setting, with the
// defaults that were taken.
#pragma once

#include <string>

#include "sim/model/settings.hpp"

namespace hodge::sim {

// Numbers have the shortest digits that read back to the same double.
std::string settings_to_yaml(const Settings& settings);

}  // namespace hodge::sim
