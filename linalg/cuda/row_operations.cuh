// What is done with the sums of a matrix's rows, apart from how they are summed: the operations
// that every kernel of spmv.cu is compiled for.
//
// An operation says which entries of a row it sums (range), takes the sum (finish), and collects
// totals over the rows that a thread finished; reduce() makes results of them at the end of a
// kernel, add_to_results() adds those of one more block.
#pragma once

#include "linalg/cuda/reduction.cuh"

namespace hodge::linalg::cuda {

// Positions of entries.
struct Range {
  int first, last;
};

template <class T>
__device__ Range whole_row(const CsrView<T>& a, int row) {
  return {a.row_offsets[row], a.row_offsets[row + 1]};
}

// y = alpha A x + beta y
template <class T>
struct Multiply {
  using Value = T;
  struct Totals {};

  const T* x;
  double alpha, beta;
  T* y;

  __device__ Range range(const CsrView<T>&, int, Range row) const { return row; }
  __device__ void finish(int row, double sum, Totals&) const {
    const double product = alpha * sum;
    y[row] = static_cast<T>(beta == 0.0 ? product : product + beta * static_cast<double>(y[row]));
  }
  __device__ void reduce(Totals&, ReductionScratch) const {}
  __device__ void add_to_results(Totals&) const {}
};

// y = A x and the three products of x and y
template <class T>
struct MultiplyAndDots {
  using Value = T;
  struct Totals {
    double value[3] = {};
  };

  const T* x;
  T* y;
  ProductDots dots;

  __device__ Range range(const CsrView<T>&, int, Range row) const { return row; }
  __device__ void finish(int row, double sum, Totals& totals) const {
    y[row] = static_cast<T>(sum);
    const double xi = static_cast<double>(x[row]);
    const double yi = static_cast<double>(static_cast<T>(sum));
    totals.value[0] += xi * yi;
    totals.value[1] += xi * xi;
    totals.value[2] += yi * yi;
  }
  __device__ static double& result(const ProductDots& dots, int k) {
    return k == 0 ? *dots.xy : k == 1 ? *dots.xx : *dots.yy;
  }
  __device__ void reduce(Totals& totals, ReductionScratch scratch) const {
    reduce_grid<3>(totals.value, 0u, scratch,
                   [to = dots](int k, double value) { result(to, k) = value; });
  }
  __device__ void add_to_results(Totals& totals) const {
    reduce_block<3>(totals.value, 0u);
    if (threadIdx.x == 0) {
      for (int k = 0; k < 3; ++k) result(dots, k) += totals.value[k];
    }
  }
};

// y = factor (b - d o P(A) x), P(A) a strict triangle of A or both
template <class T>
struct Sweep {
  using Value = T;
  struct Totals {};

  const T* x;
  Triangle part;
  const int* diagonal;
  const T* values;
  const T* d;
  const T* b;
  double factor;
  T* y;

  // The diagonal entry exists: the inverse diagonal d has been taken of it.
  __device__ Range range(const CsrView<T>&, int row, Range entries) const {
    if (part == Triangle::strictly_lower) return {entries.first, diagonal[row]};
    if (part == Triangle::strictly_upper) return {diagonal[row] + 1, entries.last};
    return entries;
  }
  __device__ void finish(int row, double sum, Totals&) const {
    if (part == Triangle::both)
      sum -= static_cast<double>(values[diagonal[row]]) * static_cast<double>(x[row]);
    y[row] =
        static_cast<T>(factor * (static_cast<double>(b[row]) - static_cast<double>(d[row]) * sum));
  }
  __device__ void reduce(Totals&, ReductionScratch) const {}
  __device__ void add_to_results(Totals&) const {}
};

}  // namespace hodge::linalg::cuda
