// Cuda space: the dense primitives around the panel of an LU factorisation.
#include "linalg/cuda/dense/dense.hpp"
#include "linalg/cuda/dense/dense_rows.cuh"
#include "linalg/cuda/kernels/reduction.cuh"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

constexpr int measure_threads = 256;

// Values >= 0 compare as their bits do.
__device__ void raise_to(double* largest, double value) {
  atomicMax(reinterpret_cast<unsigned long long*>(largest), to_bits(value));
}

// The blocks take columns in turn: the sum of a column's absolute values, and the largest of them.
template <class T>
__global__ void measure_matrix_kernel(DenseView<const T> a, LuStatus* status) {
  for (int j = blockIdx.x; j < a.cols; j += gridDim.x) {
    double of_column[2] = {};
    for (int i = threadIdx.x; i < a.rows; i += blockDim.x) {
      const double value = fabs(static_cast<double>(a(i, j)));
      of_column[0] += value;
      of_column[1] = fmax(of_column[1], value);
    }
    reduce_block<2>(of_column, 2u);
    if (threadIdx.x == 0) {
      raise_to(&status->norm, of_column[0]);
      raise_to(&status->largest, of_column[1]);
    }
  }
}

template <class T>
__global__ void measure_factors_kernel(DenseView<const T> lu, LuStatus* status) {
  for (int j = blockIdx.x; j < lu.cols; j += gridDim.x) {
    double largest[1] = {};
    for (int i = threadIdx.x; i <= j; i += blockDim.x) {
      largest[0] = fmax(largest[0], fabs(static_cast<double>(lu(i, j))));
    }
    reduce_block<1>(largest, 1u);
    if (threadIdx.x == 0) raise_to(&status->growth, largest[0]);
  }
}

// One block: the smallest |u_jj| (the first of equal ones), and the growth as a ratio.
template <class T>
__global__ void finish_measures_kernel(DenseView<const T> lu, LuStatus* status) {
  __shared__ double value[measure_threads];
  __shared__ int column[measure_threads];
  const int t = threadIdx.x;
  value[t] = HUGE_VAL;
  column[t] = lu.cols;
  for (int j = t; j < lu.cols; j += measure_threads) {
    const double u = fabs(static_cast<double>(lu(j, j)));
    if (u < value[t]) {
      value[t] = u;
      column[t] = j;
    }
  }
  __syncthreads();
  if (t != 0) return;
  int best = 0;
  for (int k = 1; k < measure_threads; ++k) {
    if (value[k] < value[best] || (value[k] == value[best] && column[k] < column[best])) best = k;
  }
  status->weakest = column[best] < lu.cols ? column[best] : -1;
  status->growth = status->largest > 0.0 ? status->growth / status->largest : 1.0;
}

}  // namespace

}  // namespace cuda

template <>
template <class T>
void DensePrimitives<Cuda>::exchange_rows(const RowExchange& exchanges, int width,
                                          const DenseView<T>& a) {
  if (a.cols == 0) return;
  cuda::launch_kernel("exchange_rows_kernel", cuda::exchange_rows_kernel<T>,
                      cuda::blocks_of_columns(a.cols), cuda::row_threads, exchanges, width, a);
}

template <>
template <class T>
void DensePrimitives<Cuda>::solve_triangular(Factor factor, const DenseView<const T>& f,
                                             const DenseView<T>& b) {
  if (b.rows == 0 || b.cols == 0) return;
  const auto leaf = [](const TriangleShape& shape, const DenseView<const T>& block,
                       const DenseView<T>& rows) {
    cuda::launch_kernel("solve_leaf_kernel", cuda::solve_leaf_kernel<T>,
                        cuda::blocks_of_columns(rows.cols), cuda::row_threads, shape, block, rows);
  };
  solve_by_halves<Cuda>(triangle_shape(factor), f, b, cuda::leaf_rows, leaf);
}

template <>
template <class T>
void DensePrimitives<Cuda>::measure_matrix(const DenseView<const T>& a, LuStatus* status) {
  cuda::launch_kernel("measure_matrix_kernel", cuda::measure_matrix_kernel<T>,
                      cuda::blocks_for(a.cols, 1, 2048), cuda::measure_threads, a, status);
}

template <>
template <class T>
void DensePrimitives<Cuda>::measure_factors(const DenseView<const T>& lu, LuStatus* status) {
  cuda::launch_kernel("measure_factors_kernel", cuda::measure_factors_kernel<T>,
                      cuda::blocks_for(lu.cols, 1, 2048), cuda::measure_threads, lu, status);
  cuda::launch_kernel("finish_measures_kernel", cuda::finish_measures_kernel<T>, 1,
                      cuda::measure_threads, lu, status);
}

HODGE_FOR_BOTH_VALUES(HODGE_DENSE, Cuda)
template void DensePrimitives<Cuda>::exchange_rows(const RowExchange&, int, const DenseView<int>&);

}  // namespace hodge::linalg
