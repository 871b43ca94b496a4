// The product with the rows of a separable system on a box (space/box_rows_view.hpp) on the Host:
// finish(row, sum) for a block of rows. Runs of adjacent cells along axis 0 whose neighbours across
// are adjacent rows, too, are computed several at once; cells at sides and solids one by one. Both
// are the same operations in the same order, so that a row has the same bits in whatever block it
// is, and on whatever process.
#pragma once

#include <algorithm>

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

// Of a face across axis 1 or 2, without the weight of axis 0.
inline double coupling_across(const BoxRowsView& box, const BoxCell& c, int d, int side) {
  const int e = 3 - d;
  return box.axis[d].couplings[c.at[d] + side] * (e < box.dim ? box.axis[e].weights[c.at[e]] : 1.0);
}

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
  ChunkNeighbours(const BoxRowsView& box, const BoxCell& c, int cell, int count, const T* own,
                  const X& x) {
    for (int d = 1; d < 3; ++d)
      for (int side = 0; side < 2; ++side) {
        AcrossChunk<T>& to = across[2 * (d - 1) + side];
        to = {own, 0.0, 0.0};
        if (d >= box.dim) continue;
        to.coupling = coupling_across(box, c, d, side);
        if (box.at_end(c, d, side)) continue;
        const int there = cell + box.step(c, d, side);
        const int first = column_at(box, there), last = column_at(box, there + count - 1);
        to.within = 1.0;
        to.there = first < 0 ? nullptr : adjacent_entries(x, first, count);
        adjacent = adjacent && to.there != nullptr && last - first == count - 1;
      }
  }
};

// sums[j] of the cells c + j, all of whose neighbours along axis 0 are the adjacent rows.
template <class T>
void sum_chunk(const BoxRowsView& box, const BoxCell& c, const ChunkNeighbours<T>& neighbours,
               const T* own, int count, double* sums) {
  const double area = box.area(c, 0);
  const double* const k = box.axis[0].couplings + c.at[0];
  const double* const width = box.axis[0].weights + c.at[0];
  const AcrossChunk<T> below_1 = neighbours.across[0], above_1 = neighbours.across[1],
                       below_2 = neighbours.across[2], above_2 = neighbours.across[3];
#pragma omp simd
  for (int j = 0; j < count; ++j) {
    const double x = static_cast<double>(own[j]);
    const auto difference = [&](const T* there) { return x - static_cast<double>(there[j]); };
    const auto across = [&](const AcrossChunk<T>& to) {
      return to.coupling * (x - to.within * static_cast<double>(to.there[j]));
    };
    const double along = k[j] * difference(own - 1) + k[j + 1] * difference(own + 1);
    sums[j] = area * along +
              width[j] * (across(below_1) + across(above_1) + across(below_2) + across(above_2));
  }
}

// The same of one cell, whatever its neighbours are. stored: the cell, ~cell of a pinned row.
template <class X>
double sum_cell(const BoxRowsView& box, int stored, double own, const X& x) {
  const int cell = stored < 0 ? ~stored : stored;
  const BoxCell c = box.cell_at(cell);
  double coupling[3][2] = {}, flow[3][2] = {};
  for (int d = 0; d < box.dim; ++d)
    for (int side = 0; side < 2; ++side) {
      const bool end = box.at_end(c, d, side);
      const int column = end ? -1 : column_at(box, cell + box.step(c, d, side));
      if (!end && column < 0) continue;
      const double k =
          d == 0 ? box.axis[0].couplings[c.at[0] + side] : coupling_across(box, c, d, side);
      coupling[d][side] = k;
      flow[d][side] = k * (own - (end ? 0.0 : static_cast<double>(x[column])));
    }
  const double area = box.area(c, 0), width = box.axis[0].weights[c.at[0]];
  const auto total = [&](const double(&of)[3][2]) {
    const double along = of[0][0] + of[0][1];
    return area * along + width * (of[1][0] + of[1][1] + of[2][0] + of[2][1]);
  };
  if (stored >= 0) return total(flow);
  const double diagonal = total(coupling);
  return total(flow) + (diagonal > 0.0 ? diagonal : 1.0) * own;
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
  const auto finish_one = [&](int row, int stored) {
    finish(row, sum_cell(box, stored, static_cast<double>(own[row]), x));
  };
  for (int row = first_row; row < last_row;) {
    const int cell = box.stored_cell(row);
    finish_one(row, cell);
    const BoxCell c = box.cell_at(cell < 0 ? ~cell : cell);
    const int run =
        adjacent_rows(box, row, cell, std::min(last_row - row, box.axis[0].points - c.at[0]));
    for (int at = 1; at < run - 1;) {
      const int count = std::min(box_chunk, run - 1 - at);
      BoxCell start = c;
      start.at[0] += at;
      const ChunkNeighbours<T> neighbours(box, start, cell + at, count, own + row + at, x);
      if (neighbours.adjacent) sum_chunk(box, start, neighbours, own + row + at, count, sums);
      for (int j = 0; j < count; ++j) {
        if (neighbours.adjacent)
          finish(row + at + j, sums[j]);
        else
          finish_one(row + at + j, cell + at + j);
      }
      at += count;
    }
    if (run > 1) finish_one(row + run - 1, cell + run - 1);
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
