// Brings values of one grid to another whose box lies in that of the first, on the host and axis by
// axis.
//
//   across an axis      means over cells: within a cell the values are linear, so that the integral
//                       over every old cell, and over every new one, is that of the line
//   along axis d of u_d linear between faces, or between cell centres and on to the sides
//
// Old values that are no means over cells have points in these. They are linear between the points
// then, and in the cells around them.
//
// Fluxes of a component through whole old faces are kept, and so are integrals of cell values. On
// the same edges the values are the same bits. Of second order; linear fields stay linear up to the
// sides. Slopes are those of the neighbours, in the outermost cells of an axis that is not periodic
// of the one neighbour. Bounded ones are limited (B. van Leer, J. Comput. Phys. 23, 1977): the
// values stay between the least and the largest old one, or those at the sides. In outermost cells
// alone they leave that range where the old values are linear towards the side: by all of the
// linear excess where the last two slopes are equal, by none where they differ by a quarter.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace hodge::sim {

using GridEdges = std::array<std::vector<double>, 3>;  // of the cells of each axis; or none

// A range of values that is known beside that of the old ones; without any empty.
struct Bounds {
  double least = std::numeric_limits<double>::infinity(), most = -least;
};

struct Transfer {
  int location = -1;               // at_cells, or the component whose faces the new values are for
  bool from_centres = false;       // the old values of a component are at cell centres
  std::optional<Bounds> bounds{};  // without: slopes are not limited
  GridEdges points{};              // where in their cells old values lie; without: at the centres
  std::array<bool, 3> wraps{};     // axes of which the old box is a period
};

// Old and new values have axis 0 fastest; component d has n + 1 faces along axis d. An axis that
// only the new grid has gets the same values everywhere.
std::vector<double> transferred(std::vector<double> values, const GridEdges& from,
                                const GridEdges& to, const Transfer& how);

// Values of solid cells become means of their neighbours', layer by layer from the fluid, so that a
// transfer near a body takes nothing from within it. `solid` has a number other than 0 for each.
void extend_into_solids(std::span<double> values, std::span<const double> solid,
                        const GridEdges& edges);

}  // namespace hodge::sim
