#include "sim/time/fluid_domain.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/key_error.hpp"
#include "sim/discrete/bodies/scalar_media.hpp"
#include "sim/discrete/bodies/sharp.hpp"
#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

// Which regions give phi a level: those that reach an open side. The others are pinned, but for a
// single one, whose null space is projected out.
void find_levels(const FluidRegions& regions, const Grid& grid, const Boundaries& sides,
                 const OpeningsOfSides& openings, FluidDomain& domain) {
  const std::vector<bool> open = regions_with_open_side(grid, sides, regions, openings);
  domain.has_level = open.size() > 1 || open[0];
  if (open.size() == 1) return;
  std::vector<bool> seen = open;
  int row = 0;
  for (const int region : regions.region) {
    if (region < 0) continue;
    if (!seen[region]) domain.pinned.push_back(row);
    seen[region] = true;
    ++row;
  }
}

void subtract_solids(const Grid& grid, const std::vector<std::uint8_t>& bodies, double& volume) {
  std::size_t cell = 0;
  for_each_on_host(all_cells(grid), [&](const Index<3>& c) {
    if (bodies[cell++] != 0) volume -= face_area(grid, -1, c);  // of no axis: the cell's volume
  });
}

// The side through which most passes.
std::string largest_side(const ClosedInflow& inflow, const std::vector<PassingFlux>& fluxes) {
  const auto less = [](const PassingFlux& a, const PassingFlux& b) { return a.gross < b.gross; };
  const auto most = std::max_element(fluxes.begin(), fluxes.end(), less) - fluxes.begin();
  const auto& of = inflow.sides[static_cast<std::size_t>(most) % inflow.sides.size()];
  return side_name(of.axis, of.side);
}

// A prescribed velocity is not projected: its sides need only make sense.
ClosedInflow balanced_inflow(const Grid& grid, const Problem& problem, const FluidRegions& regions,
                             const OpeningsOfSides& openings) {
  const bool solved_for = !problem.prescribed_velocity;
  const FluidRegions all_cells;
  ClosedInflow inflow = solved_for ? closed_inflow(grid, problem.boundaries, regions, openings)
                                   : closed_inflow(grid, problem.boundaries, all_cells);
  const std::vector<PassingFlux> fluxes = passing_fluxes(grid, problem.boundaries, inflow, 0.0);
  if (const auto complaint = imbalance(inflow, fluxes, 0.0))
    throw KeyError("boundaries." + largest_side(inflow, fluxes), *complaint);
  return solved_for ? std::move(inflow) : ClosedInflow{};
}

}  // namespace

FluidDomain fluid_domain(const Grid& grid, const Problem& problem) {
  FluidDomain domain;
  domain.volume = 1;
  for (int d = 0; d < grid.dim(); ++d) domain.volume *= grid.axis(d).length();
  const Boundaries& sides = problem.boundaries;
  FluidRegions regions;  // without solids one of all cells
  if (!problem.solids.empty()) {
    domain.bodies = cell_bodies(grid, problem);
    if (has_sharp_solids(problem.solids)) {
      SharpCells sharp = sharp_cells(grid, problem, domain.bodies);
      domain.bodies = std::move(sharp.bodies);
      domain.cut = std::move(sharp.cut);
      domain.volume = sharp.volume;
    }
    regions = fluid_regions(grid, domain.bodies, sides.periodic_axes());
    if (regions.cells.empty())
      throw KeyError("solids", "the solids fill the whole box; no fluid is left");
    if (!has_sharp_solids(problem.solids)) subtract_solids(grid, domain.bodies, domain.volume);
    check_contacts(grid, problem, domain.bodies);
  }
  const OpeningsOfSides openings = openings_of_sides(grid, problem);
  find_levels(regions, grid, sides, openings, domain);
  domain.inflow = balanced_inflow(grid, problem, regions, openings);
  return domain;
}

}  // namespace hodge::sim
