// A block of a dense matrix in the memory of a space, stored by columns: entry (i, j) stands at
// data[i + j * stride]. Here too: the bookkeeping of an LU factorisation.
#pragma once

#include <cstddef>

#include "linalg/base/macros.hpp"

namespace hodge::linalg {

template <class T>
struct DenseView {
  T* data = nullptr;
  int rows = 0;
  int cols = 0;
  std::ptrdiff_t stride = 0;  // >= rows

  HODGE_HD T& operator()(int i, int j) const { return data[i + j * stride]; }
  HODGE_HD DenseView block(int i, int j, int block_rows, int block_cols) const {
    return {data + i + j * stride, block_rows, block_cols, stride};
  }
  DenseView<const T> as_const() const { return {data, rows, cols, stride}; }
};

// Which triangle of a square block a triangular solve reads; unit_lower has ones on its diagonal,
// and the entries above it are not read. `transposed` solves with the transpose of that triangle.
enum class Factor { unit_lower, upper, unit_lower_transposed, upper_transposed };

// The row exchanges of a panel of `count` columns as one permutation. Rows are counted from the
// panel's first: row `source[i]` moves to row i < count, and the row that stood at i < count moves
// to row `destination[i]` >= count, or stays among the first `count` (-1).
struct RowExchange {
  int count = 0;
  int* source = nullptr;
  int* destination = nullptr;

  HODGE_HD RowExchange from(int column, int columns) const {
    return {columns, source + column, destination + column};
  }
};

// The widest panel.
inline constexpr int lu_panel_width = 32;

enum class PivotSearch { fused, thrust };

struct LuBlocking {
  int panel = lu_panel_width;  // columns that are factored at once, 1 to lu_panel_width
  int block = 128;             // columns between two updates of the rest, a multiple of panel
  PivotSearch search = PivotSearch::fused;
};

// What a factorisation finds out while it runs; in the memory of the space.
struct LuStatus {
  int singular = -1;     // first column whose largest candidate is exactly zero
  int invalid = -1;      // first column whose largest candidate is infinite or not a number
  int weakest = -1;      // column of the smallest |u_jj|
  double growth = 0.0;   // max |u_ij| / max |a_ij|
  double norm = 0.0;     // 1-norm of A
  double largest = 0.0;  // max |a_ij|

  // Keeps the first column whose pivot is zero, and the first whose pivot is not finite.
  HODGE_HD void note_pivot(int column, bool is_zero, bool is_finite) {
    if (is_zero && singular < 0) singular = column;
    if (!is_finite && invalid < 0) invalid = column;
  }
};

}  // namespace hodge::linalg
