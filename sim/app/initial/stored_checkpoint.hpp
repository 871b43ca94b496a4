// A checkpoint as a state to begin with.
#pragma once

#include <filesystem>

#include "sim/app/initial/initial_state.hpp"

namespace hodge::sim {

StoredState read_stored_checkpoint(const std::filesystem::path& path, const DescribeRun& describe);

}  // namespace hodge::sim
