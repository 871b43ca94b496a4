// Kernels for many small systems: Gaussian elimination in registers.
#pragma once

#include "linalg/cuda/dense/pivot_candidate.cuh"

namespace hodge::linalg::cuda {

inline constexpr int batched_threads = 128;

// The value of lane `lane` of the group.
template <class T>
__device__ T shuffle(T v, int lane, int width) {
  return __shfl_sync(0xffffffffu, v, lane, width);
}

// Width lanes per system, n <= Width, one row per lane. `solves`: the column of its pivot.
template <class T, int Width>
__global__ void __launch_bounds__(batched_threads)
    batched_rows_kernel(int n, int count, T* a, T* b, int* singular) {
  const int lane = threadIdx.x % Width;
  const long long system =
      (static_cast<long long>(blockIdx.x) * batched_threads + threadIdx.x) / Width;
  const bool is_row = system < count && lane < n;
  T* const matrix = a + system * n * n;
  T row[Width];
#pragma unroll
  for (int k = 0; k < Width; ++k) row[k] = is_row && k < n ? matrix[lane + k * n] : T(0);
  T right = is_row ? b[system * n + lane] : T(0);
  int solves = is_row ? Width : -1, pivot_of[Width], bad = -1;
#pragma unroll
  for (int c = 0; c < Width; ++c) {
    if (c < n) {
      const bool is_free = solves == Width;
      const Candidate pivot =
          best_of_lanes<Width>(is_free ? Candidate{magnitude_key(row[c]), lane} : Candidate{});
      if (bad < 0 && (pivot.key == 0 || !is_finite_key(pivot.key, T{}))) bad = c;
      pivot_of[c] = pivot.position % Width;
      if (lane == pivot_of[c] && is_free) solves = c;
      const T top = shuffle(row[c], pivot_of[c], Width);
      const T multiplier = solves == Width ? row[c] / top : T(0);
#pragma unroll
      for (int k = c + 1; k < Width; ++k) {
        row[k] -= multiplier * shuffle(row[k], pivot_of[c], Width);
      }
      right -= multiplier * shuffle(right, pivot_of[c], Width);
    }
  }
#pragma unroll
  for (int c = Width - 1; c >= 0; --c) {
    if (c < n) {
      if (solves == c) right /= row[c];
      const T x = shuffle(right, pivot_of[c], Width);
      if (solves >= 0 && solves < c) right -= row[c] * x;
    }
  }
  if (is_row) b[system * n + solves % Width] = right;
  if (system < count && lane == 0) singular[system] = bad;
}

// One thread per system of N unknowns; rows are exchanged in registers by selection.
template <class T, int N>
__global__ void __launch_bounds__(batched_threads)
    batched_thread_kernel(int count, const T* a, T* b, int* singular) {
  const long long system = static_cast<long long>(blockIdx.x) * batched_threads + threadIdx.x;
  if (system >= count) return;
  const T* const matrix = a + system * N * N;
  T* const rhs = b + system * N;
  T m[N][N + 1];  // rows, the right side last
#pragma unroll
  for (int k = 0; k < N; ++k) {
#pragma unroll
    for (int i = 0; i < N; ++i) m[i][k] = matrix[i + k * N];
    m[k][N] = rhs[k];
  }
  int bad = -1;
#pragma unroll
  for (int c = 0; c < N; ++c) {
#pragma unroll
    for (int i = c + 1; i < N; ++i) {  // afterwards row c has the largest entry, as after a search
      const bool larger = magnitude_key(m[i][c]) > magnitude_key(m[c][c]);
#pragma unroll
      for (int k = c; k <= N; ++k) {
        const T upper = m[c][k], lower = m[i][k];
        m[c][k] = larger ? lower : upper;
        m[i][k] = larger ? upper : lower;
      }
    }
    const unsigned long long key = magnitude_key(m[c][c]);
    if (bad < 0 && (key == 0 || !is_finite_key(key, T{}))) bad = c;
#pragma unroll
    for (int i = c + 1; i < N; ++i) {
      const T multiplier = m[i][c] / m[c][c];
#pragma unroll
      for (int k = c + 1; k <= N; ++k) m[i][k] -= multiplier * m[c][k];
    }
  }
#pragma unroll
  for (int c = N - 1; c >= 0; --c) {
    T x = m[c][N];
#pragma unroll
    for (int k = c + 1; k < N; ++k) x -= m[c][k] * m[k][N];
    m[c][N] = x / m[c][c];
    rhs[c] = m[c][N];
  }
  singular[system] = bad;
}

}  // namespace hodge::linalg::cuda
