// A CSV file of points as a state to begin with.
//
//   x, y, u, v, temperature          columns in any order; with z and w in space
//   0.125, 0.125, 0, 0, 20           rows in any order: the points of a product grid, each one once
//
// A cell ends midway between its point and the next; cells of outermost points reach one distance
// of points beyond them. Points with one z alone are a plane, whose w is left out.
//
// Errors: ConfigError `file:line: what, expected ...`.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "sim/model/stored_state.hpp"

namespace hodge::sim {

// `scalars` may be columns; others than these, coordinates, velocity and pressure are refused.
StoredState read_stored_points(const std::filesystem::path& path,
                               std::span<const std::string> scalars);

}  // namespace hodge::sim
