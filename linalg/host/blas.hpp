// The two routines of a Fortran BLAS that dense Gauss on the Host uses, for float and double;
// has_blas is false in a build without a BLAS.
//
// The kernels of a BLAS are tuned by hand for each processor and are several times faster than our
// own product, so a BLAS is used where CMake finds one (option HODGE_BLAS). Preferred is BLIS: it
// picks its kernels (AVX2, AVX-512) when the program starts, and at 12 MB fits into the relocatable
// bundle. LAPACK is not needed.
//
// Each call runs on the calling thread alone, and many threads call at once: linalg's own OpenMP
// loops divide the work (host/lu_factor.cpp). Otherwise these threads and those of the BLAS would
// compete for the processors. The first call sets BLIS or OpenBLAS to one thread.
#pragma once

#include "linalg/space/dense_view.hpp"

#ifndef HODGE_HAS_BLAS
#define HODGE_HAS_BLAS 0
#endif

namespace hodge::linalg::host {

inline constexpr bool has_blas = HODGE_HAS_BLAS != 0;

#if HODGE_HAS_BLAS
// C <- C - op(A) B
template <class T>
void blas_multiply_subtract(bool transposed, const DenseView<const T>& a,
                            const DenseView<const T>& b, const DenseView<T>& c);
// B <- op(F)^-1 B
template <class T>
void blas_solve_triangular(Factor factor, const DenseView<const T>& f, const DenseView<T>& b);
#endif

}  // namespace hodge::linalg::host
