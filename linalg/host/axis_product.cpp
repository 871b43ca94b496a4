// Host space: products along an axis by the BLAS, block by block on OpenMP threads. The blocks do
// not depend on the number of threads or processes, so neither do the bits of the result.
#include "linalg/space/axis_product.hpp"

#include <algorithm>

#include "linalg/host/blas.hpp"
#include "linalg/host/loops.hpp"
#include "linalg/space/instantiate.hpp"
#include "linalg/space/line_blocks.hpp"

namespace hodge::linalg {

namespace host {

namespace {

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

}  // namespace

}  // namespace host

template <>
template <class T>
void AxisPrimitives<Host>::multiply_along(const AxisShape& shape, const T* matrix, bool transposed,
                                          const T* in, T* out) {
  const LineBlocks blocks(shape);
  const int n = shape.points, apart = shape.inner;
  [[maybe_unused]] const bool parallel = shape.size() > host::parallel_threshold;
#pragma omp parallel for schedule(dynamic, 1) if (parallel)
  for (long long block = 0; block < blocks.count(); ++block) {
    const int lines = blocks.lines_of(block);
    const T* const from = in + blocks.begin_of(block);
    T* const to = out + blocks.begin_of(block);
    if (shape.is_adjacent)  // lines are columns: out = op(M)^T in
      host::product(!transposed, false, n, lines, n, matrix, n, from, n, to, n);
    else  // lines are rows: out = in op(M)
      host::product(false, transposed, lines, n, n, from, apart, matrix, n, to, apart);
  }
}

template <>
void AxisPrimitives<Host>::prepare_axis_products() {}

HODGE_FOR_BOTH_VALUES(HODGE_AXIS_PRODUCT, Host)

}  // namespace hodge::linalg
