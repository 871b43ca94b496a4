// The table of output fields, and what follows from it.
#include "sim/discrete/operators/output_fields.hpp"

#include <gtest/gtest.h>

namespace hodge::sim {
namespace {

using Names = std::vector<std::string>;

TEST(OutputFields, are_found_by_their_names) {
  for (const OutputField& row : output_field_table()) {
    EXPECT_EQ(find_output_field(row.name), &row);
    std::string visited;
    EXPECT_TRUE(with_output_field(row.name,
                                  [&](auto field) { visited = decltype(field)::row.description; }));
    EXPECT_EQ(visited, row.description);
  }
  EXPECT_EQ(find_output_field("heat"), nullptr);
  EXPECT_FALSE(with_output_field("heat", [](auto) {}));
}

TEST(OutputFields, have_three_components_of_a_velocity_and_one_of_a_scalar) {
  EXPECT_EQ(components_of("velocity", 2), 3);
  EXPECT_EQ(components_of("mean_velocity", 2), 3);
  EXPECT_EQ(components_of("vorticity", 2), 1);
  EXPECT_EQ(components_of("vorticity", 3), 3);
  EXPECT_EQ(components_of("heat", 2), 1);
  EXPECT_EQ(components_of("mean_heat", 3), 1);
}

TEST(OutputFields, whose_third_component_is_0_in_a_plane_do_not_compute_it) {
  EXPECT_EQ(computed_components_of("velocity", 2), 2);
  EXPECT_EQ(computed_components_of("mean_velocity", 3), 3);
  EXPECT_EQ(computed_components_of("vorticity", 3), 3);
  EXPECT_EQ(computed_components_of("pressure", 2), 1);
}

TEST(OutputFields, of_the_flow_and_scalars_have_means) {
  EXPECT_EQ(with_means({"velocity", "vorticity", "solid", "pressure", "heat"}),
            (Names{"velocity", "vorticity", "solid", "pressure", "heat", "mean_velocity",
                   "mean_pressure", "mean_heat"}));
  EXPECT_EQ(averaged_field("mean_heat"), "heat");
  EXPECT_EQ(averaged_field("heat"), std::nullopt);
}

TEST(OutputFields, of_probes_are_no_means_and_no_numbers_of_bodies) {
  EXPECT_EQ(fields_of_probes({"velocity", "mean_heat", "solid", "vorticity", "heat"}),
            (Names{"velocity", "vorticity", "heat"}));
}

}  // namespace
}  // namespace hodge::sim
