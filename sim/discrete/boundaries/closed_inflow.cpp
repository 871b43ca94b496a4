#include "sim/discrete/boundaries/closed_inflow.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/base/formulas/separation.hpp"
#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

int region_of(const Grid& grid, const FluidRegions& regions, const Index<3>& c) {
  if (regions.region.empty()) return 0;
  const auto n = static_cast<std::size_t>(grid.cells(0)),
             m = static_cast<std::size_t>(grid.cells(1));
  const auto i = static_cast<std::size_t>(c[0]), j = static_cast<std::size_t>(c[1]),
             k = static_cast<std::size_t>(c[2]);
  return regions.region[i + n * (j + m * k)];
}

std::size_t region_count(const FluidRegions& regions) {
  return regions.region.empty() ? 1 : regions.cells.size();
}

// Of what passes the face of a side at cell c. A cell that is cut to less than has a pressure is in
// no region; the next one takes what passes it.
int region_at_side(const Grid& grid, const FluidRegions& regions, const Index<3>& c,
                   const SideOpening* opening) {
  const int region = region_of(grid, regions, c);
  if (region >= 0 || opening == nullptr || opening->open == 0) return region;
  Box<3> around{c, c};
  for (int d = 0; d < 3; ++d) {
    around.lower[d] = std::max(c[d] - 1, 0);
    around.upper[d] = std::min(c[d] + 2, grid.cells(d));
  }
  int found = -1;
  for_each_on_host(around, [&](const Index<3>& at) {
    if (found < 0) found = region_of(grid, regions, at);
  });
  return found;
}

// Collects the closed regions in the order in which inflow sides touch them.
class Collector {
 public:
  Collector(const Grid& grid, const Boundaries& boundaries, const FluidRegions& regions,
            const OpeningsOfSides& openings)
      : grid_(grid),
        boundaries_(boundaries),
        regions_(regions),
        openings_(openings),
        open_(regions_with_open_side(grid, boundaries, regions, openings)),
        number_(open_.size(), -1) {}

  ClosedInflow collect() {
    for (const auto [axis, side] : sides_of_box(grid_.dim()))
      if (boundaries_.sides[axis][side].traits().is_inflow()) add(axis, side);
    if (found_.any() && open_.size() > 1) measure_extents();
    found_.dim = grid_.dim();
    found_.changes = inflow_changes(found_, boundaries_);
    return std::move(found_);
  }

 private:
  void add(int axis, int side) {
    ClosedInflow::OfSide of{axis, side, {}, openings_[axis][side]};
    for_each_on_host(cells_along_side(grid_, axis, side), [&](const Index<3>& c) {
      const SideOpening* const opening = opening_at(of.openings, of.region.size());
      const int region = region_at_side(grid_, regions_, c, opening);
      const bool closed = region >= 0 && !open_[region];
      of.region.push_back(closed ? number(region) : -1);
      if (closed)
        found_.regions[number_[region]].inflow_area +=
            (opening ? opening->open : 1.0) * face_area(grid_, axis, c);
    });
    if (std::all_of(of.region.begin(), of.region.end(), [](int r) { return r < 0; })) return;
    found_.sides.push_back(std::move(of));
  }

  int number(int region) {
    if (number_[region] < 0) {
      number_[region] = static_cast<int>(found_.regions.size());
      ClosedRegion closed;
      closed.cells = regions_.region.empty() ? grid_.cell_count() : regions_.cells[region];
      closed.all_fluid = open_.size() == 1;
      for (int d = 0; d < grid_.dim(); ++d) {
        closed.lower[d] = std::numeric_limits<double>::infinity();
        closed.upper[d] = -std::numeric_limits<double>::infinity();
      }
      found_.regions.push_back(closed);
    }
    return number_[region];
  }

