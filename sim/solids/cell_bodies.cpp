#include "linalg/errors.hpp"
#include "sim/solids/solid.hpp"

namespace hodge::sim {

std::vector<std::uint8_t> cell_bodies(const Grid& grid, const std::vector<Solid>& solids) {
  if (!solids.empty()) throw ConfigError("solids are not there yet");
  return std::vector<std::uint8_t>(static_cast<std::size_t>(grid.cell_count()), 0);
}

FluidRegions fluid_regions(const Grid& grid, const std::vector<std::uint8_t>&,
                           const std::array<bool, 3>&) {
  return {std::vector<int>(static_cast<std::size_t>(grid.cell_count()), 0), {grid.cell_count()}};
}

}  // namespace hodge::sim
