// Host space: products along an axis by the BLAS, block by block on OpenMP threads. The blocks do
// not depend on the number of threads, so neither do the bits of the result.
#include "linalg/space/axis_product.hpp"

#include <algorithm>

#include "linalg/host/blas.hpp"
#include "linalg/host/loops.hpp"
#include "linalg/space/instantiate.hpp"

namespace hodge::linalg {

namespace host {

namespace {

constexpr int block = 512;  // lines of a product that a thread computes at once

#if HODGE_HAS_BLAS
// C = op(A) op(B)
template <class T>
void product(bool a_transposed, bool b_transposed, int rows, int cols, int depth, const T* a,
             int lda, const T* b, int ldb, T* c, int ldc) {
  const BlasCall one_thread;
  const T one = 1, zero = 0;
  for_type<T>(dgemm_, sgemm_)(a_transposed ? "T" : "N", b_transposed ? "T" : "N", &rows, &cols,
                              &depth, &one, a, &lda, b, &ldb, &zero, c, &ldc);
}
#else
template <class T>
void product(bool a_transposed, bool b_transposed, int rows, int cols, int depth, const T* a,
             int lda, const T* b, int ldb, T* c, int ldc) {
  const std::ptrdiff_t a_row = a_transposed ? lda : 1, a_col = a_transposed ? 1 : lda,
                       b_row = b_transposed ? ldb : 1, b_col = b_transposed ? 1 : ldb;
  for (int j = 0; j < cols; ++j) {
    T* const column = c + static_cast<std::ptrdiff_t>(j) * ldc;
    std::fill(column, column + rows, T(0));
    for (int k = 0; k < depth; ++k) {
      const T factor = b[k * b_row + j * b_col];
      const T* const from = a + k * a_col;
      if (a_row == 1)
        for (int i = 0; i < rows; ++i) column[i] += factor * from[i];
      else
        for (int i = 0; i < rows; ++i) column[i] += factor * from[i * a_row];
    }
  }
}
#endif

// Axis 0: every line is a column, out = op(M)^T in.
template <class T>
void multiply_columns(const AxisShape& shape, const T* matrix, bool transposed, const T* in,
                      T* out) {
  const int n = shape.points, blocks = (shape.outer + block - 1) / block;
  [[maybe_unused]] const bool parallel = shape.size() > parallel_threshold;
#pragma omp parallel for schedule(dynamic, 1) if (parallel)
  for (int b = 0; b < blocks; ++b) {
    const int first = b * block, count = std::min(block, shape.outer - first);
    const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(first) * n;
    product(!transposed, false, n, count, n, matrix, n, in + at, n, out + at, n);
  }
}

// Axes above: of each layer k, out = in op(M).
template <class T>
void multiply_rows(const AxisShape& shape, const T* matrix, bool transposed, const T* in, T* out) {
  const int n = shape.points, blocks = (shape.inner + block - 1) / block;
  const long long tasks = 1LL * blocks * shape.outer;
  [[maybe_unused]] const bool parallel = shape.size() > parallel_threshold;
#pragma omp parallel for schedule(dynamic, 1) if (parallel)
  for (long long task = 0; task < tasks; ++task) {
    const int first = static_cast<int>(task % blocks) * block;
    const int count = std::min(block, shape.inner - first);
    const std::ptrdiff_t at = first + static_cast<std::ptrdiff_t>(task / blocks) * shape.inner * n;
    product(false, transposed, count, n, n, in + at, shape.inner, matrix, n, out + at, shape.inner);
  }
}

}  // namespace

}  // namespace host

template <>
template <class T>
void AxisPrimitives<Host>::multiply_along(const AxisShape& shape, const T* matrix, bool transposed,
                                          const T* in, T* out) {
  if (shape.inner == 1) return host::multiply_columns(shape, matrix, transposed, in, out);
  host::multiply_rows(shape, matrix, transposed, in, out);
}

template <>
void AxisPrimitives<Host>::prepare_axis_products() {}

HODGE_FOR_BOTH_VALUES(HODGE_AXIS_PRODUCT, Host)

}  // namespace hodge::linalg
