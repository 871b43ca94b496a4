// What a run would do as told and its author may not have meant.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/app/run/preview.hpp"

namespace hodge::sim {

// Of the fastest fluid in a cell. Beyond 2 rows beside sharp bodies take more friction than there
// is (operators/sharp_rates.hpp): a cylinder in a channel at Re 100 has 4 % more drag at 11, with
// 20 cells to its diameter, and 26 % at 22, with 10.
inline constexpr double most_sharp_cell_reynolds = 10;
std::string too_much_friction_text(double cell_reynolds);

// `bodies`: of every cell (model/solid.hpp), or empty.
std::vector<Doubt> doubts_about(const Settings& settings, const Problem& problem, const Grid& grid,
                                const std::vector<std::uint8_t>& bodies, const Preview& begin);

}  // namespace hodge::sim
