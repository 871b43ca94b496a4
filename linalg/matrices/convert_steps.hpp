// The steps of the conversions that run over entries or rows; bodies in
// convert_steps_each_space.hpp. All arrays are in the memory of the space.
#pragma once

#include "linalg/space/space.hpp"

namespace hodge::linalg {

// For entries sorted by row, then by column: is_first_k = 1 if entry k stands at another place than
// entry k - 1, else 0.
template <class Space, class T>
void mark_first_of_each_place(const EntryView<T>& entries, int* is_first);

// Sums each run of entries at one place, in double and in their order, into entry number[k], k
// being the first of the run.
template <class Space, class T>
void sum_each_place(const EntryView<T>& entries, const int* is_first, const int* number,
                    int* row_indices, int* columns, T* values);

// Dense matrices are column-major, entry (i, j) at i + j * rows.
// Adds the entries of `a` to the dense matrix.
template <class Space, class T>
void scatter_to_dense(const CsrView<T>& a, T* dense);
template <class Space, class T>
void count_nonzeros(int rows, int cols, const T* dense, int* count);
template <class Space, class T>
void gather_nonzeros(int rows, int cols, const T* dense, const int* row_offsets, int* columns,
                     T* values);

}  // namespace hodge::linalg
