// Values of rows as those of the cells of a grid, and back.
#pragma once

#include <cstddef>

#include "linalg/space/traffic.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg::multigrid {

template <class Space, class V, class T>
void count_copy(int cells, const int* row_of_cell) {
  const std::size_t of_cell = sizeof(V) + sizeof(T) + (row_of_cell != nullptr ? sizeof(int) : 0);
  count_moved<Space>(static_cast<double>(cells) * static_cast<double>(of_cell));
}

// Copies values of rows to consecutive cells, and back.
template <class Space, class V, class T>
void rows_to_cells(int cells, const int* row_of_cell, const V* rows, T* values) {
  count_copy<Space, V, T>(cells, row_of_cell);
  for_each_guarded<Space>(cells, [=] HODGE_LAMBDA(int p) {
    const int row = row_of_cell == nullptr ? p : row_of_cell[p];
    values[p] = row < 0 ? T(0) : static_cast<T>(rows[row]);
  });
}
template <class Space, class V, class T>
void cells_to_rows(int cells, const int* row_of_cell, const T* values, V* rows) {
  count_copy<Space, V, T>(cells, row_of_cell);
  for_each_guarded<Space>(cells, [=] HODGE_LAMBDA(int p) {
    const int row = row_of_cell == nullptr ? p : row_of_cell[p];
    if (row >= 0) rows[row] = static_cast<V>(values[p]);
  });
}

}  // namespace hodge::linalg::multigrid
