// The operations on the row sums of a matrix. Every kernel of matrices/spmv_cuda.cu is compiled for
// each of them.
//
// An operation has range(), or bits() of diagonals: the entries of a row that are summed;
// operands(): the entries of vectors that it needs at the row, loaded before the row is summed;
// finish(): uses the sum, and adds to the totals of the thread; store(): keeps the totals of a
// chunk of rows; reduce(): turns those of all chunks into results at the end of the kernel;
// add_to_results(): adds the totals of another block.
#pragma once

#include <type_traits>

#include "linalg/cuda/kernels/reduction.cuh"
#include "linalg/cuda/kernels/row_chunks.hpp"
#include "linalg/cuda/kernels/scalar_operations.cuh"
#include "linalg/cuda/rows/entries_of_x.cuh"

namespace hodge::linalg::cuda {

// Blocks per multiprocessor of a kernel that sums rows, for which registers have to suffice; 0: the
// compiler chooses.
template <class Operation>
constexpr int blocks_for_totals(int threads) {
  using Totals = typename Operation::Totals;
  if (std::is_empty_v<Totals>) return 0;
  return blocks_with_registers(threads, sizeof(Totals) > 3 * sizeof(double) ? 5 : 6);
}

struct Operands {
  double first = 0.0, second = 0.0;
};

// y = alpha A x + beta b; b may be y. X: entries_of_x.cuh.
template <class T, class X = const T*>
struct Multiply {
  struct Totals {};

  X x;
  double alpha, beta;
  const T* b;
  T* y;

  __device__ RowRange range(const CsrView<T>&, int, RowRange row) const { return row; }
  __device__ unsigned bits(const DiagonalsView&) const { return ~0u; }
  __device__ Operands operands(int row) const {
    return {beta == 0.0 ? 0.0 : beta * static_cast<double>(b[row])};
  }
  __device__ void finish(int row, double sum, Operands before, Totals&) const {
    y[row] = static_cast<T>(alpha * sum + before.first);
  }
  __device__ void store(const Totals&, const ReductionScratch&, int) const {}
  __device__ void reduce(const ReductionScratch&) const {}
  __device__ void add_to_results(Totals&) const {}
};

struct ProductResults {
  ProductDots dots;
  Guard guard;
  ScalarOperations afterwards;

  __device__ double& result(int k) const {
    return *(k == 0 ? dots.wy : k == 1 ? dots.ww : k == 2 ? dots.yy : k == 3 ? dots.vy : dots.vw);
  }
  __device__ bool is_due() const { return !guard.halted(); }
  __device__ void store(int k, double total) const { result(k) = total; }
  __device__ void finish() const { run(afterwards, guard); }
};

// y = A x, or w - A x, with the three dot products of w and y, and if Further those with v; then
// the scalar operations that use them.
template <class T, bool Further, class X = const T*>
struct MultiplyAndDots {
  static constexpr int count = Further ? 5 : 3;
  struct Totals {
    double value[count] = {};
  };

  X x;
  const T* w;
  const T* v;
  T* y;
  ProductResults results;
  bool from_w = false;  // y = w - A x

  __device__ RowRange range(const CsrView<T>&, int, RowRange row) const { return row; }
  __device__ unsigned bits(const DiagonalsView&) const { return ~0u; }
  __device__ Operands operands(int row) const {
    if constexpr (Further) return {static_cast<double>(w[row]), static_cast<double>(v[row])};
    return {static_cast<double>(w[row])};
  }
  __device__ void finish(int row, double sum, Operands before, Totals& totals) const {
    const double wi = before.first;
    const T value = static_cast<T>(from_w ? wi - sum : sum);
    y[row] = value;
    const auto yi = static_cast<double>(value);
    totals.value[0] += wi * yi;
    totals.value[1] += wi * wi;
    totals.value[2] += yi * yi;
    if constexpr (Further) {
      totals.value[3] += before.second * yi;
      totals.value[4] += before.second * wi;
    }
  }
  __device__ void store(const Totals& totals, const ReductionScratch& scratch, int chunk) const {
    store_chunk<count>(totals.value, 0u, scratch, chunk);
  }
  __device__ void reduce(const ReductionScratch& scratch) const {
    reduce_chunks<count>(0u, scratch, results);
  }
  __device__ void add_to_results(Totals& totals) const {
    reduce_block<count>(totals.value, 0u);
    if (threadIdx.x == 0) {
      for (int k = 0; k < count; ++k) results.result(k) += totals.value[k];
    }
  }
};

// The same without v, and y_transposed = A^T w; for diagonals_kernel.
template <class T>
struct MultiplyBoth : MultiplyAndDots<T, false> {
  T* y_transposed;
};

// y = factor (b - d o P(A) x), P(A) a strict triangle of A or both
template <class T, class X = const T*>
struct Sweep {
  struct Totals {};

  X x;
  Triangle part;
  const int* diagonal;
  const T* values;
  const T* d;
  const T* b;
  double factor;
  T* y;

  // The diagonal entry exists, since d is the inverse diagonal.
  __device__ RowRange range(const CsrView<T>&, int row, RowRange entries) const {
    if (part == Triangle::strictly_lower) return {entries.first, diagonal[row]};
    if (part == Triangle::strictly_upper) return {diagonal[row] + 1, entries.last};
    return entries;
  }
  __device__ unsigned bits(const DiagonalsView& diagonals) const {
    if (part == Triangle::strictly_lower) return diagonals.lower_bits;
    if (part == Triangle::strictly_upper) return diagonals.upper_bits;
    return ~0u;
  }
  __device__ Operands operands(int row) const {
    return {static_cast<double>(b[row]), static_cast<double>(d[row])};
  }
  __device__ void finish(int row, double sum, Operands before, Totals&) const {
    if (part == Triangle::both)
      sum -= static_cast<double>(values[diagonal[row]]) * static_cast<double>(x[row]);
    y[row] = static_cast<T>(factor * (before.first - before.second * sum));
  }
  __device__ void store(const Totals&, const ReductionScratch&, int) const {}
  __device__ void reduce(const ReductionScratch&) const {}
  __device__ void add_to_results(Totals&) const {}
};

}  // namespace hodge::linalg::cuda
