// The section `compare` as a configuration file has it; nothing where there is none.
#pragma once

#include <optional>
#include <string>

#include "sim/model/compare_settings.hpp"

namespace hodge::sim {

std::string compare_to_yaml(const std::optional<CompareSettings>& compare);

}  // namespace hodge::sim
