#include "linalg/host/blas.hpp"

#if HODGE_HAS_BLAS

#include <cstdint>

#include "linalg/space/triangular_recursion.hpp"

extern "C" {
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*,
            const double*, const int*, const double*, const int*, const double*, double*,
            const int*);
void sgemm_(const char*, const char*, const int*, const int*, const int*, const float*,
            const float*, const int*, const float*, const int*, const float*, float*, const int*);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*,
            const double*, const double*, const int*, double*, const int*);
void strsm_(const char*, const char*, const char*, const char*, const int*, const int*,
            const float*, const float*, const int*, float*, const int*);
// Where the BLAS is BLIS or OpenBLAS.
__attribute__((weak)) void bli_thread_set_num_threads(std::int64_t);
__attribute__((weak)) void openblas_set_num_threads(int);
}

namespace hodge::linalg::host {

namespace {

void keep_to_one_thread() {
  static const bool done = [] {
    if (bli_thread_set_num_threads != nullptr) bli_thread_set_num_threads(1);
    if (openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
    return true;
  }();
  (void)done;
}

void gemm(char op, int m, int n, int k, const double* a, int lda, const double* b, int ldb,
          double* c, int ldc) {
  const double minus = -1.0, one = 1.0;
  dgemm_(&op, "N", &m, &n, &k, &minus, a, &lda, b, &ldb, &one, c, &ldc);
}
void gemm(char op, int m, int n, int k, const float* a, int lda, const float* b, int ldb, float* c,
          int ldc) {
  const float minus = -1.0f, one = 1.0f;
  sgemm_(&op, "N", &m, &n, &k, &minus, a, &lda, b, &ldb, &one, c, &ldc);
}
void trsm(char triangle, char op, char diagonal, int m, int n, const double* a, int lda, double* b,
          int ldb) {
  const double one = 1.0;
  dtrsm_("L", &triangle, &op, &diagonal, &m, &n, &one, a, &lda, b, &ldb);
}
void trsm(char triangle, char op, char diagonal, int m, int n, const float* a, int lda, float* b,
          int ldb) {
  const float one = 1.0f;
  strsm_("L", &triangle, &op, &diagonal, &m, &n, &one, a, &lda, b, &ldb);
}

}  // namespace

template <class T>
void blas_multiply_subtract(bool transposed, const DenseView<const T>& a,
                            const DenseView<const T>& b, const DenseView<T>& c) {
  keep_to_one_thread();
  gemm(transposed ? 'T' : 'N', c.rows, c.cols, b.rows, a.data, static_cast<int>(a.stride), b.data,
       static_cast<int>(b.stride), c.data, static_cast<int>(c.stride));
}

template <class T>
void blas_solve_triangular(Factor factor, const DenseView<const T>& f, const DenseView<T>& b) {
  keep_to_one_thread();
  const TriangleShape shape = triangle_shape(factor);
  trsm(shape.unit ? 'L' : 'U', shape.transposed ? 'T' : 'N', shape.unit ? 'U' : 'N', b.rows, b.cols,
       f.data, static_cast<int>(f.stride), b.data, static_cast<int>(b.stride));
}

#define HODGE_BLAS(T)                                                                              \
  template void blas_multiply_subtract(bool, const DenseView<const T>&, const DenseView<const T>&, \
                                       const DenseView<T>&);                                       \
  template void blas_solve_triangular(Factor, const DenseView<const T>&, const DenseView<T>&);
HODGE_BLAS(double)
HODGE_BLAS(float)

}  // namespace hodge::linalg::host

#endif
