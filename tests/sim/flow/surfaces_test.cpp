// Pressure, friction and fluxes on sides of the box and on bodies.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "linalg/space/traffic.hpp"
#include "sim/discrete/probes/surface_faces.hpp"
#include "sim/flow/flow.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/sim_objects.hpp"
#include "tests/support/spaces.hpp"

namespace hodge {
namespace {

using sim::Point;
using sim::SideKind;

template <class Space>
class Surfaces : public tests::SpaceTest<Space> {
 protected:
  static sim::Settings settings(int dim) { return test::flow_settings_on<Space>(dim, 12, "bdf2"); }
};
TYPED_TEST_SUITE(Surfaces, tests::Spaces, tests::SpaceName);

// A flow of parabolic profile between the walls of a channel, driven by a force, with a scalar that
// grows linearly across it, and a weight that the pressure carries.
sim::Problem parabolic_channel(double viscosity) {
  sim::Problem problem;
  problem.density = 2;
  problem.viscosity = viscosity;
  for (const int axis : {0, 2}) problem.boundaries.set(axis, SideKind::periodic);
  problem.force[0] = 2 * viscosity;
  problem.force[1] = -3;
  problem.initial_velocity = [](Point x) { return std::array{x[1] * (1 - x[1]), 0.0, 0.0}; };
  problem.scalars.resize(1);
  problem.scalars[0].name = "heat";
  problem.scalars[0].diffusivity = 0.4;
  problem.scalars[0].initial = [](Point x) { return 1 - x[1]; };
  problem.scalars[0].sides[1] = {
      {{sim::ScalarSideKind::value, 1}, {sim::ScalarSideKind::value, 0}}};
  return problem;
}

// {column: values} of one surface.
std::map<std::string, std::vector<double>> values_on(const sim::Flow& flow,
                                                     const std::string& surface) {
  const auto sampler = flow.make_surface_sampler({surface});
  const std::size_t faces = sampler->points();
  std::vector<double> all(faces * sampler->columns().size());
  sampler->sample(all);
  std::map<std::string, std::vector<double>> values;
  auto next = all.begin();
  for (const std::string& column : sampler->columns()) {
    values[column].assign(next, next + static_cast<std::ptrdiff_t>(faces));
    next += static_cast<std::ptrdiff_t>(faces);
  }
  return values;
}

TYPED_TEST(Surfaces, of_walls_have_the_friction_pressure_and_flux_of_a_parabolic_channel) {
  constexpr double viscosity = 0.1;
  for (const int dim : {2, 3}) {
    const auto flow = sim::make_flow(this->settings(dim), parabolic_channel(viscosity));
    ASSERT_TRUE(flow->advance(0.01).ok);
    auto lower = values_on(*flow, "y_lower"), upper = values_on(*flow, "y_upper");
    const std::size_t faces = dim == 2 ? 12 : 144;
    ASSERT_EQ(lower["pressure"].size(), faces);
    for (std::size_t i = 0; i < faces; ++i) {
      EXPECT_NEAR(lower["friction_x"][i], 2 * viscosity, 1e-9);
      EXPECT_NEAR(upper["friction_x"][i], 2 * viscosity, 1e-9);
      EXPECT_NEAR(lower["pressure"][i] - upper["pressure"][i], 6, 1e-8);
      EXPECT_NEAR(lower["heat_flux"][i], 0.4, 1e-9);
      EXPECT_NEAR(upper["heat_flux"][i], -0.4, 1e-9);
      EXPECT_NEAR(lower["heat_value"][i], 1, 1e-12);
      EXPECT_NEAR(upper["heat_value"][i], 0, 1e-12);
      EXPECT_EQ(lower["friction_y"][i], 0);
      EXPECT_GT(lower["y_plus"][i], 0);
    }
  }
}

// A slab on the floor, which has no faces across the flow.
TYPED_TEST(Surfaces, of_a_slab_add_up_to_its_viscous_force) {
  sim::Problem problem = parabolic_channel(0.1);
  problem.solids = {{"slab", sim::BoxShape{{-1, 0, -1}, {2, 0.3, 2}}}};
  const auto flow = sim::make_flow(this->settings(2), problem);
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(flow->advance(0.02).ok);
  const std::vector<double> friction = values_on(*flow, "slab")["friction_x"];
  double sum = 0;
  for (const double f : friction) sum += f / 12;
  EXPECT_EQ(friction.size(), 12);
  EXPECT_NEAR(sum, flow->forces().at(0).viscous[0], 1e-12);
  EXPECT_GT(sum, 0);
}

// The slab reaches 4 of 12 cells, conducts 3 times as well as the fluid, and its surface resists.
TYPED_TEST(Surfaces, of_a_slab_that_conducts_have_the_values_on_both_sides) {
  sim::Problem problem = parabolic_channel(0.1);
  problem.solids = {{"slab", sim::BoxShape{{-1, 0, -1}, {2, 0.3, 2}}}};
  problem.solids[0].scalars = {
      {"heat", {}, sim::HeatInside{.conductivity = 1.2, .resistance = 0.1}, {}}};
  sim::Settings settings = this->settings(2);
  settings.scalars.tolerance = 1e-12;
  const auto flow = sim::make_flow(settings, problem);
  for (int k = 0; k < 30; ++k) ASSERT_TRUE(flow->advance(0.5).ok);
  const double flux = 1 / (1 / (3 * 1.2) + 0.1 + 2 / (3 * 0.4));
  auto slab = values_on(*flow, "slab"), upper = values_on(*flow, "y_upper");
  for (std::size_t i = 0; i < 12; ++i) {
    EXPECT_NEAR(slab["heat_flux"][i], flux, 1e-8);
    EXPECT_NEAR(slab["heat_value"][i], flux * 2 / (3 * 0.4), 1e-8);
    EXPECT_NEAR(slab["heat_inside"][i], 1 - flux / (3 * 1.2), 1e-8);
    EXPECT_NEAR(upper["heat_flux"][i], -flux, 1e-8);
    EXPECT_NEAR(upper["heat_value"][i], 0, 1e-12);
    EXPECT_EQ(upper["heat_inside"][i], upper["heat_value"][i]);
  }
}

TEST(SurfaceFaces, surround_a_body_and_leave_it_out_of_a_side) {
  const sim::Grid grid(test::flow_settings(2, 10).grid);
  sim::Problem problem;
  problem.solids = {{"block", sim::BoxShape{{0.3, 0}, {0.5, 0.3}}}};
  const std::vector<std::uint8_t> bodies = cell_bodies(grid, problem);
  const sim::FacedSurface block = surface_of(grid, problem, bodies, "block");
  EXPECT_EQ(block.faces.size(), 3 + 3 + 2);
  EXPECT_EQ(surface_of(grid, problem, bodies, "y_lower").faces.size(), 8);
  for (const sim::GridFace& face : block.faces) {
    const std::vector<Point> corners = corners_of(grid, face);
    ASSERT_EQ(corners.size(), 2);
    for (int d = 0; d < 2; ++d)
      EXPECT_NEAR(0.5 * (corners[0][d] + corners[1][d]), middle_of(grid, face)[d], 1e-14);
  }
  EXPECT_EQ(test::message_of<ConfigError>([&] { surface_of(grid, problem, bodies, "wing"); }),
            "'wing' is neither a side of the box nor a body");
}

}  // namespace
}  // namespace hodge
