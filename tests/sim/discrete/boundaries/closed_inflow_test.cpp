#include "sim/discrete/boundaries/closed_inflow.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using test::grid_of;
using test::uniform;
using testing::HasSubstr;
using Cells = std::vector<std::uint8_t>;

constexpr std::array<bool, 3> closed{false, false, false};

Side inflow(const char* normal, int axis = 0) {
  Side side{SideKind::inflow, {}};
  side.velocity[axis] = Expression::parse(normal);
  return side;
}

// 4 x 4 cells of a unit box, inflow from the left, with these sides to the right.
struct Channel {
  explicit Channel(Side right, Cells bodies = Cells(16, 0)) {
    boundaries.sides[0] = {inflow("1"), std::move(right)};
    regions = fluid_regions(grid, bodies, closed);
  }
  ClosedInflow found() const { return closed_inflow(grid, boundaries, regions); }
  std::string complaint(double t = 0) const {
    const ClosedInflow all = found();
    return imbalance(all, passing_fluxes(grid, boundaries, all, t), t).value_or("");
  }

  Grid grid = grid_of({uniform(4, 1), uniform(4, 1)});
  Boundaries boundaries;
  FluidRegions regions;
};

constexpr const char* hint = "; give it an open side, or let as much out as in";

TEST(ClosedInflow, there_is_none_where_the_fluid_reaches_an_open_side) {
  const Channel channel({SideKind::outflow});
  EXPECT_FALSE(channel.found().any());
  EXPECT_EQ(channel.complaint(), "");
}

TEST(ClosedInflow, a_box_without_an_open_side_is_one_region) {
  const Channel channel(inflow("0.5"));
  const ClosedInflow found = channel.found();
  ASSERT_EQ(found.regions.size(), 1U);
  EXPECT_EQ(found.regions[0].cells, 16);
  EXPECT_EQ(found.regions[0].inflow_area, 2.0);
  EXPECT_EQ(found.sides.size(), 2U);
  EXPECT_EQ(
      channel.complaint(),
      std::string(
          "the fluid reaches no open side (outflow, pressure) and its inflow does not balance: "
          "x_lower lets 1 in, x_upper lets 0.5 out, so that 0.5 more enters than "
          "leaves (of 1.5 that pass; 1 % may be missing)") +
          hint);
}

TEST(ClosedInflow, regions_without_cells_of_their_own_are_the_whole_box) {
  Channel channel(inflow("0.5"));
  const std::string with_cells = channel.complaint();
  channel.regions = {};
  EXPECT_EQ(channel.found().regions[0].cells, 16);
  EXPECT_EQ(channel.complaint(), with_cells);
}

TEST(ClosedInflow, the_error_of_sampling_is_allowed) {
  EXPECT_EQ(Channel(inflow("1.02")).complaint(), "");
  EXPECT_THAT(Channel(inflow("1.03")).complaint(), HasSubstr("0.03 more leaves than enters"));
}

TEST(ClosedInflow, a_wall_through_the_channel_leaves_a_region_that_is_named) {
  const Channel channel({SideKind::outflow}, {0, 0, 1, 0,  //
                                              0, 0, 1, 0,  //
                                              0, 0, 1, 0,  //
                                              0, 0, 1, 0});
  EXPECT_EQ(channel.complaint(),
            std::string(
                "the region of 8 cells between (0, 0) and (0.5, 1) reaches no open side "
                "(outflow, pressure) and its inflow does not balance: x_lower lets 1 in, so that 1 "
                "more enters than leaves (of 1 that pass; 1 % may be missing)") +
                hint);
}

TEST(ClosedInflow, a_corner_is_no_way_out) {
  const Channel channel({SideKind::outflow}, {0, 1, 1, 0,  //
                                              0, 1, 1, 0,  //
                                              1, 0, 0, 0,  //
                                              1, 0, 0, 0});
  EXPECT_THAT(channel.complaint(),
              HasSubstr("the region of 2 cells between (0, 0) and (0.25, 0.5) "
                        "reaches no open side (outflow, pressure) and its inflow does "
                        "not balance: x_lower lets 0.5 in"));
}

TEST(ClosedInflow, a_solid_over_the_whole_outflow_closes_it) {
  const Channel channel({SideKind::outflow}, {0, 0, 0, 1,  //
                                              0, 0, 0, 1,  //
                                              0, 0, 0, 1,  //
                                              0, 0, 0, 1});
  EXPECT_THAT(channel.complaint(),
              HasSubstr("the fluid reaches no open side (outflow, pressure) and its "
                        "inflow does not balance: x_lower lets 1 in"));
}

TEST(ClosedInflow, covered_faces_let_nothing_pass) {
  const Cells half{1, 0, 0, 0,  //
                   1, 0, 0, 0,  //
                   0, 0, 0, 0,  //
                   0, 0, 0, 0};
  EXPECT_THAT(Channel(inflow("1"), half).complaint(),
              HasSubstr("x_lower lets 0.5 in, x_upper lets 1 out, so that 0.5 more leaves than "
                        "enters (of 1.5 that pass; 1 % may be missing)"));
  EXPECT_EQ(Channel(inflow("0.5"), half).complaint(), "");
}

TEST(ClosedInflow, every_region_balances_on_its_own) {
  const Cells floor{0, 0, 0, 0,  //
                    1, 1, 1, 1,  //
                    0, 0, 0, 0,  //
                    0, 0, 0, 0};
  EXPECT_EQ(Channel(inflow("1"), floor).found().regions.size(), 2U);
  EXPECT_EQ(Channel(inflow("1"), floor).complaint(), "");
  const Channel crossed(inflow("y < 0.3 ? 3 : 0.25"), floor);  // 1.25 out, 0.75 in
  EXPECT_THAT(crossed.complaint(), HasSubstr("the region of 4 cells between (0, 0) and (1, 0.25)"));
}

TEST(ClosedInflow, formulas_of_t_are_looked_at_at_their_time) {
  const Channel channel(inflow("1 + t"));
  EXPECT_TRUE(channel.found().changes);
  EXPECT_EQ(channel.complaint(0), "");
  EXPECT_THAT(channel.complaint(0.5), HasSubstr("its inflow does not balance at t = 0.5: x_lower "
                                                "lets 1 in, x_upper lets 1.5 out"));
}

TEST(ClosedInflow, what_is_no_number_does_not_balance) {
  const std::string complaint = Channel(inflow("1/t")).complaint(0);
  EXPECT_THAT(complaint, HasSubstr("does not balance at t = 0"));
  EXPECT_THAT(complaint, HasSubstr("inf"));
}

TEST(ClosedInflow, rounding_of_flows_that_turn_is_no_imbalance) {
  const Channel channel(inflow("1"));
  const ClosedInflow found = channel.found();
  const std::vector<PassingFlux> turning{{-1e-17, 1e-17}, {3e-17, 3e-17}};
  const std::vector<double> rounding{1e-12};
  EXPECT_TRUE(imbalance(found, turning, 0).has_value());
  EXPECT_FALSE(imbalance(found, turning, 0, rounding).has_value());
}

}  // namespace
}  // namespace hodge::sim
