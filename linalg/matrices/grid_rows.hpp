// Where the rows of a matrix are on a Cartesian grid, for those who coarsen it.
//
// Row r stands for a cell of a box of extent[0] x extent[1] x extent[2] cells, axis 0 fastest. Its
// entries are the cell itself and neighbours along the axes; a periodic axis closes to a ring.
// Cells without a row (solids) have no entries.
#pragma once

#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

struct GridShape {
  int dim = 3;  // 2 or 3; the extents beyond are 1
  int extent[3] = {1, 1, 1};
  bool periodic[3] = {};
  // What stands for a value one cell beyond a side, as a multiple of the one within: 1 where
  // nothing flows through the side, -1 where it is 0 in the side, 0 where it is 0 beyond.
  double beyond[3][2] = {{1, 1}, {1, 1}, {1, 1}};

  long long cells() const { return 1LL * extent[0] * extent[1] * extent[2]; }
};

template <class Space>
struct GridRows {
  GridShape shape;
  Buffer<int, Space> row_of_cell;  // -1: none; empty: the row of a cell is its position
};

}  // namespace hodge::linalg
