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

TEST(OutputFields, of_the_flow_and_scalars_have_statistics) {
  EXPECT_EQ(with_statistics({"velocity", "vorticity", "solid", "pressure", "heat"}),
            (Names{"velocity", "vorticity", "solid", "pressure", "heat", "mean_velocity",
                   "mean_pressure", "mean_heat", "rms_velocity", "rms_pressure", "rms_heat",
                   "reynolds_stress", "flux_heat"}));
  EXPECT_EQ(averaged_field("mean_heat"), "heat");
  EXPECT_EQ(averaged_field("rms_heat"), std::nullopt);
  EXPECT_EQ(averaged_field("heat"), std::nullopt);
  EXPECT_EQ(find_statistic("flux_heat")->kind, StatisticKind::flux);
  EXPECT_EQ(find_statistic("flux_heat")->of, "heat");
  EXPECT_EQ(find_statistic("reynolds_stress")->kind, StatisticKind::stress);
  EXPECT_FALSE(find_statistic("speed"));
}

TEST(OutputFields, that_statistics_have_without_a_choice_are_means_stresses_and_fluxes) {
  EXPECT_EQ(usual_statistics({"velocity", "pressure", "speed", "heat"}),
            (Names{"mean_velocity", "mean_pressure", "mean_heat", "reynolds_stress", "rms_heat",
                   "flux_heat"}));
}

TEST(OutputFields, of_a_symmetric_tensor_are_six_and_of_a_flux_three) {
  EXPECT_EQ(components_of("reynolds_stress", 2), 6);
  EXPECT_EQ(components_of("reynolds_stress", 3), 6);
  EXPECT_EQ(components_of("flux_heat", 2), 3);
  EXPECT_EQ(components_of("rms_velocity", 3), 3);
  EXPECT_EQ(components_of("rms_heat", 3), 1);
  EXPECT_EQ(components_of("speed", 3), 1);
}

TEST(OutputFields, of_probes_are_no_means_and_no_numbers_of_bodies) {
  EXPECT_EQ(fields_of_probes({"velocity", "mean_heat", "solid", "vorticity", "heat"}),
            (Names{"velocity", "vorticity", "heat"}));
  EXPECT_EQ(fields_of_probes({"speed", "rms_heat", "reynolds_stress"}), (Names{"speed"}));
}

TEST(OutputFields, of_all_probes_are_not_those_that_others_give) {
  EXPECT_EQ(usual_fields_of_probes({"velocity", "speed", "q_criterion", "strain_rate", "heat"}),
            (Names{"velocity", "heat"}));
}

}  // namespace
}  // namespace hodge::sim
