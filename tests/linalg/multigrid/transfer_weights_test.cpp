// Interpolation along an axis whose two sides differ: beyond the lower one the values change their
// sign, beyond the upper one they go on.
#include "linalg/multigrid/transfer_weights.hpp"

#include <gtest/gtest.h>

#include "linalg/multigrid/axis_plan.hpp"
#include "linalg/multigrid/transfer_cells.hpp"
#include "linalg/multigrid/transfer_layers.hpp"

namespace hodge::linalg::multigrid {
namespace {

Coarsening<2> pairs_of(int fine, int coarse) {
  Coarsening<2> to{};
  to.fine.extent = {{fine, fine}};
  to.coarse.extent = {{coarse, coarse}};
  to.fine.beyond[0][0] = to.coarse.beyond[0][0] = -1;
  to.fine.beyond[0][1] = to.coarse.beyond[0][1] = 1;
  to.axis[0].pairs = true;
  return to;
}

void expect_weights(const AxisWeights<double>& weights, int parent, int other, double own,
                    double across) {
  EXPECT_EQ(weights.parent, parent);
  EXPECT_EQ(weights.other, other);
  EXPECT_EQ(weights.own, own);
  EXPECT_EQ(weights.across, across);
}

TEST(TransferWeights, of_pairs_know_each_side_of_the_axis) {
  const Coarsening<2> to = pairs_of(8, 4);
  expect_weights(axis_weights<double>(to, 0, 0), 0, 0, 0.5, 0);
  expect_weights(axis_weights<double>(to, 0, 1), 0, 1, 0.75, 0.25);
  expect_weights(axis_weights<double>(to, 0, 2), 1, 0, 0.75, 0.25);
  expect_weights(axis_weights<double>(to, 0, 7), 3, 3, 1, 0);
  expect_weights(axis_weights<double>(to, 1, 5), 5, 5, 1, 0);  // an axis that is not coarsened
}

// Column C of the gather is row C of the interpolation's transpose.
TEST(TransferWeights, gather_by_the_transpose_of_the_interpolation) {
  const Coarsening<2> to = pairs_of(8, 4);
  for (int C = 0; C < 4; ++C) {
    const AxisGather<double> gather = axis_gather<double>(to, 0, C);
    for (int i = 0; i < 8; ++i) {
      const AxisWeights<double> weights = axis_weights<double>(to, 0, i);
      const double wanted =
          (weights.parent == C ? weights.own : 0) + (weights.other == C ? weights.across : 0);
      double found = 0;
      for (int k = 0; k < 4; ++k) found += gather.at[k] == i ? gather.weight[k] : 0;
      EXPECT_EQ(found, wanted) << C << ' ' << i;
    }
  }
}

// Of 7 cells the last stays alone beside a side with a value: its centre is that of its coarse
// cell, 1.5 cells from that of the last pair. The plan of uneven cells says the same.
TEST(TransferWeights, of_an_odd_number_of_cells_know_the_last_one_alone) {
  Coarsening<2> to = pairs_of(7, 4);
  to.fine.beyond[0][1] = to.coarse.beyond[0][1] = -1;
  AxisPlan plan;
  plan.first = {0, 2, 4, 6, 7};
  plan.coarse_extent = 4;
  list_parents({7, false, {-1, -1}}, plan);
  interpolate_between_parents(std::vector<double>(6, 1.0), plan);
  for (int i = 0; i < 7; ++i) {
    const AxisWeights<double> weights = axis_weights<double>(to, 0, i);
    const auto at = static_cast<std::size_t>(i);
    EXPECT_EQ(weights.parent, plan.parent[at]) << i;
    EXPECT_EQ(weights.other, plan.other[at]) << i;
    EXPECT_FLOAT_EQ(static_cast<float>(weights.own), plan.own[at]) << i;
    EXPECT_FLOAT_EQ(static_cast<float>(weights.across), plan.across[at]) << i;
    if (i == 1 || i == 3 || i == 5) {  // faces between coarse cells
      EXPECT_FLOAT_EQ(static_cast<float>(to.face_scale(0, i)), plan.scale[at]) << i;
    }
  }
  EXPECT_EQ(to.side_scale(0, 0), 0.5);
  EXPECT_EQ(to.side_scale(0, 3), 1.0);
}

// Beside a side without a gradient it is half of a pair with its mirror image.
TEST(TransferWeights, of_an_odd_number_of_cells_mirror_the_last_one_at_a_wall) {
  const Coarsening<2> to = pairs_of(7, 4);
  expect_weights(axis_weights<double>(to, 0, 5), 2, 3, 0.75, 0.25);
  expect_weights(axis_weights<double>(to, 0, 6), 3, 2, 0.75, 0.25);
  EXPECT_EQ(to.face_scale(0, 5), 0.5);
}

// In a ring the cell alone has a pair on each side.
TEST(TransferWeights, of_an_odd_ring_are_linear_on_both_sides_of_the_cell_alone) {
  Coarsening<2> to = pairs_of(7, 4);
  to.fine.periodic[0] = to.coarse.periodic[0] = true;
  const double third = 1.0 / 3;
  expect_weights(axis_weights<double>(to, 0, 0), 0, 3, 2 * third, third);
  expect_weights(axis_weights<double>(to, 0, 1), 0, 1, 0.75, 0.25);
  expect_weights(axis_weights<double>(to, 0, 5), 2, 3, 2 * third, third);
  expect_weights(axis_weights<double>(to, 0, 6), 3, 3, 1, 0);
  for (const int i : {5, 6}) EXPECT_EQ(to.face_scale(0, i), 2 * third);
  for (int C = 0; C < 4; ++C) {
    const AxisGather<double> gather = axis_gather<double>(to, 0, C);
    double sum = 0, wanted = 0;
    for (int k = 0; k < 4; ++k) sum += gather.weight[k];
    for (int i = 0; i < 7; ++i) {
      const AxisWeights<double> weights = axis_weights<double>(to, 0, i);
      wanted += (weights.parent == C ? weights.own : 0) + (weights.other == C ? weights.across : 0);
    }
    EXPECT_DOUBLE_EQ(sum, wanted) << C;
  }
}

// A coarse cell is without an unknown, axes are rings or not.
TEST(TransferCells, restrict_by_the_transpose_of_the_interpolation) {
  for (const int rings : {0, 1, 2, 3}) {
    Coarsening<2> to = pairs_of(8, 4);
    to.axis[1].pairs = true;
    to.fine.extent[1] = 4;
    to.coarse.extent[1] = 2;
    for (const int d : {0, 1}) to.fine.periodic[d] = to.coarse.periodic[d] = (rings >> d & 1) != 0;
    std::vector<double> inverse(8, 1.0), fine(32, 0.0);
    inverse[static_cast<std::size_t>(to.coarse.position({{1, 0}}))] = 0;
    for (int position = 0; position < 32; ++position) {
      const Index<2> c{{position % 8, position / 8}};
      std::vector<double> wanted(8, 0.0), found;
      for_each_weight<2, double>(to, inverse.data(), c, [&](const Index<2>& C, double weight) {
        wanted[static_cast<std::size_t>(to.coarse.position(C))] += weight;
      });
      fine[static_cast<std::size_t>(position)] = 1;
      for (int C = 0; C < 8; ++C)
        found.push_back(
            restricted<2, double>(to, inverse.data(), fine.data(), Index<2>{{C % 4, C / 4}}));
      fine[static_cast<std::size_t>(position)] = 0;
      EXPECT_EQ(found, wanted) << rings << ": " << position;
    }
  }
}

TEST(TransferLayers, of_a_ring_go_on_in_its_next_turn) {
  Coarsening<2> to = pairs_of(8, 4);
  to.axis[1].pairs = true;
  to.fine.periodic[1] = to.coarse.periodic[1] = true;
  const auto parents_of = [&](const Layers& fine) {
    const Layers coarse = parents(to, fine);
    return std::pair(coarse.begin, coarse.end);
  };
  EXPECT_EQ(parents_of({2, 5}), std::pair(1, 3));
  EXPECT_EQ(parents_of({-3, 11}), std::pair(-2, 6));
  EXPECT_EQ(parents_of({-1, 8}), std::pair(-1, 4));
}

// Spacings 1, 2, 1, 4, 1: cells 0 and 1, 2 and 3, 4 and 5 are pairs, whose centres lie 3 and 5
// apart.
TEST(TransferWeights, of_uneven_cells_are_linear_between_the_centres_of_their_pairs) {
  const std::vector<double> spacing{1, 2, 1, 4, 1};
  const AxisPlan plan = plan_axis(spacing, {6, false, {-1, 1}}, 1.5);
  ASSERT_EQ(plan.kind, AxisPlan::Kind::listed);
  EXPECT_EQ(plan.first, (std::vector<int>{0, 2, 4, 6}));
  EXPECT_EQ(plan.parent, (std::vector<int>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(plan.other, (std::vector<int>{0, 1, 0, 2, 1, 2}));
  const std::vector<float> across{0, 0.5F / 3, 0.5F / 3, 0.1F, 0.1F, 0};
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_FLOAT_EQ(plan.across[i], across[i]) << i;
    EXPECT_FLOAT_EQ(plan.own[i], i == 0 ? 0.5F : 1 - across[i]) << i;
  }
  EXPECT_FLOAT_EQ(plan.scale[1], 2.0F / 3);  // the coupling between the pairs, over their distance
  EXPECT_FLOAT_EQ(plan.scale[3], 4.0F / 5);
}

}  // namespace
}  // namespace hodge::linalg::multigrid
