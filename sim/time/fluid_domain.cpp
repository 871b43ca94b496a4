#include <algorithm>

#include "linalg/space.hpp"
#include "sim/time/navier_stokes.hpp"

namespace hodge::sim {
namespace {

bool touches_open_side(const Grid& grid, const Boundaries& boundaries, const Index<3>& c) {
  for (int axis = 0; axis < grid.dim(); ++axis)
    for (int side = 0; side < 2; ++side)
      if (is_open(boundaries.sides[axis][side].kind) &&
          c[axis] == (side == 0 ? 0 : grid.cells(axis) - 1))
        return true;
  return false;
}

double cell_volume(const Grid& grid, const Index<3>& c) {
  double volume = 1;
  for (int d = 0; d < grid.dim(); ++d) volume *= grid.axis(d).widths[c[d]];
  return volume;
}

}  // namespace

FluidDomain fluid_domain(const Grid& grid, const Problem& problem) {
  FluidDomain domain;
  domain.volume = 1;
  for (int d = 0; d < grid.dim(); ++d) domain.volume *= grid.axis(d).length();
  if (problem.solids.empty()) return domain;

  domain.bodies = cell_bodies(grid, problem.solids);
  const Boundaries& sides = problem.boundaries;
  const FluidRegions regions =
      fluid_regions(grid, domain.bodies, {sides.periodic(0), sides.periodic(1), sides.periodic(2)});
  if (regions.cells.empty()) throw ConfigError("the solids fill the whole box; no fluid is left");
  std::vector<int> first_row(regions.cells.size(), -1);
  std::vector<bool> has_level(regions.cells.size(), false);
  int row = 0;
  std::size_t cell = 0;
  const Box<3> cells{{{0, 0, 0}}, {{grid.cells(0), grid.cells(1), grid.cells(2)}}};
  for_each_on_host(cells, [&](const Index<3>& c) {
    const int region = regions.region[cell++];
    if (region < 0) {
      domain.volume -= cell_volume(grid, c);
      return;
    }
    if (first_row[region] < 0) first_row[region] = row;
    ++row;
    if (touches_open_side(grid, sides, c)) has_level[region] = true;
  });
  const bool any_level = std::find(has_level.begin(), has_level.end(), true) != has_level.end();
  if (!any_level && regions.cells.size() == 1) return domain;  // the null space is projected out
  for (std::size_t region = 0; region < regions.cells.size(); ++region)
    if (!has_level[region]) domain.pinned.push_back(first_row[region]);
  return domain;
}

}  // namespace hodge::sim
