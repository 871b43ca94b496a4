// The eigenvalues and eigenvectors of an axis of a separable system, T v = lambda W v.
//
// V has the vectors as columns, V^T W V = 1, so that V^T T V = diag(lambda). A uniform axis has
// cosines and sines in closed form, in the order of FFTW's real transforms:
//
//   periodic      cos(2 pi i k / n), k = 0 .. n/2, then sin(2 pi i (n - k) / n), k = n/2 + 1 .. n-1
//   closed        cos(pi (i + 1/2) k / n)
//   half          sin(pi (i + 1/2) (k + 1) / n)
//   closed_half   cos(pi (i + 1/2) (k + 1/2) / n)
//   half_closed   sin(pi (i + 1/2) (k + 1/2) / n)
//
// Any other axis takes them from LAPACK: dstevd, or dsyevd where it is periodic. Where the BLAS
// brings no LAPACK (BLIS): implicit QL steps (H. Bowdler, R. S. Martin, C. Reinsch & J. H.
// Wilkinson, Numer. Math. 11, 1968), on a periodic axis Jacobi rotations, which take minutes beyond
// about 1000 points.
#pragma once

#include <vector>

#include "linalg/matrices/separable_system.hpp"

namespace hodge::linalg {

// The eigenvalues of an axis without a value at its ends have one 0, the first, with the constant.
std::vector<double> uniform_eigenvalues(const SeparableAxis& axis);

struct Eigenbasis {
  std::vector<double> values;   // n
  std::vector<double> vectors;  // n x n by columns
};

// Cost: n^2 for a uniform axis, up to 9 n^3 operations for others. Errors:
// NumericalError where LAPACK does not converge.
Eigenbasis eigenbasis(const SeparableAxis& axis);

// Without LAPACK, by ascending values: of a tridiagonal matrix with this diagonal and entries
// beside it, and of a symmetric n x n matrix by columns.
Eigenbasis ql_eigenbasis(std::vector<double> diagonal, std::vector<double> beside);
Eigenbasis jacobi_eigenbasis(int n, std::vector<double> a);

}  // namespace hodge::linalg
