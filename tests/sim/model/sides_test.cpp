// The vocabulary of sides, as far as its rows must fit each other.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sim/model/boundaries.hpp"

namespace hodge::sim {
namespace {

TEST(Sides, have_names_of_their_own) {
  std::set<std::string> kinds, conditions;
  for (const SideTraits& row : side_kind_table()) EXPECT_TRUE(kinds.insert(row.name).second);
  for (const ScalarConditionTraits& row : scalar_condition_table())
    EXPECT_TRUE(conditions.insert(row.name).second);
}

TEST(Sides, say_all_three_of_velocity_along_passage_and_scalars) {
  for (const SideTraits& row : side_kind_table()) {
    EXPECT_NE(row.along, Condition::none) << row.name;
    EXPECT_EQ(row.is_periodic(), row.along == Condition::periodic) << row.name;
    EXPECT_EQ(row.is_periodic(), row.scalars == Condition::periodic) << row.name;
    // What fluid enters with must be known: its velocity in full, and each scalar.
    EXPECT_TRUE(!row.is_inflow() || (row.takes_velocity() && row.takes_scalar_condition()));
    // A scalar's own condition holds, or the row says why there can be none.
    const bool own = row.scalars == Condition::none || row.takes_entering_value();
    EXPECT_EQ(own, row.takes_scalar_condition()) << row.name;
  }
}

TEST(Sides, are_known_by_their_traits) {
  EXPECT_TRUE(traits_of(SideKind::wall).moves_in_plane());
  EXPECT_FALSE(traits_of(SideKind::inflow).moves_in_plane());
  EXPECT_FALSE(traits_of(SideKind::slip).takes_velocity());
  EXPECT_TRUE(traits_of(SideKind::slip).is_closed());
  for (const SideKind kind : {SideKind::outflow, SideKind::pressure})
    EXPECT_TRUE(traits_of(kind).is_open());
  EXPECT_TRUE(traits_of(SideKind::pressure).takes_entering_value());
}

TEST(Sides, of_the_box_are_named_by_axis_and_end) {
  std::string names;
  for (const auto [axis, side] : sides_of_box(2)) names += side_name(axis, side) + " ";
  EXPECT_EQ(names, "x_lower x_upper y_lower y_upper ");
}

}  // namespace
}  // namespace hodge::sim
