// The chunks of sums over the cells of a box (base/sum_tiles.hpp).
#pragma once

#include "linalg/base/index.hpp"
#include "linalg/base/sum_tiles.hpp"
#include "linalg/cuda/device/runtime.hpp"

namespace hodge::linalg::cuda {

using linalg::loop_threads;
using linalg::Tile;

template <int Dim>
struct ReductionTiles {
  static constexpr int last = Dim - 1, below = Dim > 1 ? Dim - 2 : 0;

  Box<Dim> box;
  Tile tile;
  int repeats;      // of the tile in a chunk, along the axis below the last one
  int length[Dim];  // indices of each axis in a chunk
  int first[Dim];   // chunk along each axis: chunk k begins at index k length
  int count[Dim];   // of chunks

  explicit ReductionTiles(const Box<Dim>& over) : ReductionTiles(over, tiles_of(over)) {}
  long long all() const {
    long long tiles = 1;
    for (int d = 0; d < Dim; ++d) tiles *= count[d];
    return tiles;
  }

  // f(c) for the indices of a thread in a chunk. Chunks that follow one another lie along the last
  // axis, where the layers between them are read from the L1 cache.
  template <class F>
  __device__ void for_each(int chunk, F f) const {
    Index<Dim> c;
    const int group = chunk % count[last];
    chunk /= count[last];
#pragma unroll
    for (int d = 0; d < last; ++d) {
      const unsigned thread = d == 0 ? threadIdx.x : threadIdx.x / tile.width % tile.height;
      c[d] = (first[d] + chunk % count[d]) * length[d] +
             static_cast<int>(d == 0 ? thread % tile.width : thread);
      chunk /= count[d];
    }
    const int begin = (first[last] + group) * length[last];
    const int end = min(begin + length[last], box.upper[last]);
    for (int r = 0; r < repeats; ++r) {
      bool inside = true;
#pragma unroll
      for (int d = 0; d < last; ++d) inside = inside && c[d] >= box.lower[d] && c[d] < box.upper[d];
      c[last] = begin + static_cast<int>(threadIdx.x / (tile.width * tile.height));
      for (; inside && c[last] < end; c[last] += static_cast<int>(tile.depth))
        if (c[last] >= box.lower[last]) f(c);
      if constexpr (Dim > 1) c[below] += static_cast<int>(below == 0 ? tile.width : tile.height);
    }
  }

 private:
  ReductionTiles(const Box<Dim>& over, const SumTiles& tiles)
      : box(over), tile(tiles.tile()), repeats(tiles.repeats()), length{}, first{}, count{} {
    for (int d = 0; d < Dim; ++d) {
      length[d] = tiles.length(d);
      first[d] = chunk_of(over.lower[d], length[d]);
      count[d] = over.extent(d) == 0 ? 0 : chunk_of(over.upper[d] - 1, length[d]) - first[d] + 1;
    }
  }
  static SumTiles tiles_of(const Box<Dim>& over) {
    std::array<int, 3> extents{1, 1, 1};
    for (int d = 0; d < Dim; ++d) extents[static_cast<std::size_t>(d)] = over.extent(d);
    return SummingOver::tiles_for(Dim, extents);
  }
  static int chunk_of(int index, int length) {
    return index >= 0 ? index / length : -((-index - 1) / length) - 1;
  }
};

}  // namespace hodge::linalg::cuda
