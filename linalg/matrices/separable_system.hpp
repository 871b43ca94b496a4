// A system on a box of points whose operator is a sum of one-dimensional ones, as plain data:
//
//   A = shift prod_d W_d + factor sum_d T_d x prod_{e != d} W_e
//
// with rows numbered lexicographically, axis 0 fastest. shift 0, factor 1: Poisson's equation;
// 1 / dt and theta nu: a step of diffusion. W_d is the diagonal of the weights of axis d (widths of
// cells), T_d symmetric and tridiagonal, on a periodic axis with corners:
//
//   (T v)_i = k_i (v_i - v_{i-1}) + k_{i+1} (v_i - v_{i+1})
//
// k_0 and k_n lead to a value 0 beyond the ends (0: nothing flows through that end); on a periodic
// axis k_0 = k_n lies between the last point and the first.
#pragma once

#include <cstddef>
#include <vector>

namespace hodge::linalg {

// What the two ends of an axis are; half: the value is 0 half a cell beyond the last point.
enum class AxisEnds { periodic, closed, half, closed_half, half_closed };

struct SeparableAxis {
  std::vector<double> weights;    // n, > 0
  std::vector<double> couplings;  // n + 1, >= 0; > 0 between points
  bool periodic = false;

  int points() const { return static_cast<int>(weights.size()); }
  // No value at the ends determines a constant.
  bool is_singular() const { return periodic || (couplings.front() == 0 && couplings.back() == 0); }
  // Whether all points are alike, with ends that sines and cosines fit.
  bool is_uniform() const;
  // Of a uniform axis.
  AxisEnds ends() const;

  bool operator==(const SeparableAxis&) const = default;
};

struct SeparableSystem {
  std::vector<SeparableAxis> axes;  // 1 to 3
  double shift = 0, factor = 1;     // >= 0, not both 0

  long long rows() const;
  bool is_singular() const;
  // Of one vector, and of the eigenvectors and eigenvalues of all axes.
  std::size_t most_transform_values() const;
  // Errors: ShapeError for sizes that do not fit and for values out of range.
  void check() const;
};

}  // namespace hodge::linalg
