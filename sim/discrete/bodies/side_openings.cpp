#include "sim/discrete/bodies/side_openings.hpp"

#include "sim/discrete/bodies/body_levels.hpp"
#include "sim/discrete/bodies/cut_faces.hpp"
#include "sim/discrete/grid/metrics.hpp"
#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

template <int Dim>
SideOpenings openings_in(const Grid& grid, const Problem& problem, const BoxSide& at) {
  Box<Dim> cells = layout_of<Dim>(grid).interior();
  cells.lower[at.axis] = at.side == 0 ? 0 : grid.cells(at.axis) - 1;
  cells.upper[at.axis] = cells.lower[at.axis] + 1;
  CutFaces<Dim> faces(grid, problem.boundaries, BodyLevels(grid, problem).least(), cells);
  SideOpenings openings;
  for_each_on_host(cells, [&](const Index<Dim>& c) {
    const Index<Dim> face = c.shifted(at.axis, at.side);
    const OpenPart part = faces.face(at.axis, face);
    openings.push_back({part.fraction, part.centroid, faces.has_unknown(at.axis, face)});
  });
  return openings;
}

}  // namespace

SideOpenings openings_of_side(const Grid& grid, const Problem& problem, const BoxSide& at) {
  if (!has_sharp_solids(problem.solids)) return {};
  return grid.dim() == 2 ? openings_in<2>(grid, problem, at) : openings_in<3>(grid, problem, at);
}

OpeningsOfSides openings_of_sides(const Grid& grid, const Problem& problem) {
  OpeningsOfSides sides;
  for (const BoxSide& at : sides_of_box(grid.dim())) {
    const SideTraits& traits = problem.boundaries.sides[at.axis][at.side].traits();
    if (traits.is_open() || traits.is_inflow())
      sides[at.axis][at.side] = openings_of_side(grid, problem, at);
  }
  return sides;
}

}  // namespace hodge::sim
