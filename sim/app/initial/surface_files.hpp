// The STL files of the solids, as files that a run is made of.
#pragma once

#include "sim/base/input_file.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

// With their contents as they are now. Errors: ConfigError for one that is not there.
InputFiles surface_files(const Settings& settings);

// Errors: ConfigError where one has changed since settings.inputs took it down.
void require_same_surfaces(const Settings& settings);

}  // namespace hodge::sim
