// The product with the rows of a separable system on a box (space/box_rows_view.hpp) on the Host:
// finish(row, sum) for a block of rows. Runs of adjacent cells along axis 0 whose neighbours across
// are adjacent rows, too, are computed several at once; cells at sides and solids one by one.
#pragma once

#include <algorithm>

#include "linalg/space/box_rows_view.hpp"

namespace hodge::linalg::host {

inline constexpr int box_chunk = 32;  // cells that are computed at once

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

  ChunkNeighbours(const BoxRowsView& box, const BoxCell& c, int cell, int row, int count,
                  const T* x) {
    for (int d = 1; d < 3; ++d)
      for (int side = 0; side < 2; ++side) {
        AcrossChunk<T>& to = across[2 * (d - 1) + side];
        to = {x + row, 0.0, 0.0};
        if (d >= box.dim) continue;
        const int e = 3 - d;
        to.coupling = box.axis[d].couplings[c.at[d] + side] *
                      (e < box.dim ? box.axis[e].weights[c.at[e]] : 1.0);
        if (box.at_end(c, d, side)) continue;
        const int first = cell + box.step(c, d, side), last = first + count - 1;
        const int* const rows = box.row_of_cell;
        to.within = 1.0;
        to.there = x + (rows == nullptr ? first : rows[first]);
        adjacent = adjacent &&
                   (rows == nullptr || (rows[first] >= 0 && rows[last] - rows[first] == count - 1));
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

// The number of rows from `row` on, less than `most`, whose cells are adjacent from `cell` on.
inline int adjacent_rows(const BoxRowsView& box, int row, int cell, int most) {
  if (box.cell_of_row == nullptr) return most;
  int count = 0;
  while (count < most && box.cell_of_row[row + count] == cell + count) ++count;
  return count;
}

template <class T, class Finish>
void sum_box(const BoxRowsView& box, const T* x, int first_row, int last_row, Finish finish) {
  double sums[box_chunk];
  for (int row = first_row; row < last_row;) {
    const int cell = box.cell_of_row == nullptr ? row : box.cell_of_row[row];
    finish(row, box.product(x, row));
    const BoxCell c = box.cell_at(cell < 0 ? ~cell : cell);
    const int run =
        adjacent_rows(box, row, cell, std::min(last_row - row, box.axis[0].points - c.at[0]));
    for (int at = 1; at < run - 1;) {
      const int count = std::min(box_chunk, run - 1 - at);
      BoxCell start = c;
      start.at[0] += at;
      const ChunkNeighbours<T> neighbours(box, start, cell + at, row + at, count, x);
      if (neighbours.adjacent) sum_chunk(box, start, neighbours, x + row + at, count, sums);
      for (int j = 0; j < count; ++j)
        finish(row + at + j, neighbours.adjacent ? sums[j] : box.product(x, row + at + j));
      at += count;
    }
    if (run > 1) finish(row + run - 1, box.product(x, row + run - 1));
    row += std::max(run, 1);
  }
}

}  // namespace hodge::linalg::host
