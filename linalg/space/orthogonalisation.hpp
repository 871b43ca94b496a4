// Gram-Schmidt against a basis w_0 .. w_{k-1} whose vectors are orthogonal but not of length 1, so
// that no pass over a vector is spent on dividing it by its norm.
//
// With u = A M^-1 w_{k-1}:
//
//   d_i  = w_i . u                                         one pass over the basis
//   w_k  = u / |w_{k-1}| - sum_i d_i / (|w_i|^2 |w_{k-1}|) w_i
//   e_i  = w_i . w_k,  e_k = w_k . w_k                     a second pass, for both lines
//
// This is classical Gram-Schmidt, and the e_i measure the loss of orthogonality. If one of them
// exceeds sqrt(eps) |w_i| |w_k|, the last two lines are repeated with the e_i for the d_i: bases
// that are orthogonal to sqrt(eps) are as good as exact ones (H. D. Simon, Math. Comp. 42 (1984)
// 115-142), and two rounds are enough (L. Giraud, J. Langou & M. Rozloznik, Comput. Math. Appl. 50
// (2005) 1069-1075). One or a few threads evaluate these functions in the space of the basis.
#pragma once

#include <cmath>

#include "linalg/base/macros.hpp"

namespace hodge::linalg {

struct Orthogonalisation {
  double tolerance = 0;          // sqrt(eps) of the vectors' type
  double* norms = nullptr;       // |w_i|
  double* dots = nullptr;        // d_i
  double* left = nullptr;        // e_0 .. e_k
  double* left_again = nullptr;  // the same after a second round
};

// One round: w = scale w - sum_i coefficient(i) w_i.
struct OrthogonalisationRound {
  Orthogonalisation data;
  bool second = false;

  HODGE_HD const double* dots() const { return second ? data.left : data.dots; }
  HODGE_HD double* results() const { return second ? data.left_again : data.left; }
  HODGE_HD double scale(int k) const { return second ? 1.0 : 1.0 / data.norms[k - 1]; }
  HODGE_HD double coefficient(int k, int i) const {
    return scale(k) * dots()[i] / (data.norms[i] * data.norms[i]);
  }
};

// Whether w_i is so far from orthogonal to w_k that a second round is needed.
HODGE_HD inline bool is_oblique(const Orthogonalisation& o, int k, int i) {
  return fabs(o.left[i]) > o.tolerance * o.norms[i] * sqrt(o.left[k]);
}

// h_i = v_i . A M^-1 v_{k-1} for i < k, v_i = w_i / |w_i|, and h_k = |w_k|; `again`: after two
// rounds.
HODGE_HD inline double projection(const Orthogonalisation& o, int k, int i, bool again) {
  if (i == k) return sqrt(again ? o.left_again[k] : o.left[k]);
  const double h = o.dots[i] / (o.norms[i] * o.norms[k - 1]);
  return again ? h + o.left[i] / o.norms[i] : h;
}

}  // namespace hodge::linalg
