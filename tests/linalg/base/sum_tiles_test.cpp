// The chunks of sums on GPUs, which nothing but a GPU makes: here their lengths alone.
#include "linalg/base/sum_tiles.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace hodge::linalg {
namespace {

using Extents = std::array<int, 3>;

std::vector<Extents> boxes() {
  std::vector<Extents> found;
  for (const int nx : {3, 8, 20, 33, 64, 100, 256, 1500})
    for (const int ny : {3, 8, 31, 64, 200, 2000})
      for (const int nz : {3, 8, 65, 512}) found.push_back({nx, ny, nz});
  return found;
}

// Boxes of two axes have one along the third one.
Extents of_dim(int dim, Extents box) {
  for (auto d = static_cast<std::size_t>(dim); d < 3; ++d) box[d] = 1;
  return box;
}

TEST(SumTiles, lengths_are_powers_of_two_and_use_all_threads) {
  for (const int dim : {2, 3})
    for (const Extents& box : boxes()) {
      const SumTiles tiles = SummingOver::tiles_for(dim, of_dim(dim, box));
      const Tile& tile = tiles.tile();
      EXPECT_EQ(tile.width * tile.height * tile.depth, static_cast<unsigned>(loop_threads));
      for (int d = 0; d < dim; ++d) EXPECT_EQ(tiles.length(d) & (tiles.length(d) - 1), 0);
    }
}

TEST(SumTiles, a_part_has_the_chunks_of_its_box) {
  for (const int dim : {2, 3})
    for (const Extents& box : boxes()) {
      const Extents whole = of_dim(dim, box);
      const SumTiles of_box = SummingOver::tiles_for(dim, whole);
      Extents part = whole;
      for (std::size_t d = 0; d < static_cast<std::size_t>(dim); ++d) part[d] = (part[d] + 1) / 2;
      const SummingOver summing(whole);
      for (int d = 0; d < dim; ++d)
        EXPECT_EQ(SummingOver::tiles_for(dim, part).length(d), of_box.length(d));
    }
}

// Cuts of the box are at multiples of its chunks, and have to be such of the plane's, too.
TEST(SumTiles, chunks_of_planes_divide_those_of_the_box) {
  for (const int dim : {2, 3})
    for (const Extents& box : boxes()) {
      const Extents whole = of_dim(dim, box);
      const SummingOver summing(whole);
      const SumTiles of_box = SummingOver::tiles_for(dim, whole);
      for (int normal = 0; normal < dim; ++normal) {
        Extents plane = whole;
        plane[static_cast<std::size_t>(normal)] = 1;
        const SumTiles of_plane = SummingOver::tiles_for(dim, plane);
        const Tile& tile = of_plane.tile();
        EXPECT_EQ(tile.width * tile.height * tile.depth, static_cast<unsigned>(loop_threads));
        for (int d = 0; d < dim; ++d) {
          if (d == normal) continue;
          EXPECT_EQ(of_box.length(d) % of_plane.length(d), 0)
              << whole[0] << " x " << whole[1] << " x " << whole[2] << ", plane across axis "
              << normal << ", axis " << d << ": " << of_plane.length(d) << " in "
              << of_box.length(d);
        }
      }
    }
}

}  // namespace
}  // namespace hodge::linalg