  void measure_extents() {
    for_each_on_host(all_cells(grid_), [this](const Index<3>& c) {
      const int region = region_of(grid_, regions_, c);
      if (region < 0 || number_[region] < 0) return;
      ClosedRegion& closed = found_.regions[number_[region]];
      for (int d = 0; d < grid_.dim(); ++d) {
        closed.lower[d] = std::min(closed.lower[d], grid_.edges(d)[c[d]]);
        closed.upper[d] = std::max(closed.upper[d], grid_.edges(d)[c[d] + 1]);
      }
    });
  }

  const Grid& grid_;
  const Boundaries& boundaries_;
  const FluidRegions& regions_;
  const OpeningsOfSides& openings_;
  std::vector<bool> open_;   // of each region of fluid
  std::vector<int> number_;  // of each region of fluid among the closed ones, or -1
  ClosedInflow found_;
};

}  // namespace

std::vector<bool> regions_with_open_side(const Grid& grid, const Boundaries& boundaries,
                                         const FluidRegions& regions,
                                         const OpeningsOfSides& openings) {
  std::vector<bool> open(region_count(regions), false);
  for (const auto [axis, side] : sides_of_box(grid.dim())) {
    if (!boundaries.sides[axis][side].traits().is_open()) continue;
    const SideOpenings& of = openings[axis][side];
    std::size_t face = 0;
    for_each_on_host(cells_along_side(grid, axis, side), [&](const Index<3>& c) {
      const SideOpening* const opening = opening_at(of, face++);
      const int region = region_of(grid, regions, c);
      if (region >= 0 && (opening == nullptr || opening->moves)) open[region] = true;
    });
  }
  return open;
}

bool inflow_changes(const ClosedInflow& inflow, const Boundaries& boundaries) {
  return std::ranges::any_of(inflow.sides, [&](const ClosedInflow::OfSide& at) {
    return boundaries.sides[at.axis][at.side].velocity[at.axis].depends_on_time();
  });
}

ClosedInflow closed_inflow(const Grid& grid, const Boundaries& boundaries,
                           const FluidRegions& regions, const OpeningsOfSides& openings) {
  return Collector(grid, boundaries, regions, openings).collect();
}

double open_velocity(const SeparatedFormula& normal, const Grid& grid, const BoxSide& at,
                     const Index<3>& c, const SideOpening* opening, double t) {
  MeanBox face = mean_box_in_side(grid, at.axis, at.side, c);
  if (opening == nullptr || opening->open == 1) return normal.over(face, t, Smooth::at_place);
  if (opening->open == 0) return 0;
  for (int e = 0; e < grid.dim(); ++e)
    face.lower[e] = face.upper[e] = face.place[e] = opening->middle[e];
  return opening->open * normal.over(face, t, Smooth::at_place);
}

std::vector<PassingFlux> passing_fluxes(const Grid& grid, const Boundaries& boundaries,
                                        const ClosedInflow& inflow, double t) {
  std::vector<PassingFlux> fluxes(inflow.regions.size() * inflow.sides.size());
  for (std::size_t k = 0; k < inflow.sides.size(); ++k) {
    const int axis = inflow.sides[k].axis, side = inflow.sides[k].side;
    const SeparatedFormula normal(boundaries.sides[axis][side].velocity[axis]);
    std::size_t face = 0;
    for_each_on_host(cells_along_side(grid, axis, side), [&](const Index<3>& c) {
      const int r = inflow.sides[k].region[face];
      const SideOpening* const opening = opening_at(inflow.sides[k].openings, face++);
      if (r < 0) return;
      const double out = (side == 0 ? -1.0 : 1.0) * face_area(grid, axis, c) *
                         open_velocity(normal, grid, {axis, side}, c, opening, t);
      PassingFlux& flux = fluxes[static_cast<std::size_t>(r) * inflow.sides.size() + k];
      flux.outward += out;
      flux.gross += std::abs(out);
    });
  }
  return fluxes;
}

}  // namespace hodge::sim
