#include "linalg/multigrid/axis_plan.hpp"

#include <gtest/gtest.h>

namespace hodge::linalg::multigrid {
namespace {

const AxisShape box_of_6{6, false, {1, 1}};

TEST(AxisPlan, even_cells_are_pairs_and_wide_ones_stay_alone) {
  const std::vector<double> even_ones(5, 1.0);
  EXPECT_EQ(plan_axis(even_ones, box_of_6, 1.5).kind, AxisPlan::Kind::pairs);
  EXPECT_EQ(plan_axis(even_ones, box_of_6, 1.5).coarse_extent, 3);
  EXPECT_EQ(plan_axis(even_ones, box_of_6, 0.5).kind, AxisPlan::Kind::alone);
  EXPECT_EQ(plan_axis(even_ones, box_of_6, 0.5).coarse_extent, 6);
}

TEST(AxisPlan, thin_cells_are_joined_where_they_are) {
  // Widths 1 1 1 1 4 4.
  const AxisPlan plan = plan_axis({1, 1, 1, 2.5, 4}, box_of_6, 1.8);
  EXPECT_EQ(plan.kind, AxisPlan::Kind::listed);
  EXPECT_EQ(plan.first, (std::vector<int>{0, 2, 4, 5, 6}));
  EXPECT_EQ(plan.parent, (std::vector<int>{0, 0, 1, 1, 2, 3}));
  // Cell 3 is half a width from the centre of its pair, which is 3 from that of cell 4.
  EXPECT_EQ(plan.other, (std::vector<int>{0, 1, 0, 2, 2, 3}));
  EXPECT_FLOAT_EQ(plan.across[3], 0.5F / 3.0F);
  EXPECT_FLOAT_EQ(plan.across[2], 0.25F);
  EXPECT_EQ(plan.across[4], 0.0F);
  EXPECT_FLOAT_EQ(plan.scale[1], 0.5F);  // 1 apart, then 2
  EXPECT_FLOAT_EQ(plan.scale[3], 2.5F / 3.0F);
  EXPECT_EQ(plan.scale[4], 1.0F);
}

TEST(AxisPlan, a_pair_at_a_side_leans_on_what_is_beyond) {
  const AxisPlan plan = plan_axis({1, 1, 1, 2.5, 4}, {6, false, {-1, 1}}, 1.8);
  EXPECT_FLOAT_EQ(plan.own[0], 0.5F);
  EXPECT_EQ(plan.other[0], 0);
  EXPECT_EQ(plan.own[5], 1.0F);
}

TEST(AxisPlan, gathering_is_the_transpose_of_interpolation) {
  for (const bool periodic : {false, true}) {
    std::vector<double> s{1, 1, 3, 9, 2, 1, 1, 1, 5};
    if (periodic) s.push_back(1.5);
    const AxisShape axis{10, periodic, {-1, 1}};
    const AxisPlan plan = plan_axis(s, axis, 2);
    ASSERT_EQ(plan.kind, AxisPlan::Kind::listed);
    std::vector<std::vector<float>> forth(10, std::vector<float>(plan.coarse_extent, 0.0F));
    auto back = forth;
    for (std::size_t i = 0; i < 10; ++i) {
      forth[i][plan.parent[i]] += plan.own[i];
      forth[i][plan.other[i]] += plan.across[i];
    }
    for (int c = 0; c < plan.coarse_extent; ++c)
      for (int k = 0; k < 4; ++k) {
        const int i = plan.first[c] - 1 + k;
        if (periodic || (i >= 0 && i < 10)) back[(i + 10) % 10][c] += plan.gather[4 * c + k];
      }
    EXPECT_EQ(forth, back) << periodic;
  }
}

TEST(AxisPlan, slices_without_couplings_are_as_thin_as_the_thinnest) {
  const std::vector<double> s = spacings({2, 0, 4, 0});
  EXPECT_EQ(s[1], s[2]);
  EXPECT_EQ(s[3], s[2]);
  EXPECT_DOUBLE_EQ(s[0] / s[2], 2);
  EXPECT_DOUBLE_EQ(spread({2, 0, 4, 0}), 2);
}

TEST(AxisPlan, spacings_of_axes_are_comparable) {
  // Cells of 1 x 3: couplings 3 and 1/3.
  EXPECT_DOUBLE_EQ(spacings({1.0 / 3, 1.0 / 3})[0] / spacings({3, 3})[0], 3);
}

}  // namespace
}  // namespace hodge::linalg::multigrid
