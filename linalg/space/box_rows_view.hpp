// The rows of a separable system (matrices/separable_system.hpp) on a box of cells, some of which
// have no row, as plain data: part of CsrView. A product then reads the arrays of the axes, and
// where cells have no row two integers per row, in place of entries and columns.
//
//   (A x)_c = sum over the faces of c of k (x_c - x_beyond),  k = coupling * the other axes'
//   weights
//
// Through a face to a cell without a row nothing flows; beyond an end of the box x is 0. A pinned
// row has its diagonal twice, or 1 if it has no couplings.
//
// Of a process that shares the rows (matrices/row_sharing.hpp) the box is a window of the whole one
// (matrices/box_window.hpp).
#pragma once

#include "linalg/base/macros.hpp"

namespace hodge::linalg {

struct BoxAxisView {
  int points = 1;
  bool periodic = false;
  const double* weights = nullptr;    // points
  const double* couplings = nullptr;  // points + 1
};

// A cell of the box, and how its faces across an axis lie.
struct BoxCell {
  int at[3];
};

struct BoxRowsView {
  int dim = 0;  // 0: the matrix is no such system
  BoxAxisView axis[3];
  // Null: the rows are the cells in order, from first_cell on. Otherwise rows ascend with their
  // cells.
  const int* cell_of_row = nullptr;  // ~cell of a pinned row
  const int* row_of_cell = nullptr;  // -1: none
  int first_cell = 0;
  // Where processes share the rows: the column of each cell that own rows read, also of a ghost; -1
  // elsewhere. row_of_cell, unless that is null.
  const int* column_of_cell = nullptr;

  // ~cell of a pinned row.
  HODGE_HD int stored_cell(int row) const {
    return cell_of_row == nullptr ? row + first_cell : cell_of_row[row];
  }

  HODGE_HD BoxCell cell_at(int position) const {
    const int n0 = axis[0].points, n1 = axis[1].points, line = position / n0;
    return {{position - line * n0, line % n1, line / n1}};
  }
  HODGE_HD int stride(int d) const {
    return d == 0 ? 1 : d == 1 ? axis[0].points : axis[0].points * axis[1].points;
  }
  // The weights of the other axes, multiplied.
  HODGE_HD double area(const BoxCell& c, int d) const {
    double area = 1.0;
    for (int e = 0; e < 3; ++e)
      if (e != d && e < dim) area *= axis[e].weights[c.at[e]];
    return area;
  }
  // The distance in cells to the neighbour through a face; 0 at an end of the box.
  HODGE_HD int step(const BoxCell& c, int d, int side) const {
    const int n = axis[d].points, i = c.at[d];
    if (side == 0) return (i > 0 ? -1 : axis[d].periodic ? n - 1 : 0) * stride(d);
    return (i + 1 < n ? 1 : axis[d].periodic ? 1 - n : 0) * stride(d);
  }
  HODGE_HD bool at_end(const BoxCell& c, int d, int side) const {
    return !axis[d].periodic && c.at[d] == (side == 0 ? 0 : axis[d].points - 1);
  }
  // visit(k, neighbour) for the faces of a cell that conduct; beyond an end the neighbour is -1.
  template <class Visit>
  HODGE_HD void for_each_face(int position, Visit visit) const {
    const BoxCell c = cell_at(position);
    for (int d = 0; d < 3; ++d) {
      if (d >= dim) continue;
      const double of_axis = area(c, d);
      for (int side = 0; side < 2; ++side) {
        const double k = axis[d].couplings[c.at[d] + side] * of_axis;
        const bool end = at_end(c, d, side);
        const int there = position + step(c, d, side);
        const int row = end ? -1 : row_of_cell == nullptr ? there - first_cell : row_of_cell[there];
        if (end || row >= 0) visit(k, row);
      }
    }
  }

  // (A x)_row, of rows that are shared with column_of_cell as row_of_cell. The Host has its own
  // (host/box_sums.hpp). X: an array, or what has its operator [].
  template <class X>
  HODGE_HD double product(const X& x, int row) const {
    const int stored = stored_cell(row);
    const bool pinned = stored < 0;
    const double own = static_cast<double>(x[row]);
    double sum = 0.0, diagonal = 0.0;
    for_each_face(pinned ? ~stored : stored, [&](double k, int there) {
      sum += k * (own - (there < 0 ? 0.0 : static_cast<double>(x[there])));
      diagonal += k;
    });
    if (pinned) sum += (diagonal > 0.0 ? diagonal : 1.0) * own;
    return sum;
  }
};

}  // namespace hodge::linalg
