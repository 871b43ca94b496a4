// A frame (.vti, .vtr, or in pieces .pvti, .pvtr) as a state to begin with.
#pragma once

#include <filesystem>

#include "sim/model/stored_state.hpp"

namespace hodge::sim {

StoredState read_stored_frame(const std::filesystem::path& path);

}  // namespace hodge::sim
