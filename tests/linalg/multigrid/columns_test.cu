// The launch shapes of kernels along columns, which are computed without a GPU.
#include "linalg/cuda/kernels/columns.cuh"

#include <gtest/gtest.h>

#include <string>

namespace hodge::linalg::cuda {
namespace {

template <int Dim>
void expect_a_launch_that_covers(const Index<Dim>& extent) {
  SCOPED_TRACE(std::to_string(extent[0]) + " x " + std::to_string(extent[1]) + " x " +
               std::to_string(Dim == 3 ? extent[Dim - 1] : 1));
  const ColumnLaunch launch = column_launch(extent, {0, extent[Dim - 1]});
  const long long layers = Dim == 2 ? launch.grid.y : launch.grid.z;
  EXPECT_LE(launch.grid.y, 65535u);
  EXPECT_LE(launch.grid.z, 65535u);
  EXPECT_LE(launch.threads.x * launch.threads.y * launch.threads.z,
            static_cast<unsigned>(loop_threads));
  EXPECT_GE(static_cast<long long>(launch.grid.x) * launch.threads.x, extent[0]);
  if (Dim == 3) {
    EXPECT_GE(static_cast<long long>(launch.grid.y) * launch.threads.y, extent[1]);
  }
  EXPECT_GE(layers * launch.depth, extent[Dim - 1]);
  EXPECT_LT((layers - 1) * launch.depth, extent[Dim - 1]);
}

TEST(Columns, boxes_of_any_shape_fit_a_launch) {
  for (const Index<2>& extent :
       {Index<2>{1, 1}, {8, 8}, {2048, 2048}, {1, 65536}, {8, 70000}, {3, 1000000}, {1000000, 3}})
    expect_a_launch_that_covers(extent);
  for (const Index<3>& extent :
       {Index<3>{1, 1, 1}, {256, 256, 256}, {5, 7, 3}, {2, 2, 300000}, {2, 600000, 2}})
    expect_a_launch_that_covers(extent);
}

// The launch shapes with which the figures of large grids were measured.
TEST(Columns, large_grids_are_walked_far_and_small_ones_are_not) {
  EXPECT_EQ(column_launch(Index<3>{256, 256, 256}, {0, 256}).depth, 32);
  EXPECT_EQ(column_launch(Index<2>{2048, 2048}, {0, 2048}).depth, 10);
  EXPECT_EQ(column_launch(Index<3>{64, 64, 64}, {0, 64}).depth, 1);
}

}  // namespace
}  // namespace hodge::linalg::cuda
