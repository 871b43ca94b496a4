// The two routines of a Fortran BLAS that dense Gauss on the Host uses, for float and double, or
// notice that this build has none.
//
// A product of our own reaches a few times less than a BLAS, whose kernels are tuned by hand for
// each processor, so a BLAS is used where CMake finds one (option HODGE_BLAS). Preferred is BLIS:
// it picks its kernels (AVX2, AVX-512) when the program starts, and at 12 MB fits into the
// relocatable bundle. LAPACK is not needed.
//
// Each call runs on the thread that makes it, and many threads call at once: work is shared out by
// linalg's own OpenMP loops (host/lu_factor.cpp), which keeps their threads and the BLAS's from
// competing for the processors. BLIS and OpenBLAS are told so at the first call, for the whole
// process.
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
