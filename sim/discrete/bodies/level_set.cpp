#include "sim/discrete/bodies/level_set.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>

#include "sim/discrete/bodies/region_level.hpp"
#include "sim/discrete/bodies/solid_files.hpp"

namespace hodge::sim {

std::vector<std::uint8_t> LevelSet::inside(const PointRows& rows) const {
  std::vector<std::uint8_t> inside(rows.size());
#pragma omp parallel for schedule(static)
  for (int row = 0; row < rows.count(); ++row) {
    std::uint8_t* const first = inside.data() + rows.first(row);
    for (int i = 0; i < rows.points(0); ++i) first[i] = level(rows.point(i, row)) < 0;
  }
  return inside;
}

LevelSets level_sets(const Grid& grid, const std::vector<Solid>& solids,
                     const std::array<bool, 3>& periodic) {
  const std::vector<std::string> names = solid_names(solids);
  LevelSets sets;
  for (std::size_t k = 0; k < solids.size(); ++k) {
    const RegionName name{text_of_solid(names[k]), fmt::format("solids[{}]", k)};
    sets.push_back(level_set_of(solids[k].region, grid, periodic, name));
  }
  return sets;
}

}  // namespace hodge::sim
