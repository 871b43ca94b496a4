// Cuda space: the diagonal of a sparse matrix.
#include <climits>

#include "linalg/cuda/runtime.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

constexpr int threads = 256;

template <class T>
__global__ void invert_diagonal_kernel(Guard guard, CsrView<T> a, double factor, T* out,
                                       int* first_bad) {
  if (guard.halted()) return;
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= a.rows) return;
  const int k = a.diagonal[row];
  const bool present = k < a.row_offsets[row + 1] && a.columns[k] == row;
  const double inverse = present ? factor / static_cast<double>(a.values[k]) : 0.0;
  const bool good = present && isfinite(inverse) && inverse != 0.0;
  out[row] = good ? static_cast<T>(inverse) : T(0);
  if (!good) atomicMin(first_bad, row);
}

__global__ void find_diagonal_kernel(int rows, const int* row_offsets, const int* columns,
                                     int* diagonal) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int k = row_offsets[row];
  while (k < row_offsets[row + 1] && columns[k] < row) ++k;
  diagonal[row] = k;
}

int blocks_of_rows(int rows) {
  return blocks_for(rows, threads, INT_MAX);
}

}  // namespace

}  // namespace cuda

template <>
template <class T>
void SparsePrimitives<Cuda>::invert_diagonal(const CsrView<T>& a, double factor, T* out,
                                             int* first_bad) {
  Cuda::fill(1, a.rows, first_bad);
  if (a.rows == 0) return;
  cuda::launch_kernel("invert_diagonal_kernel", cuda::invert_diagonal_kernel<T>,
                      cuda::blocks_of_rows(a.rows), cuda::threads, cuda::guard(), a, factor, out,
                      first_bad);
}

template <>
void SparsePrimitives<Cuda>::find_diagonal(int rows, const int* row_offsets, const int* columns,
                                           int* diagonal) {
  if (rows == 0) return;
  cuda::launch_kernel("find_diagonal_kernel", cuda::find_diagonal_kernel,
                      cuda::blocks_of_rows(rows), cuda::threads, rows, row_offsets, columns,
                      diagonal);
}

HODGE_FOR_BOTH_VALUES(HODGE_DIAGONAL, Cuda)

}  // namespace hodge::linalg
