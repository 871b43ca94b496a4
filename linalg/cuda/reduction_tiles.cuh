// The chunks of sums over the cells of a box.
#pragma once

#include <algorithm>
#include <climits>

#include "linalg/base/index.hpp"
#include "linalg/cuda/runtime.hpp"

namespace hodge::linalg::cuda {

inline constexpr int loop_threads = 256;  // a block; warps lie along axis 0

// How the loop_threads threads of a block lie over a box.
struct Tile {
  unsigned width, height, depth;  // along axes 0, 1, 2
};

// The chunks of a reduction over a box: tiles across the axes below the last one, times groups of
// `chunk_layers` indices of the last axis, which begin at its multiples wherever the box begins. So
// parts of a box that was cut there have the chunks of the whole. A tile depends on the extents
// across alone, which all parts share. In 1D a chunk is `line_chunk` indices.
inline constexpr int chunk_layers = 8, line_chunk = 2048;

template <int Dim>
struct ReductionTiles {
  static constexpr int last = Dim - 1, below = Dim > 1 ? Dim - 2 : 0;

  Box<Dim> box;
  Tile tile;
  int repeats;     // of the tile in a chunk, along the axis below the last one
  int count[Dim];  // chunks along each axis
  int first_group;

  explicit ReductionTiles(const Box<Dim>& over)
      : box(over),
        tile(tile_across(over)),
        repeats(1),
        count{},
        first_group(group_of(over.lower[last])) {
    while (count_across() > most_across && length(below) < box.extent(below)) repeats *= 2;
    const bool empty = box.extent(last) <= 0;
    count[last] = empty ? 0 : group_of(box.upper[last] - 1) - first_group + 1;
  }
  long long all() const {
    long long tiles = 1;
    for (int d = 0; d < Dim; ++d) tiles *= count[d];
    return tiles;
  }

  // f(c) for the indices of a thread in a chunk. Chunks that follow one another lie along the last
  // axis, where the layers between them are read from the L1 cache.
  template <class F>
  __device__ void for_each(int chunk, F f) const {
    Index<Dim> c = box.lower;
    const int group = chunk % count[last];
    chunk /= count[last];
#pragma unroll
    for (int d = 0; d < last; ++d) {
      const unsigned thread = d == 0 ? threadIdx.x : threadIdx.x / tile.width % tile.height;
      c[d] +=
          chunk % count[d] * length(d) + static_cast<int>(d == 0 ? thread % tile.width : thread);
      chunk /= count[d];
    }
    const int begin = (first_group + group) * of_group();
    const int end = min(begin + of_group(), box.upper[last]);
    for (int r = 0; r < repeats; ++r) {
      bool inside = true;
#pragma unroll
      for (int d = 0; d < last; ++d) inside = inside && c[d] < box.upper[d];
      c[last] = begin + static_cast<int>(threadIdx.x / (tile.width * tile.height));
      for (; inside && c[last] < end; c[last] += static_cast<int>(tile.depth))
        if (c[last] >= box.lower[last]) f(c);
      if constexpr (Dim > 1) c[below] += threads(below);
    }
  }

 private:
  static constexpr int most_across = Dim == 2 ? 64 : 1024;  // chunks of a group of layers

  // Indices of the last axis in a chunk.
  __host__ __device__ static constexpr int of_group() {
    return Dim == 1 ? line_chunk : chunk_layers;
  }
  static int group_of(int i) {
    return i >= 0 ? i / of_group() : -((-i - 1) / of_group()) - 1;
  }
  __host__ __device__ int threads(int d) const {
    return static_cast<int>(d == 0 ? tile.width : tile.height);
  }
  __host__ __device__ int length(int d) const {
    return d == last - 1 ? threads(d) * repeats : threads(d);
  }
  int count_across() {
    long long across = 1;
    for (int d = 0; d < last; ++d) {
      count[d] = static_cast<int>((1LL * box.extent(d) + length(d) - 1) / length(d));
      across *= count[d];
    }
    return static_cast<int>(std::min<long long>(across, INT_MAX));
  }

  // Threads lie along the last axis, too, where layers are small, so that more blocks are busy: a
  // thread has one index in small layers, four in larger ones, and otherwise eight.
  static Tile tile_across(const Box<Dim>& box) {
    if (Dim == 1) return {1, 1, loop_threads};
    const auto extent = static_cast<unsigned>(box.extent(0));
    const long long size = extent * (Dim == 3 ? 1LL * box.extent(Dim - 2) : 1LL);
    const auto covered = [extent](unsigned width) { return (extent + width - 1) / width * width; };
    unsigned width = 64, depth = 1;
    if (Dim == 3) {
      depth = size <= 32 * 32 ? chunk_layers : size <= 64 * 64 ? 2 : 1;
      if (depth == chunk_layers || covered(32) < covered(64)) width = 32;
      while (width > 1 && width / 2 >= extent) width /= 2;
      return {width, loop_threads / (width * depth), depth};
    }
    width = size <= 256 ? 32 : size <= 512 ? 128 : 256;
    while (width > 32 && covered(width) - extent > extent / 8) width /= 2;
    return {width, 1, loop_threads / width};
  }
};

}  // namespace hodge::linalg::cuda
