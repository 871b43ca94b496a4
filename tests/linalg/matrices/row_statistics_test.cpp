#include "linalg/matrices/row_statistics.hpp"

#include <gtest/gtest.h>

#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

template <class Space>
class RowStatisticsTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(RowStatisticsTest, tests::Spaces, tests::SpaceName);

TYPED_TEST(RowStatisticsTest, by_hand) {
  // Lengths 2, 0, 4, 1, 1: mean 1.6, mean square 4.4, variance 4.4 - 2.56.
  const auto a = tests::from_dense({{1, 0, 0, 1, 0, 0},
                                    {0, 0, 0, 0, 0, 0},
                                    {1, 0, 1, 1, 1, 0},
                                    {0, 0, 0, 0, 0, 1},
                                    {0, 1, 0, 0, 0, 0}})
                     .template in<TypeParam>();
  const RowStatistics& s = a->pattern().statistics();
  EXPECT_EQ(s.rows, 5);
  EXPECT_EQ(s.cols, 6);
  EXPECT_EQ(s.nonzeros, 8);
  EXPECT_EQ(s.empty_rows, 1);
  EXPECT_EQ(s.shortest, 0);
  EXPECT_EQ(s.longest, 4);
  EXPECT_DOUBLE_EQ(s.mean, 1.6);
  EXPECT_DOUBLE_EQ(s.deviation, std::sqrt(1.84));
  EXPECT_EQ(s.lower_bandwidth, 3);  // entry (4, 1)
  EXPECT_EQ(s.upper_bandwidth, 3);  // entry (0, 3)
  EXPECT_EQ(s.bandwidth(), 3);
}

TYPED_TEST(RowStatisticsTest, a_triangle_has_one_bandwidth_of_zero) {
  const auto lower = tests::from_dense({{1, 0, 0}, {1, 1, 0}, {1, 0, 1}}).template in<TypeParam>();
  EXPECT_EQ(lower->pattern().statistics().lower_bandwidth, 2);
  EXPECT_EQ(lower->pattern().statistics().upper_bandwidth, 0);
}

TYPED_TEST(RowStatisticsTest, a_matrix_without_rows_or_entries_has_only_zeros) {
  for (const int rows : {0, 3}) {
    const tests::HostMatrix nothing = tests::from_entries(rows, 4, {});
    const auto a = nothing.in<TypeParam>();
    const RowStatistics& s = a->pattern().statistics();
    EXPECT_EQ(s.rows, rows);
    EXPECT_EQ(s.empty_rows, rows);
    EXPECT_EQ(s.shortest, 0);
    EXPECT_EQ(s.longest, 0);
    EXPECT_EQ(s.mean, 0.0);
    EXPECT_EQ(s.deviation, 0.0);
    EXPECT_EQ(s.bandwidth(), 0);
  }
}

TYPED_TEST(RowStatisticsTest, stencil_of_many_rows) {
  const auto a = tests::poisson({70, 50, 1}).template in<TypeParam>();
  const RowStatistics& s = a->pattern().statistics();
  EXPECT_EQ(s.nonzeros, 5 * 3500 - 2 * 70 - 2 * 50);
  EXPECT_EQ(s.empty_rows, 0);
  EXPECT_EQ(s.shortest, 3);
  EXPECT_EQ(s.longest, 5);
  EXPECT_EQ(s.lower_bandwidth, 70);
  EXPECT_EQ(s.upper_bandwidth, 70);
  // 4 corners of 3, 232 other wall cells of 4, 3264 of 5 entries.
  const double mean = s.nonzeros / 3500.0;
  const double variance = (4 * 9.0 + 232 * 16.0 + 3264 * 25.0) / 3500 - mean * mean;
  EXPECT_NEAR(s.deviation, std::sqrt(variance), 1e-12);
}

}  // namespace
}  // namespace hodge::linalg
