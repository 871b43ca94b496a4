// Cuda space: transposes dense matrices tile by tile through shared memory, so that both sides are
// read and written in whole cache lines.
#include "linalg/cuda/device/runtime.hpp"
#include "linalg/space/instantiate.hpp"
#include "linalg/space/space.hpp"

namespace hodge::linalg {

namespace cuda {

namespace {

constexpr int width = 32;      // of a tile
constexpr int block_rows = 8;  // a thread moves width / block_rows entries of it

// One column more than needed, so that a warp that reads a column hits different banks.
template <class T>
using Tile = T[width][width + 1];

// tile[j][i] = in(row + i, col + j)
template <class T>
__device__ void load_tile(int rows, int cols, const T* in, std::size_t ld, long long row,
                          long long col, Tile<T>& tile) {
  for (int j = threadIdx.y; j < width; j += block_rows) {
    if (row + threadIdx.x < rows && col + j < cols)
      tile[j][threadIdx.x] = in[(row + threadIdx.x) + (col + j) * ld];
  }
}

// out(row + i, col + j) = tile[i][j]
template <class T>
__device__ void store_transposed(int rows, int cols, T* out, std::size_t ld, long long row,
                                 long long col, const Tile<T>& tile) {
  for (int j = threadIdx.y; j < width; j += block_rows) {
    if (row + threadIdx.x < rows && col + j < cols)
      out[(row + threadIdx.x) + (col + j) * ld] = tile[threadIdx.x][j];
  }
}

template <class T>
__global__ void transpose_kernel(int rows, int cols, const T* in, std::size_t ld_in, T* out,
                                 std::size_t ld_out) {
  __shared__ Tile<T> tile;
  const long long row = static_cast<long long>(blockIdx.x) * width;
  const long long stride = static_cast<long long>(gridDim.y) * width;
  for (long long col = static_cast<long long>(blockIdx.y) * width; col < cols; col += stride) {
    load_tile(rows, cols, in, ld_in, row, col, tile);
    __syncthreads();
    store_transposed(cols, rows, out, ld_out, col, row, tile);
    __syncthreads();
  }
}

// A block below the diagonal moves its tile and the mirror image; a block above does nothing.
template <class T>
__global__ void transpose_in_place_kernel(int n, T* a, std::size_t ld) {
  __shared__ Tile<T> lower, upper;
  const long long row = static_cast<long long>(blockIdx.x) * width;
  const long long col = static_cast<long long>(blockIdx.y) * width;
  if (row < col) return;
  load_tile(n, n, a, ld, row, col, lower);
  if (row != col) load_tile(n, n, a, ld, col, row, upper);
  __syncthreads();
  store_transposed(n, n, a, ld, col, row, lower);
  if (row != col) store_transposed(n, n, a, ld, row, col, upper);
}

unsigned tiles(int n, int most) {
  return static_cast<unsigned>(blocks_for(n, width, most));
}

}  // namespace

}  // namespace cuda

template <>
template <class T>
void DensePrimitives<Cuda>::transpose(int rows, int cols, const T* in, std::size_t ld_in, T* out,
                                      std::size_t ld_out) {
  if (rows == 0 || cols == 0) return;
  const dim3 grid(cuda::tiles(rows, 1 << 30), cuda::tiles(cols, 65535));
  cuda::launch_kernel("transpose_kernel", cuda::transpose_kernel<T>, grid,
                      dim3(cuda::width, cuda::block_rows), rows, cols, in, ld_in, out, ld_out);
}

template <>
template <class T>
void DensePrimitives<Cuda>::transpose_in_place(int n, T* a, std::size_t ld) {
  if (n == 0) return;
  const unsigned tiles = cuda::tiles(n, 65535);  // 2 million rows, beyond the memory of any GPU
  cuda::launch_kernel("transpose_in_place_kernel", cuda::transpose_in_place_kernel<T>,
                      dim3(tiles, tiles), dim3(cuda::width, cuda::block_rows), n, a, ld);
}

HODGE_FOR_BOTH_VALUES(HODGE_TRANSPOSE, Cuda)

}  // namespace hodge::linalg
