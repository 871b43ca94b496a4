// Host space: many small systems, divided among OpenMP threads.
#include "linalg/space/batched_gauss.hpp"

#include <cmath>
#include <utility>

#include "linalg/host/loops.hpp"

namespace hodge::linalg {

namespace {

// The row of the largest entry of column c from row c down; a NaN counts as the largest.
template <class T>
int find_pivot(int n, const T* a, int c) {
  int pivot = c;
  for (int i = c + 1; i < n; ++i) {
    const T value = std::abs(a[i + c * n]), best = std::abs(a[pivot + c * n]);
    if (value > best || (std::isnan(value) && !std::isnan(best))) pivot = i;
  }
  return pivot;
}

// Returns the first column without a usable pivot, or -1.
template <class T>
int solve_one(int n, T* a, T* b) {
  int bad = -1;
  for (int c = 0; c < n; ++c) {
    const int pivot = find_pivot(n, a, c);
    const T top = a[pivot + c * n];
    if (bad < 0 && (top == T(0) || !std::isfinite(top))) bad = c;
    if (pivot != c) {
      for (int k = c; k < n; ++k) std::swap(a[c + k * n], a[pivot + k * n]);
      std::swap(b[c], b[pivot]);
    }
    for (int i = c + 1; i < n; ++i) {
      a[i + c * n] /= top;
      b[i] -= a[i + c * n] * b[c];
    }
    for (int k = c + 1; k < n; ++k) {
      for (int i = c + 1; i < n; ++i) a[i + k * n] -= a[i + c * n] * a[c + k * n];
    }
  }
  for (int c = n - 1; c >= 0; --c) {
    b[c] /= a[c + c * n];
    for (int i = 0; i < c; ++i) b[i] -= a[i + c * n] * b[c];
  }
  return bad;
}

}  // namespace

template <class Space, class T>
void solve_batched(int n, int count, T* a, T* b, int* singular) {
  check_batch(n, count);
  const long long operations = static_cast<long long>(count) * n * n * n;
  [[maybe_unused]] const bool parallel = operations > host::parallel_threshold;
#pragma omp parallel for schedule(static) if (parallel)
  for (int k = 0; k < count; ++k) {
    const auto first = static_cast<std::ptrdiff_t>(k) * n;
    singular[k] = solve_one(n, a + first * n, b + first);
  }
}

template void solve_batched<Host>(int, int, double*, double*, int*);
template void solve_batched<Host>(int, int, float*, float*, int*);

}  // namespace hodge::linalg
