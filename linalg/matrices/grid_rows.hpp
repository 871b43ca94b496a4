// The places of a matrix's rows on a Cartesian grid, for multigrid.
//
// Row r belongs to a cell of a box of extent[0] x extent[1] x extent[2] cells, axis 0 fastest. The
// entries of a row are for the cell itself and its neighbours along the axes; a periodic axis
// closes to a ring. Cells without a row (solids) have no entries.
//
// Where processes share the rows, the shape is that of the whole grid; row_of_cell has the cells of
// this process alone, whose rows count from its first one.
#pragma once

#include <memory>

#include "linalg/processes/row_lines.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

struct GridShape {
  int dim = 3;  // 2 or 3; the extents beyond are 1
  int extent[3] = {1, 1, 1};
  bool periodic[3] = {};
  // The value one cell beyond a side as a multiple of the value inside: 1 if nothing flows through
  // the side, -1 if the value is 0 in the side, 0 if it is 0 beyond the side.
  double beyond[3][2] = {{1, 1}, {1, 1}, {1, 1}};

  long long cells() const { return 1LL * extent[0] * extent[1] * extent[2]; }
};

template <class Space>
struct GridRows {
  GridShape shape;
  Buffer<int, Space> row_of_cell;  // -1: none; empty: the row of a cell is its position
  // Of rows that are not shared: sums begin anew with each of these lines. On the Host they are the
  // layers of the last axis, where cells have no row; on a GPU several layers each. Null: all rows
  // are one line.
  std::shared_ptr<const RowLines> lines = nullptr;
};

}  // namespace hodge::linalg
