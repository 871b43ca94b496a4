// Fields that show bodies, at the centres of cells: how far the surface is, and how much of a cell
// is open. On the host, of a part of the box.
//
//   signed distance   L; > 0 in the fluid, < 0 in bodies. Exact of boxes, spheres, cylinders and
//                     STL surfaces. The surfaces of other shapes are first made of triangles (in 2D
//                     lines) between the points where the level function is 0 on a lattice of half
//                     the width of cells: of second order in the width. Where bodies overlap, the
//                     distance within is at most that from the surface.
//   open fraction     1 in the fluid, 0 in bodies; of a cell that a sharp body cuts, the part of
//                     its volume that is fluid
//
// Source of the lattice: A. Doi & A. Koide, IEICE Trans. E74, 1991 (marching tetrahedra); the
// simplices are those of H. Freudenthal, Ann. Math. 43, 1942.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/discrete/bodies/body_frames.hpp"
#include "sim/discrete/bodies/cut_cell.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {

// Of these cells, axis 0 fastest. At least one solid is needed. Errors: as level_sets().
std::vector<double> signed_distances(const Grid& grid, const std::vector<Solid>& solids,
                                     const std::array<bool, 3>& periodic, const CellRange& cells);

// `bodies`: of every cell of the box, or none; `cut`: as SharpCells has them.
std::vector<double> open_fractions(const Grid& grid, const std::vector<std::uint8_t>& bodies,
                                   const std::vector<CutCell>& cut, const CellRange& cells);

}  // namespace hodge::sim
