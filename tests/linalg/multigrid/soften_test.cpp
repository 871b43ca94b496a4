// The coarse matrix of an aggregation: couplings are divided by the factor, the sum of a row stays
// where it is positive and is divided as well where it is not.
#include <gtest/gtest.h>

#include <array>

#include "linalg/multigrid/galerkin.hpp"

namespace hodge::linalg::multigrid {
namespace {

TEST(Softening, keeps_the_sums_of_rows) {
  const std::array<int, 4> offsets{0, 2, 5, 7};
  const std::array<int, 7> columns{0, 1, 0, 1, 2, 1, 2};
  std::array<double, 7> values{6, -2, -2, 5, -3, -3, 1};  // sums 4, 0 and -2
  CsrView<double> coarse{};
  coarse.rows = coarse.cols = 3;
  coarse.nonzeros = 7;
  coarse.row_offsets = offsets.data();
  coarse.columns = columns.data();
  soften<Host>(coarse, 2.0, values.data());
  EXPECT_EQ(values, (std::array<double, 7>{5, -1, -1, 2.5, -1.5, -1.5, 0.5}));
}

}  // namespace
}  // namespace hodge::linalg::multigrid
