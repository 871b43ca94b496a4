// A frame (.vti, .vtr, in pieces .pvti, .pvtr, or the last one of a .vtkhdf) as a state to begin
// with.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/model/stored_state.hpp"

namespace hodge::sim {

// Takes the velocity, the pressure and those scalars of the cells that are named. `time`: that the
// frame has to have, according to the collection that lists it. `in_bodies`: scalars that keep what
// they are in solids; the others are continued there from the fluid.
//
// Errors: ConfigError where the frame is damaged or not of that time, or one of these fields has
// other components than a field of that kind, or integers; IoError where a file cannot be read.
StoredState read_stored_frame(const std::filesystem::path& path,
                              const std::vector<std::string>& scalars,
                              const std::optional<double>& time = std::nullopt,
                              const std::vector<std::string>& in_bodies = {});

}  // namespace hodge::sim
