// What sharp bodies leave open of the faces in sides through which fluid passes, on the host.
//
//   flux through a face    area * open * u(middle)     second order, as of all faces (sharp.hpp)
#pragma once

#include <array>
#include <vector>

#include "sim/discrete/grid/grid.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

struct SideOpening {
  double open;         // part of the face, 0 to 1
  Point middle;        // of that part
  bool moves = false;  // in an open side: whether the velocity there is an unknown
};

// Of the faces of a side in the order of cells_along_side(); none: all are open, or as cells are.
using SideOpenings = std::vector<SideOpening>;
using OpeningsOfSides = std::array<std::array<SideOpenings, 2>, 3>;

SideOpenings openings_of_side(const Grid& grid, const Problem& problem, const BoxSide& at);

// Of all inflow and open sides; none without sharp bodies.
OpeningsOfSides openings_of_sides(const Grid& grid, const Problem& problem);

}  // namespace hodge::sim
