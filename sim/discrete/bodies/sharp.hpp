// Bodies whose surfaces cut faces and cells, of second order (CONFIGURATION: treatment sharp).
//
//   +-----+--.--+-----+    The unknown of a face is the velocity at the centroid of its open part
//   |     |  :\ |     |    (x), also where the middle of the face lies in the body. With the open
//   |     x  : \|     |    part A of each face, mass is kept in every cell, cut ones too:
//   |     |  :  x     |
//   +-----+--:--+\----+      sum_faces A u = 0,   (grad p)_f = (p_there - p_here) / delta
//                  body
//
// so that the matrix of the pressure is symmetric. A pressure stands in every cell with an open
// face, even if its centre lies in the body. In the rows of faces near the surface, diffusion and
// convection are differences of three points along each axis, with the distance to the wall or to
// the next unknown; what a neighbour across the face's own line has is taken along its line to the
// centroid's coordinate, linearly.
//
// Faces that are open by less than `least_open` have no unknown: their value is that on the line
// between the wall and the next unknown. A cell with such faces only has no pressure: the flux
// through its largest face balances the others.
//
// Sources: Y. T. Ng, C. Min & F. Gibou, J. Comput. Phys. 228, 2009 (apertures, pressure); F. Gibou,
// R. Fedkiw, L.-T. Cheng & M. Kang, J. Comput. Phys. 176, 2002 (distances along axes).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/discrete/bodies/body_view.hpp"
#include "sim/discrete/bodies/cut_cell.hpp"
#include "sim/discrete/bodies/cut_grid.hpp"
#include "sim/discrete/bodies/sharp_faces.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

// Of every cell (axis 0 fastest, no ghosts) 0 where it has a pressure, else the number of the body
// from 1; the cells that are cut, in that order; and the volume of the fluid in cells with a
// pressure.
struct SharpCells {
  std::vector<std::uint8_t> bodies;
  std::vector<CutCell> cut;
  double volume = 0;
};
// `bodies`: in which the centre of each cell is (cell_bodies()).
// Errors: KeyError for a body that is not treated so (sharp.cpp).
SharpCells sharp_cells(const Grid& grid, const Problem& problem,
                       const std::vector<std::uint8_t>& bodies);

template <int Dim>
struct SharpBodies {
  BodyPoints<Dim> points;
  SharpLists<Dim> lists;
};

// Of the cells of a layout. `cells`: of sharp_cells(), all of the box.
template <int Dim>
SharpBodies<Dim> sharp_bodies(const Layout<Dim>& layout, const Grid& grid, const Problem& problem,
                              const std::vector<std::uint8_t>& cells);

}  // namespace hodge::sim
