#include "linalg/multigrid/aggregation.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

namespace hodge::linalg::multigrid {
namespace {

// Of a chain coupled by -2 and -1 the first two rows choose each other, and the third is left.
TEST(Aggregation, a_row_that_is_left_joins_the_pair_of_its_strongest_neighbour) {
  const std::array<int, 4> offsets{0, 1, 3, 4};
  const std::array<int, 4> columns{1, 0, 2, 1};
  const std::array<double, 4> values{-2, -2, -1, -1};
  CsrView<double> a{};
  a.rows = a.cols = 3;
  a.nonzeros = 4;
  a.row_offsets = offsets.data();
  a.columns = columns.data();
  a.values = values.data();
  std::array<int, 3> aggregate{};
  EXPECT_EQ(aggregate_pairs<Host>(a, aggregate.data()), 1);
  EXPECT_EQ(aggregate, (std::array<int, 3>{0, 0, 0}));
}

TEST(Aggregation, hashes_of_pairs_differ_and_are_those_of_both_orders) {
  std::set<unsigned> hashes;
  for (int i = 0; i < 100; ++i)
    for (int j = 0; j < i; ++j) {
      EXPECT_EQ(hash_of_pair(i, j), hash_of_pair(j, i));
      hashes.insert(hash_of_pair(i, j));
    }
  EXPECT_EQ(hashes.size(), 100U * 99 / 2);
}

}  // namespace
}  // namespace hodge::linalg::multigrid
