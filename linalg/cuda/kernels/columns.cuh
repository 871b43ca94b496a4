// Threads that go along the last axis of a box, each over a column of some cells.
#pragma once

#include "linalg/base/layers.hpp"
#include "linalg/cuda/kernels/loops.cuh"

namespace hodge::linalg::cuda {

inline constexpr int most_blocks_across = 65535;  // of a launch, along its axes 1 and 2

// Cells per column: few if the columns would not fill the GPU otherwise, more if a launch cannot
// have so many columns along the last axis.
inline int column_depth(long long cells, int extent) {
  constexpr long long threads = 400000, longest = 32;
  const long long depth = cells / threads, least = blocks_for(extent, most_blocks_across, extent);
  const long long wanted = depth < 1 ? 1 : depth > longest ? longest : depth;
  return static_cast<int>(wanted < least ? least : wanted);
}

struct ColumnLaunch {
  dim3 grid, threads;
  int depth;
};

// One thread per column of these layers.
template <int Dim>
ColumnLaunch column_launch(const Index<Dim>& extent, const Layers& layers) {
  long long cells = layers.count();
  for (int d = 0; d + 1 < Dim; ++d) cells *= extent[d];
  const int depth = column_depth(cells, layers.count());
  int width = Dim == 2 ? 128 : 32, height = Dim == 2 ? 1 : 8;
  while (width > 1 && width / 2 >= extent[0]) width /= 2;
  const auto blocks = [](int n, int count) { return blocks_for(n, count, 1 << 30); };
  while (Dim == 3 && width * height < loop_threads &&
         blocks(extent[1], height) > most_blocks_across)
    height *= 2;
  const int columns = blocks(extent[0], width), along = blocks(layers.count(), depth);
  return {Dim == 2 ? dim3(columns, along) : dim3(columns, blocks(extent[1], height), along),
          dim3(width, height), depth};
}

// The first cell of a thread's column, of layers from `first` on; false where it is outside of the
// box.
template <int Dim>
__device__ bool column_start(const Index<Dim>& extent, int first, int depth, Index<Dim>& c) {
  c[0] = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (Dim == 3) c[1] = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  c[Dim - 1] = first + static_cast<int>(Dim == 2 ? blockIdx.y : blockIdx.z) * depth;
  return c[0] < extent[0] && (Dim == 2 || c[1] < extent[1]);
}

}  // namespace hodge::linalg::cuda
