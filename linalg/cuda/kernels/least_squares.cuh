// The least-squares problem of GMRES (space/least_squares.hpp) by one warp. All numbers are loaded
// together; the rotations of a column, each of which needs the result of the previous one, are
// composed by a scan.
#pragma once

#include "linalg/cuda/device/runtime.hpp"

namespace hodge::linalg::cuda {

inline constexpr unsigned whole_warp = 0xffffffffu;

// x -> factor x + constant
struct AffineMap {
  double factor = 1.0, constant = 0.0;
  __device__ double operator()(double x) const { return factor * x + constant; }
};

// The composition of the maps of lanes 0, 1, ..., lane, applied in this order.
__device__ inline AffineMap compose_lanes(AffineMap map, int lane) {
#pragma unroll
  for (int offset = 1; offset < 32; offset *= 2) {
    const AffineMap before{__shfl_up_sync(whole_warp, map.factor, offset),
                           __shfl_up_sync(whole_warp, map.constant, offset)};
    if (lane >= offset) map = {map.factor * before.factor, map(before.constant)};
  }
  return map;
}

__device__ inline double sum_of_warp(double value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(whole_warp, value, offset);
  return value;
}

// extend() of space/least_squares.hpp. With x_0 = h_0, rotation i turns x_i and h_{i+1} into an
// entry of R and x_{i+1} = c_i h_{i+1} - s_i x_i.
__device__ inline void extend_by_warp(const LeastSquares& s, int column, bool again,
                                      MonitorState* state) {
  const int k = column + 1, lane = static_cast<int>(threadIdx.x) % 32;
  MonitorState known = *state;
  const double rhs = s.rhs[column], last = projection(s.basis, k, k, again);
  double x = projection(s.basis, k, 0, again), square = 0.0;
  for (int first = 0; first < k; first += 32) {
    const int i = first + lane;
    const bool rotates = i < column;
    const double own = i < k ? projection(s.basis, k, i, again) : 0.0;
    const double next = rotates ? projection(s.basis, k, i + 1, again) : 0.0;
    const double cosine = rotates ? s.cosine[i] : 0.0, sine = rotates ? s.sine[i] : 0.0;
    square += own * own;
    const double after =
        compose_lanes(rotates ? AffineMap{-sine, cosine * next} : AffineMap{}, lane)(x);
    const double left = __shfl_up_sync(whole_warp, after, 1);
    if (rotates) s.column(column)[i] = cosine * (lane > 0 ? left : x) + sine * next;
    x = __shfl_sync(whole_warp, after, 31);
  }
  square = sum_of_warp(square) + last * last;
  if (lane != 0) return;
  append_column(s, column, {x, last, square, rhs}, known);
  *state = known;
}

// R y = rhs from the last tile of 32 columns to the first: each lane solves a row of the tile and
// then updates rows above the tile. Stores y_i / ||w_i||.
__device__ inline void back_substitute_by_warp(const LeastSquares& s) {
  const int lane = static_cast<int>(threadIdx.x), n = *s.columns;
  for (int i = lane; i < s.restart; i += 32) s.solution[i] = i < n ? s.rhs[i] : 0.0;
  for (int first = (n - 1) / 32 * 32; n > 0 && first >= 0; first -= 32) {
    const int row = first + lane;
    double r[32];
#pragma unroll
    for (int j = 0; j < 32; ++j) r[j] = row < n && first + j < n ? s.column(first + j)[row] : 0.0;
    const double diagonal = row < n ? s.column(row)[row] : 1.0;
    double y = row < n ? s.solution[row] : 0.0;
#pragma unroll
    for (int j = 31; j >= 0; --j) {
      if (lane == j) y /= diagonal;
      const double known = __shfl_sync(whole_warp, y, j);
      if (lane < j) y -= r[j] * known;
    }
    if (row < n) s.solution[row] = y / s.basis.norms[row];
    for (int above = lane; above < first; above += 32) {
      double sum = 0.0;
#pragma unroll 8
      for (int j = 0; j < 32; ++j) {
        const double known = __shfl_sync(whole_warp, y, j);
        if (first + j < n) sum += s.column(first + j)[above] * known;
      }
      s.solution[above] -= sum;
    }
  }
}

}  // namespace hodge::linalg::cuda
