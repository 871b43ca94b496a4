#include "linalg/host/rank_update.hpp"

#include <algorithm>

namespace hodge::linalg::host {

namespace {

// By strips of rows that stay in the L1 cache while all columns of C are updated.
template <class T>
inline __attribute__((always_inline)) void update(int rows, int cols, const T* a,
                                                  std::ptrdiff_t a_stride, const T* b, T* c,
                                                  std::ptrdiff_t c_stride) {
  constexpr int strip = 256;
  static_assert(rank_update_depth == 8);
  for (int first = 0; first < rows; first += strip) {
    const int count = std::min(strip, rows - first);
    const T *const a0 = a + first, *const a1 = a0 + a_stride, *const a2 = a1 + a_stride,
                   *const a3 = a2 + a_stride, *const a4 = a3 + a_stride, *const a5 = a4 + a_stride,
                   *const a6 = a5 + a_stride, *const a7 = a6 + a_stride;
    for (int j = 0; j < cols; ++j) {
      const T* const u = b + j * rank_update_depth;
      T* const __restrict column = c + first + j * c_stride;
      for (int i = 0; i < count; ++i) {
        T value = column[i];
        value -= a0[i] * u[0];
        value -= a1[i] * u[1];
        value -= a2[i] * u[2];
        value -= a3[i] * u[3];
        value -= a4[i] * u[4];
        value -= a5[i] * u[5];
        value -= a6[i] * u[6];
        value -= a7[i] * u[7];
        column[i] = value;
      }
    }
  }
}

template <class T>
inline __attribute__((always_inline)) void tile_product(int depth, const T* __restrict left,
                                                        const T* __restrict right,
                                                        T* __restrict sum) {
  T s[tile_cols][tile_rows] = {};
  for (int k = 0; k < depth; ++k) {
    for (int j = 0; j < tile_cols; ++j) {
      for (int i = 0; i < tile_rows; ++i) s[j][i] += left[i] * right[j];
    }
    left += tile_rows;
    right += tile_cols;
  }
  std::copy(&s[0][0], &s[0][0] + tile_rows * tile_cols, sum);
}

}  // namespace

HODGE_FOR_PROCESSORS
void multiply_tile(int depth, const double* left, const double* right, double* sum) {
  tile_product(depth, left, right, sum);
}
HODGE_FOR_PROCESSORS
void multiply_tile(int depth, const float* left, const float* right, float* sum) {
  tile_product(depth, left, right, sum);
}

HODGE_FOR_PROCESSORS
void rank_update(int rows, int cols, const double* a, std::ptrdiff_t a_stride, const double* b,
                 double* c, std::ptrdiff_t c_stride) {
  update(rows, cols, a, a_stride, b, c, c_stride);
}

HODGE_FOR_PROCESSORS
void rank_update(int rows, int cols, const float* a, std::ptrdiff_t a_stride, const float* b,
                 float* c, std::ptrdiff_t c_stride) {
  update(rows, cols, a, a_stride, b, c, c_stride);
}

}  // namespace hodge::linalg::host
