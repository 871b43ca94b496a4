// The chunks of a GPU's sums over the cells of a box, as far as the places for cuts depend on them.
//
// A chunk is `repeats` tiles across the axes below the last one, times chunk_layers indices of the
// last axis. Chunks begin at multiples of these lengths, wherever a box begins. So parts of a box
// that is cut there have the chunks of the whole, if they know how wide it is: SummingOver tells
// them. Along the axes of a plane its chunks divide those of the box. In 1D a chunk is `line_chunk`
// indices.
#pragma once

#include <algorithm>
#include <array>
#include <climits>

namespace hodge::linalg {

inline constexpr int chunk_layers = 8, line_chunk = 2048;

// How the loop_threads threads of a block lie over a box.
struct Tile {
  unsigned width, height, depth;  // along axes 0, 1, 2
};

inline constexpr int loop_threads = 256;  // a block; warps lie along axis 0

class SumTiles {
 public:
  // extent: of the whole box along its axes; those beyond `dim` are not read.
  SumTiles(int dim, const std::array<int, 3>& extent) : dim_(dim), tile_(tile_across(dim, extent)) {
    const int below = dim > 1 ? dim - 2 : 0;
    while (count_across(extent) > most_across() && length(below) < extent[below]) repeats_ *= 2;
  }

  const Tile& tile() const { return tile_; }
  // Of the tile in a chunk, along the axis below the last one.
  int repeats() const { return repeats_; }
  // Indices of an axis in a chunk.
  int length(int axis) const {
    if (axis == dim_ - 1) return dim_ == 1 ? line_chunk : chunk_layers;
    const auto threads = static_cast<int>(axis == 0 ? tile_.width : tile_.height);
    return axis == dim_ - 2 ? threads * repeats_ : threads;
  }

  // The chunks of a plane across axis 0 of a 3D box divide `of_box` along the plane: threads that
  // do not fit lie across it, and idle. Those of other planes do so anyway.
  void divide(const SumTiles& of_box) {
    while (static_cast<int>(tile_.height) > of_box.length(1)) tile_.height /= 2, tile_.width *= 2;
    while (length(1) > of_box.length(1)) repeats_ /= 2;
  }

 private:
  int most_across() const { return dim_ == 2 ? 64 : 1024; }  // chunks of a group of layers
  int count_across(const std::array<int, 3>& extent) const {
    long long across = 1;
    for (int d = 0; d + 1 < dim_; ++d) across *= (1LL * extent[d] + length(d) - 1) / length(d);
    return static_cast<int>(std::min<long long>(across, INT_MAX));
  }

  // Threads lie along the last axis, too, where layers are small, so that more blocks are busy: a
  // thread has one index in small layers, four in larger ones, and otherwise eight.
  static Tile tile_across(int dim, const std::array<int, 3>& box) {
    if (dim == 1) return {1, 1, loop_threads};
    const auto extent = static_cast<unsigned>(box[0]);
    const long long size = extent * (dim == 3 ? 1LL * box[1] : 1LL);
    const auto covered = [extent](unsigned width) { return (extent + width - 1) / width * width; };
    unsigned width = 64, depth = 1;
    if (dim == 3) {
      depth = size <= 32 * 32 ? chunk_layers : size <= 64 * 64 ? 2 : 1;
      if (depth == chunk_layers || covered(32) < covered(64)) width = 32;
      while (width > 1 && width / 2 >= extent) width /= 2;
      return {width, loop_threads / (width * depth), depth};
    }
    width = size <= 256 ? 32 : size <= 512 ? 128 : 256;
    while (width > 32 && covered(width) - extent > extent / 8) width /= 2;
    return {width, 1, loop_threads / width};
  }

  int dim_;
  Tile tile_;
  int repeats_ = 1;
};

namespace detail {
inline thread_local std::array<int, 3> summed_extents{};
}

// While this object lives, the boxes of sums that the calling thread asks for are parts of a box
// with these extents, or differ from it by an index at its ends.
class SummingOver {
 public:
  explicit SummingOver(const std::array<int, 3>& extents) : before_(detail::summed_extents) {
    detail::summed_extents = extents;
  }
  ~SummingOver() { detail::summed_extents = before_; }
  SummingOver(const SummingOver&) = delete;
  SummingOver& operator=(const SummingOver&) = delete;

  // Of a sum over a box, or over a plane of it, with one index along its normal.
  static SumTiles tiles_for(int dim, const std::array<int, 3>& extents) {
    const std::array<int, 3>& whole = detail::summed_extents;
    std::array<int, 3> summed = extents;
    for (std::size_t d = 0; d < 3; ++d)
      if (whole[d] > 0 && extents[d] > 1) summed[d] = whole[d];
    SumTiles tiles(dim, summed);
    if (dim == 3 && extents[0] == 1 && whole[0] > 1) tiles.divide(SumTiles(dim, whole));
    return tiles;
  }

 private:
  std::array<int, 3> before_;
};

}  // namespace hodge::linalg
