// The small least-squares problem of GMRES, min || beta e_1 - H y ||, kept triangular by Givens
// rotations.
//
// Y. Saad & M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856-869, Section 3.2. One thread
// runs these functions in the space of the Krylov basis; on a GPU a warp does the two long ones
// (cuda/kernels/least_squares.cuh). H is (m+1) x m, column-major, of leading dimension m + 1.
#pragma once

#include <cmath>

#include "linalg/base/macros.hpp"
#include "linalg/space/monitor_state.hpp"
#include "linalg/space/orthogonalisation.hpp"

namespace hodge::linalg {

struct LeastSquares {
  int restart = 0;               // m
  double* hessenberg = nullptr;  // (m+1) x m: becomes R
  double* cosine = nullptr;      // m
  double* sine = nullptr;        // m
  double* rhs = nullptr;         // m + 1: beta e_1 after the rotations
  double* solution = nullptr;    // m: y_i / ||w_i||; zero beyond the columns in use
  int* columns = nullptr;        // columns in use
  Orthogonalisation basis;

  HODGE_HD double* column(int j) const { return hessenberg + j * (restart + 1); }
};

HODGE_HD inline void start_rotations(const LeastSquares& s) {
  const double beta = s.basis.norms[0];
  for (int i = 0; i <= s.restart; ++i) s.rhs[i] = 0.0;
  s.rhs[0] = beta;
  *s.columns = 0;
}

// Column j of H after the rotations of the columns before it.
struct RotatedColumn {
  double diagonal = 0, below = 0;  // entries j and j + 1
  double square = 0;               // of the column's 2-norm
  double rhs = 0;                  // entry j of rhs
};

// Rotates the entry below the diagonal to zero and tells the monitor the new residual.
HODGE_HD inline void append_column(const LeastSquares& s, int j, const RotatedColumn& h,
                                   MonitorState& state) {
  s.basis.norms[j + 1] = h.below;
  if (!(h.square - h.square == 0.0))
    return halt(state, SolveStatus::breakdown, Breakdown::not_finite, h.square);
  const double least = breakdown_tolerance * sqrt(h.square);
  const double length = sqrt(h.diagonal * h.diagonal + h.below * h.below);
  if (length <= least)  // also where the column is zero
    return halt(state, SolveStatus::breakdown, Breakdown::singular_krylov, length);
  const double cosine = h.diagonal / length, sine = h.below / length, left = -sine * h.rhs;
  s.cosine[j] = cosine;
  s.sine[j] = sine;
  s.column(j)[j] = length;
  s.column(j)[j + 1] = 0.0;
  s.rhs[j] = cosine * h.rhs;
  s.rhs[j + 1] = left;
  *s.columns = j + 1;
  finish_iteration(state, left * left);
  // The Krylov space cannot grow: its solution is used, then the method restarts.
  if (h.below <= least && !state.halted)
    halt(state, SolveStatus::breakdown, Breakdown::singular_krylov, h.below);
}

// Appends column j from the dot products of the orthogonalisation of A M^-1 w_j; `again`: they are
// of two rounds.
HODGE_HD inline void extend(const LeastSquares& s, int j, bool again, MonitorState& state) {
  double* const h = s.column(j);
  double square = 0.0;
  for (int i = 0; i <= j + 1; ++i) {
    h[i] = projection(s.basis, j + 1, i, again);
    square += h[i] * h[i];
  }
  for (int i = 0; i < j; ++i) {
    const double upper = s.cosine[i] * h[i] + s.sine[i] * h[i + 1];
    h[i + 1] = s.cosine[i] * h[i + 1] - s.sine[i] * h[i];
    h[i] = upper;
  }
  append_column(s, j, {h[j], h[j + 1], square, s.rhs[j]}, state);
}

// R y = rhs by back substitution; y_i / ||w_i||.
HODGE_HD inline void back_substitute(const LeastSquares& s) {
  const int n = *s.columns;
  for (int i = s.restart - 1; i >= 0; --i) {
    double sum = i < n ? s.rhs[i] : 0.0;
    for (int j = i + 1; j < n; ++j) sum -= s.column(j)[i] * s.solution[j];
    s.solution[i] = i < n ? sum / s.column(i)[i] : 0.0;
  }
  for (int i = 0; i < n; ++i) s.solution[i] /= s.basis.norms[i];
}

}  // namespace hodge::linalg
