// Threads that walk along the last axis of a box, each over a column of some cells.
#pragma once

#include "linalg/cuda/loops.cuh"

namespace hodge::linalg::cuda {

// Cells of a column: few where the walks would not fill the GPU.
inline int column_depth(long long cells) {
  constexpr long long threads = 400000;
  const long long depth = cells / threads;
  return static_cast<int>(depth < 1 ? 1 : depth > 32 ? 32 : depth);
}

struct ColumnLaunch {
  dim3 grid, threads;
  int depth;
};

// One thread a column over the other axes.
template <int Dim>
ColumnLaunch column_launch(const Index<Dim>& extent, long long cells) {
  const int depth = column_depth(cells);
  unsigned width = Dim == 2 ? 128 : 32;
  while (width > 1 && width / 2 >= static_cast<unsigned>(extent[0])) width /= 2;
  const unsigned height = Dim == 2 ? 1 : loop_threads / width < 8 ? loop_threads / width : 8;
  const auto blocks = [](int n, unsigned count) {
    return static_cast<unsigned>(blocks_for(n, static_cast<int>(count), 1 << 30));
  };
  const unsigned layers = blocks(extent[Dim - 1], static_cast<unsigned>(depth));
  return {Dim == 2 ? dim3(blocks(extent[0], width), layers)
                   : dim3(blocks(extent[0], width), blocks(extent[1], height), layers),
          dim3(width, height), depth};
}

// The first cell of a thread's column; false where it is outside of the box.
template <int Dim>
__device__ bool column_start(const Index<Dim>& extent, int depth, Index<Dim>& c) {
  c[0] = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (Dim == 3) c[1] = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  c[Dim - 1] = static_cast<int>(Dim == 2 ? blockIdx.y : blockIdx.z) * depth;
  return c[0] < extent[0] && (Dim == 2 || c[1] < extent[1]);
}

}  // namespace hodge::linalg::cuda
