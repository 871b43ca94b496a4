// The small least-squares problem of GMRES, min || beta e_1 - H y ||, kept triangular by Givens
// rotations.
//
// Y. Saad & M. H. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986) 856-869, Section 3.2. One thread
// runs these functions in the space where the Krylov basis lives; H is (m+1) x m, column-major, of
// leading dimension m + 1.
#pragma once

#include <cmath>

#include "linalg/macros.hpp"
#include "linalg/monitor_state.hpp"
#include "linalg/orthogonalisation.hpp"

namespace hodge::linalg {

struct LeastSquares {
  int restart = 0;               // m
  double* hessenberg = nullptr;  // (m+1) x m: becomes R
  double* cosine = nullptr;      // m
  double* sine = nullptr;        // m
  double* rhs = nullptr;         // m + 1: beta e_1 after the rotations
  double* solution = nullptr;    // m: y by the norms of the basis; zero beyond the columns in use
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

// Takes column j from what the orthogonalisation of A M^-1 w_j has left, rotates it, and reports
// the residual.
HODGE_HD inline void rotate_column(const LeastSquares& s, int j, double* h, MonitorState& state) {
  double norm2 = 0.0;
  s.basis.norms[j + 1] = h[j + 1];
  for (int i = 0; i <= j + 1; ++i) norm2 += h[i] * h[i];
  if (!(norm2 - norm2 == 0.0))
    return halt(state, SolveStatus::breakdown, Breakdown::not_finite, norm2);
  const bool invariant = h[j + 1] <= breakdown_tolerance * sqrt(norm2);
  for (int i = 0; i < j; ++i) {
    const double upper = s.cosine[i] * h[i] + s.sine[i] * h[i + 1];
    h[i + 1] = -s.sine[i] * h[i] + s.cosine[i] * h[i + 1];
    h[i] = upper;
  }
  const double length = hypot(h[j], h[j + 1]);
  if (length <= breakdown_tolerance * sqrt(norm2)) {  // also norm2 == 0
    return halt(state, SolveStatus::breakdown, Breakdown::singular_krylov, length);
  }
  s.cosine[j] = h[j] / length;
  s.sine[j] = h[j + 1] / length;
  h[j] = length;
  h[j + 1] = 0.0;
  s.rhs[j + 1] = -s.sine[j] * s.rhs[j];
  s.rhs[j] *= s.cosine[j];
  *s.columns = j + 1;
  finish_iteration(state, s.rhs[j + 1] * s.rhs[j + 1]);
  if (invariant &&
      !state.halted) {  // the space cannot grow; what it holds is used, then the cycle starts anew
    halt(state, SolveStatus::breakdown, Breakdown::singular_krylov, h[j + 1]);
  }
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
