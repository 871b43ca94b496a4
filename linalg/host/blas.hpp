// The routines of a Fortran BLAS that dense products on the Host use, for float and double;
// has_blas is false in a build without a BLAS.
//
// The kernels of a BLAS are tuned by hand for each processor and are several times faster than our
// own product, so a BLAS is used where CMake finds one (option HODGE_BLAS). Preferred is OpenBLAS
// with OpenMP threads, which picks its kernels (AVX2, AVX-512) when the program starts. LAPACK is
// used where the BLAS brings it (direct/eigenbasis.cpp).
//
// Each call runs on the calling thread alone, and many threads call at once: linalg's own OpenMP
// loops divide the work (host/lu_factor.cpp). Otherwise these threads and those of the BLAS would
// compete for the processors, and the bits of a result would depend on both. BlasCall sees to it.
#pragma once

#include <omp.h>

#include <cstdint>
#include <mutex>

#include "linalg/base/choose.hpp"
#include "linalg/space/triangular_recursion.hpp"

#ifndef HODGE_HAS_BLAS
#define HODGE_HAS_BLAS 0
#endif

#if HODGE_HAS_BLAS
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
// LAPACK: eigenvalues and eigenvectors of symmetric matrices, dense and tridiagonal. Defined only
// if the BLAS brings LAPACK, as OpenBLAS does.
__attribute__((weak)) void dsyevd_(const char*, const char*, const int*, double*, const int*,
                                   double*, double*, const int*, int*, const int*, int*);
__attribute__((weak)) void dstevd_(const char*, const int*, double*, double*, double*, const int*,
                                   double*, const int*, int*, const int*, int*);
// Defined only if the BLAS is BLIS or OpenBLAS.
__attribute__((weak)) void bli_thread_set_num_threads(std::int64_t);
__attribute__((weak)) void openblas_set_num_threads(int);
__attribute__((weak)) int openblas_get_parallel();  // 0: no threads, 1: pthreads, 2: OpenMP
__attribute__((weak)) char* openblas_get_config();
__attribute__((weak)) char* openblas_get_corename();  // the processor of its kernels: "Haswell"
}
#endif

namespace hodge::linalg::host {

inline constexpr bool has_blas = HODGE_HAS_BLAS != 0;

#if HODGE_HAS_BLAS
// As long as it lives, the BLAS works on the calling thread alone:
//   BLIS, OpenBLAS with pthreads   are set to one thread once.
//   OpenBLAS with OpenMP           asks OpenMP; its own setter would be for the whole program.
//   OpenBLAS without threads       has no locks: two calls at once take the same work space and
//                                  give wrong products. Such calls wait for each other.
class BlasCall {
 public:
  BlasCall() {
    static const int parallel = prepared();
    if (parallel == without_threads) turn_ = std::unique_lock(one_at_a_time());
    if (parallel == by_openmp && omp_in_parallel() == 0) {
      threads_ = omp_get_max_threads();
      omp_set_num_threads(1);
    }
  }
  ~BlasCall() {
    if (threads_ > 1) omp_set_num_threads(threads_);
  }
  BlasCall(const BlasCall&) = delete;
  BlasCall& operator=(const BlasCall&) = delete;

 private:
  // Of openblas_get_parallel().
  static constexpr int without_threads = 0, by_pthreads = 1, by_openmp = 2;

  static int prepared() {
    if (bli_thread_set_num_threads != nullptr) bli_thread_set_num_threads(1);
    if (openblas_get_parallel == nullptr) return by_pthreads;
    const int parallel = openblas_get_parallel();
    if (parallel == by_pthreads && openblas_set_num_threads != nullptr) openblas_set_num_threads(1);
    return parallel;
  }
  static std::mutex& one_at_a_time() {
    static std::mutex turn;
    return turn;
  }

  std::unique_lock<std::mutex> turn_;
  int threads_ = 0;
};

// C <- C - op(A) B
template <class T>
void blas_multiply_subtract(bool transposed, const DenseView<const T>& a,
                            const DenseView<const T>& b, const DenseView<T>& c) {
  const BlasCall call;
  const T minus = -1, one = 1;
  const int lda = static_cast<int>(a.stride), ldb = static_cast<int>(b.stride),
            ldc = static_cast<int>(c.stride);
  for_type<T>(dgemm_, sgemm_)(transposed ? "T" : "N", "N", &c.rows, &c.cols, &b.rows, &minus,
                              a.data, &lda, b.data, &ldb, &one, c.data, &ldc);
}

// B <- op(F)^-1 B
template <class T>
void blas_solve_triangular(Factor factor, const DenseView<const T>& f, const DenseView<T>& b) {
  const BlasCall call;
  const TriangleShape shape = triangle_shape(factor);
  const T one = 1;
  const int ldf = static_cast<int>(f.stride), ldb = static_cast<int>(b.stride);
  for_type<T>(dtrsm_, strsm_)("L", shape.unit ? "L" : "U", shape.transposed ? "T" : "N",
                              shape.unit ? "U" : "N", &b.rows, &b.cols, &one, f.data, &ldf, b.data,
                              &ldb);
}
#endif

}  // namespace hodge::linalg::host
