#include "tools/hodge/validate/report.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace hodge::tools {
namespace {

const Profile line{{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}};

PublishedProfile published(double bound) {
  return {.quantity = "u",
          .points = {{0.5, 0.5}, {1.5, 1.75}, {2.5, 2.4}},
          .bound = absolute(bound),
          .source = "somebody, 1982"};
}

TEST(CompareProfile, judges_the_point_that_is_farthest_off) {
  Report report("profile");
  compare_profile(report, "Re 100", line, published(0.3));
  ASSERT_EQ(report.rows().size(), 1u);
  EXPECT_DOUBLE_EQ(report.rows()[0].measured, 1.5);
  EXPECT_DOUBLE_EQ(report.rows()[0].published.value(), 1.75);
  EXPECT_TRUE(report.passed());
  EXPECT_EQ(report.comparisons().size(), 3u);
  EXPECT_EQ(report.figures()[0].curves.size(), 2u);
}

TEST(CompareProfile, fails_where_one_point_is_too_far_off_or_no_number) {
  Report report("profile");
  compare_profile(report, "Re 100", line, published(0.2));
  EXPECT_FALSE(report.passed());
  Report broken("broken");
  Profile lost = line;
  lost[0].value = std::nan("");
  compare_profile(broken, "Re 100", lost, published(0.3));
  EXPECT_FALSE(broken.passed());
}

}  // namespace
}  // namespace hodge::tools
