// Host space: transposes dense matrices tile by tile, so that both sides stay in the cache.
#include <algorithm>
#include <utility>

#include "linalg/space/instantiate.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg {

namespace {

constexpr int width = 32;  // of a tile
constexpr long long few_tiles = 16;

int tiles(int n) {
  return n / width + (n % width != 0 ? 1 : 0);
}

}  // namespace

template <>
template <class T>
void DensePrimitives<Host>::transpose(int rows, int cols, const T* in, std::size_t ld_in, T* out,
                                      std::size_t ld_out) {
  const long long all = static_cast<long long>(tiles(rows)) * tiles(cols);
#pragma omp parallel for schedule(static) if (all > few_tiles)
  for (long long tile = 0; tile < all; ++tile) {
    const std::size_t row = static_cast<std::size_t>(tile % tiles(rows)) * width;
    const std::size_t col = static_cast<std::size_t>(tile / tiles(rows)) * width;
    const std::size_t last_row = std::min<std::size_t>(row + width, rows);
    const std::size_t last_col = std::min<std::size_t>(col + width, cols);
    for (std::size_t i = row; i < last_row; ++i) {
      for (std::size_t j = col; j < last_col; ++j) out[j + i * ld_out] = in[i + j * ld_in];
    }
  }
}

// Each tile below the diagonal changes places with its mirror image above.
template <>
template <class T>
void DensePrimitives<Host>::transpose_in_place(int n, T* a, std::size_t ld) {
  const long long all = static_cast<long long>(tiles(n)) * tiles(n);
#pragma omp parallel for schedule(dynamic, 8) if (all > few_tiles)
  for (long long tile = 0; tile < all; ++tile) {
    const std::size_t row = static_cast<std::size_t>(tile % tiles(n)) * width;
    const std::size_t col = static_cast<std::size_t>(tile / tiles(n)) * width;
    const std::size_t last_row = std::min<std::size_t>(row + width, n);
    for (std::size_t i = row; i < last_row; ++i) {
      const std::size_t last_col = std::min(col + width, i);  // strictly below the diagonal
      for (std::size_t j = col; j < last_col; ++j) std::swap(a[i + j * ld], a[j + i * ld]);
    }
  }
}

HODGE_FOR_BOTH_VALUES(HODGE_TRANSPOSE, Host)

}  // namespace hodge::linalg
