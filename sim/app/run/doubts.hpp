// What a run would do as told and its author may not have meant.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/app/run/preview.hpp"

namespace hodge::sim {

// `bodies`: of every cell (model/solid.hpp), or empty.
std::vector<Doubt> doubts_about(const Settings& settings, const Problem& problem, const Grid& grid,
                                const std::vector<std::uint8_t>& bodies, const Preview& begin);

}  // namespace hodge::sim
