// The point functions of convert_steps.hpp.
#pragma once

#include <cstddef>

#include "linalg/matrices/convert_steps.hpp"
#include "linalg/space/this_space.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg {

template <class Space, class T>
void mark_first_of_each_place(const EntryView<T>& entries, int* is_first) {
  const int* rows = entries.row_indices;
  const int* columns = entries.columns;
  for_each<Space>(entries.size, [=] HODGE_LAMBDA(int k) {
    is_first[k] = k == 0 || rows[k] != rows[k - 1] || columns[k] != columns[k - 1] ? 1 : 0;
  });
}

template <class Space, class T>
void sum_each_place(const EntryView<T>& entries, const int* is_first, const int* number,
                    int* row_indices, int* columns, T* values) {
  for_each<Space>(entries.size, [=] HODGE_LAMBDA(int k) {
    if (is_first[k] == 0) return;
    double sum = static_cast<double>(entries.values[k]);
    for (int next = k + 1; next < entries.size && is_first[next] == 0; ++next)
      sum += static_cast<double>(entries.values[next]);
    row_indices[number[k]] = entries.row_indices[k];
    columns[number[k]] = entries.columns[k];
    values[number[k]] = static_cast<T>(sum);
  });
}

template <class Space, class T>
void scatter_to_dense(const CsrView<T>& a, T* dense) {
  for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) {
    for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      dense[i + static_cast<std::size_t>(a.columns[k]) * a.rows] += a.values[k];
  });
}

// One index per row, so that neighbouring threads of a GPU read neighbouring entries of a column.
template <class Space, class T>
void count_nonzeros(int rows, int cols, const T* dense, int* count) {
  for_each<Space>(rows, [=] HODGE_LAMBDA(int i) {
    int nonzeros = 0;
    for (int j = 0; j < cols; ++j)
      nonzeros += dense[i + static_cast<std::size_t>(j) * rows] != T(0) ? 1 : 0;
    count[i] = nonzeros;
  });
}

template <class Space, class T>
void gather_nonzeros(int rows, int cols, const T* dense, const int* row_offsets, int* columns,
                     T* values) {
  for_each<Space>(rows, [=] HODGE_LAMBDA(int i) {
    int k = row_offsets[i];
    for (int j = 0; j < cols; ++j) {
      const T value = dense[i + static_cast<std::size_t>(j) * rows];
      if (value == T(0)) continue;
      columns[k] = j;
      values[k++] = value;
    }
  });
}

#define HODGE_CONVERT_STEPS(T)                                                                     \
  template void mark_first_of_each_place<ThisSpace>(const EntryView<T>&, int*);                    \
  template void sum_each_place<ThisSpace>(const EntryView<T>&, const int*, const int*, int*, int*, \
                                          T*);                                                     \
  template void scatter_to_dense<ThisSpace>(const CsrView<T>&, T*);                                \
  template void count_nonzeros<ThisSpace>(int, int, const T*, int*);                               \
  template void gather_nonzeros<ThisSpace>(int, int, const T*, const int*, int*, T*);

HODGE_CONVERT_STEPS(double)
HODGE_CONVERT_STEPS(float)
#undef HODGE_CONVERT_STEPS

}  // namespace hodge::linalg
