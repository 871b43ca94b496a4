// The product with the rows of a separable system on a box (space/box_rows_view.hpp) on the Host:
// finish(row, sum) for a block of rows. Runs of adjacent cells along axis 0 whose neighbours across
// are adjacent rows, too, are computed several at once; cells at sides and solids one by one. Both
// are the same operations in the same order, so that a row has the same bits in whatever block it
// is, and on whatever process.
#pragma once

#include <algorithm>
#include <cmath>

#include "linalg/host/ghost_rows.hpp"
#include "linalg/space/box_rows_view.hpp"

namespace hodge::linalg::host {

inline constexpr int box_chunk = 32;  // cells that are computed at once

// x in `count` adjacent columns; null: they are not adjacent in memory.
template <class T>
const T* adjacent_entries(const T* x, int column, int) {
  return x + column;
}
template <class T>
const T* adjacent_entries(const WithGhosts<T>& x, int column, int count) {
  if (column >= x.own_count) return x.ghosts + (column - x.own_count);
  return column + count <= x.own_count ? x.own + column : nullptr;
}

// The column of a cell; -1: none.
inline int column_at(const BoxRowsView& box, int cell) {
  return box.row_of_cell == nullptr ? cell - box.first_cell : box.row_of_cell[cell];
}

// a b + c. Explicit, because compilers that fuse the two operations by themselves need not do so in
// the same places of two loops.
inline double multiply_add(double a, double b, double c) {
#ifdef FP_FAST_FMA
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

// What the cells of a line along axis 0 have in common.
struct LineFaces {
  double area;         // across axis 0: the weights of the other axes, multiplied
  double coupling[4];  // across axes 1 and 2, on both sides, without the weight of axis 0
  int step[4];         // the distance in cells to the neighbour
  bool is_end[4];      // of the box: x is 0 beyond, or there is no such axis

  LineFaces(const BoxRowsView& box, const BoxCell& c) : area(box.area(c, 0)) {
    for (int d = 1; d < 3; ++d)
      for (int side = 0; side < 2; ++side) {
        const int face = 2 * (d - 1) + side, e = 3 - d;
        coupling[face] = 0.0;
        step[face] = 0;
        is_end[face] = d >= box.dim || box.at_end(c, d, side);
        if (d >= box.dim) continue;
        coupling[face] = box.axis[d].couplings[c.at[d] + side] *
                         (e < box.dim ? box.axis[e].weights[c.at[e]] : 1.0);
        step[face] = box.step(c, d, side);
      }
  }
};

// x in the neighbours of a chunk across one of its faces: `there`, times 0 beyond an end of the
// box.
template <class T>
struct AcrossChunk {
  const T* there;
  double coupling, within;
};

// The four neighbouring chunks across axes 1 and 2.
template <class T>
struct ChunkNeighbours {
  AcrossChunk<T> across[4];
  bool adjacent = true;  // all of them have rows that are adjacent, or lie beyond an end

  template <class X>
  ChunkNeighbours(const BoxRowsView& box, const LineFaces& faces, int cell, int count, const T* own,
                  const X& x) {
    for (int face = 0; face < 4; ++face) {
      AcrossChunk<T>& to = across[face];
      to = {own, faces.coupling[face], 0.0};
      if (faces.is_end[face]) continue;
      const int there = cell + faces.step[face];
      const int first = column_at(box, there), last = column_at(box, there + count - 1);
      to.within = 1.0;
      to.there = first < 0 ? nullptr : adjacent_entries(x, first, count);
      adjacent = adjacent && to.there != nullptr && last - first == count - 1;
    }
  }
};

// sums[j] of the cells i + j of a line, all of whose neighbours along axis 0 are the adjacent rows.
template <class T>
void sum_chunk(const BoxRowsView& box, double area, int i, const ChunkNeighbours<T>& neighbours,
               const T* own, int count, double* sums) {
  const double* const k = box.axis[0].couplings + i;
  const double* const width = box.axis[0].weights + i;
  const AcrossChunk<T> below_1 = neighbours.across[0], above_1 = neighbours.across[1],
                       below_2 = neighbours.across[2], above_2 = neighbours.across[3];
#pragma omp simd
  for (int j = 0; j < count; ++j) {
    const double x = static_cast<double>(own[j]);
    const auto along = [&](const T* there) { return x - static_cast<double>(there[j]); };
    const auto across = [&](const AcrossChunk<T>& to) {
      return x - to.within * static_cast<double>(to.there[j]);
    };
    double flow = below_1.coupling * across(below_1);
    flow = multiply_add(above_1.coupling, across(above_1), flow);
    flow = multiply_add(below_2.coupling, across(below_2), flow);
    flow = multiply_add(above_2.coupling, across(above_2), flow);
    const double flow_along = multiply_add(k[j + 1], along(own + 1), k[j] * along(own - 1));
    sums[j] = multiply_add(area, flow_along, width[j] * flow);
  }
}

// The same for cell i of a line: difference(is_end, neighbour) is x less x there.
template <class Difference>
double sum_faces(const BoxRowsView& box, const LineFaces& faces, int cell, int i,
                 Difference difference) {
  const BoxAxisView& axis = box.axis[0];
  const int n = axis.points;
  const bool first = i == 0, last = i + 1 == n;
  const double below = difference(first && !axis.periodic, cell + (first ? n - 1 : -1));
  const double above = difference(last && !axis.periodic, cell + (last ? 1 - n : 1));
  const auto across = [&](int face) {
    return difference(faces.is_end[face], cell + faces.step[face]);
  };
  double flow = faces.coupling[0] * across(0);
  for (int face = 1; face < 4; ++face)
    flow = multiply_add(faces.coupling[face], across(face), flow);
  const double flow_along = multiply_add(axis.couplings[i + 1], above, axis.couplings[i] * below);
  return multiply_add(faces.area, flow_along, axis.weights[i] * flow);
}

// (A x)_row of cell i of a line. stored: the cell, ~cell of a pinned row.
template <class X>
double sum_cell(const BoxRowsView& box, const LineFaces& faces, int stored, int i, double own,
                const X& x) {
  const int cell = stored < 0 ? ~stored : stored;
  const double sum = sum_faces(box, faces, cell, i, [&](bool is_end, int neighbour) {
    if (is_end) return own;
    const int column = column_at(box, neighbour);
    return column < 0 ? 0.0 : own - static_cast<double>(x[column]);
  });
  if (stored >= 0) return sum;
  const double diagonal = sum_faces(box, faces, cell, i, [&](bool is_end, int neighbour) {
    return is_end || column_at(box, neighbour) >= 0 ? 1.0 : 0.0;
  });
  return multiply_add(diagonal > 0.0 ? diagonal : 1.0, own, sum);
}

// The number of rows from `row` on, less than `most`, whose cells are adjacent from `cell` on.
inline int adjacent_rows(const BoxRowsView& box, int row, int cell, int most) {
  if (box.cell_of_row == nullptr) return most;
  int count = 0;
  while (count < most && box.cell_of_row[row + count] == cell + count) ++count;
  return count;
}

// own: x of the own rows; x: with the ghosts, where one of these rows reads any.
template <class T, class X, class Finish>
void sum_box(const BoxRowsView& box, const T* own, const X& x, int first_row, int last_row,
             Finish finish) {
  double sums[box_chunk];
  for (int row = first_row; row < last_row;) {
    const int stored = box.stored_cell(row);
    const BoxCell c = box.cell_at(stored < 0 ? ~stored : stored);
    const LineFaces faces(box, c);
    const int i = c.at[0];
    const auto finish_one = [&](int at) {
      finish(row + at,
             sum_cell(box, faces, stored + at, i + at, static_cast<double>(own[row + at]), x));
    };
    finish_one(0);
    const int run =
        adjacent_rows(box, row, stored, std::min(last_row - row, box.axis[0].points - i));
    for (int at = 1; at < run - 1;) {
      const int count = std::min(box_chunk, run - 1 - at), end = at + count;
      const T* const of_chunk = own + row + at;
      const ChunkNeighbours<T> neighbours(box, faces, stored + at, count, of_chunk, x);
      if (neighbours.adjacent) {
        sum_chunk(box, faces.area, i + at, neighbours, of_chunk, count, sums);
        for (int j = 0; j < count; ++j) finish(row + at + j, sums[j]);
        at = end;
      }
      for (; at < end; ++at) finish_one(at);
    }
    if (run > 1) finish_one(run - 1);
    row += std::max(run, 1);
  }
}

inline constexpr int ghost_row_share = 256;  // ghost rows that a thread takes at once

// The rows that read ghosts, in runs of consecutive ones.
template <class T, class Finish>
void sum_ghost_rows_of_box(const CsrView<T>& a, const WithGhosts<T>& x, Finish finish) {
  BoxRowsView box = a.box;
  box.row_of_cell = box.column_of_cell;
  const int* const rows = a.ghosts.rows;
#pragma omp parallel for schedule(static) if (a.ghosts.count > few_ghost_rows)
  for (int share = 0; share < a.ghosts.count; share += ghost_row_share) {
    const int end = std::min(a.ghosts.count, share + ghost_row_share);
    for (int first = share, next = share + 1; first < end; first = next++) {
      while (next < end && rows[next] == rows[next - 1] + 1) ++next;
      sum_box(box, x.own, x, rows[first], rows[next - 1] + 1, finish);
    }
  }
}

}  // namespace hodge::linalg::host
