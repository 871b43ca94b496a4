// The force on a body by the balance of momentum: the same from every box around it, that of the
// surface where the flow is steady, and the buoyancy of a body in a fluid at rest.
#include "sim/time/control_volumes.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "sim/flow/flow.hpp"
#include "sim/model/schemes.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/sim_objects.hpp"
#include "tests/support/spaces.hpp"
#include "tests/support/state_copy.hpp"

namespace hodge {
namespace {

using sim::BodyForce;
using sim::Point;
using sim::SideKind;

template <class Space>
class ControlVolumes : public tests::SpaceTest<Space> {
 protected:
  // Stretched along y; a wall below, which the larger box reaches.
  static sim::Settings settings(const std::string& scheme, int dim, bool larger) {
    sim::Settings settings = test::flow_settings_on<Space>(dim, dim == 2 ? 24 : 16, scheme);
    settings.grid.axes[1].stretching = "tanh";
    settings.grid.axes[1].strength = 1.2;
    settings.pressure.tolerance = settings.transport.tolerance = 1e-14;
    settings.forces.emplace();
    if (larger) settings.forces->boxes = {{"block", {0.05, 0, -0.2}, {0.93, 0.88, 0.6}}};
    return settings;
  }
  static std::unique_ptr<sim::Flow> flow_of(const std::string& scheme, int dim, bool larger,
                                            const sim::Problem& problem) {
    return sim::make_flow(settings(scheme, dim, larger), problem);
  }
};
TYPED_TEST_SUITE(ControlVolumes, tests::Spaces, tests::SpaceName);

// A gust of warm fluid past a block in a channel, periodic along z, where the block begins.
sim::Problem past_a_block(int dim) {
  sim::Problem problem;
  problem.density = 3;
  problem.viscosity = 0.02;
  problem.boundaries.sides[0][0] = {SideKind::inflow, {1, 0, 0}};
  problem.boundaries.sides[0][0].velocity[0] = sim::Expression::parse("1 + sin(9*t)", {});
  problem.boundaries.sides[0][1] = {SideKind::outflow};
  problem.boundaries.sides[1][1] = {SideKind::slip};
  problem.boundaries.set(2, SideKind::periodic);
  problem.initial_velocity = [](Point x) {
    return std::array{1 + 0.3 * std::sin(7 * x[1]), 0.4 * std::cos(6 * x[0]), 0.3 * x[1]};
  };
  problem.force[1] = sim::Expression::parse("0.5*x - t", {});
  problem.scalars.resize(1);
  problem.scalars[0].name = "c";
  problem.scalars[0].diffusivity = 0.01;
  problem.scalars[0].initial = [](Point x) { return x[0] * x[1]; };
  problem.scalars[0].buoyancy = {0, 2, 0};
  problem.solids = {{"block", sim::BoxShape{{0.38, 0.34, 0}, {0.6, 0.62, dim == 2 ? 1.0 : 0.3}}}};
  return problem;
}

BodyForce force_after(sim::Flow& flow, int steps) {
  constexpr double sizes[] = {0.004, 0.003, 0.005};
  for (int k = 0; k < steps; ++k) {
    const sim::StepReport report = flow.advance(sizes[k % 3]);
    EXPECT_TRUE(report.ok) << report.failure;
  }
  return flow.forces().at(0);
}

double size_of(const std::array<double, 3>& force) {
  return std::hypot(force[0], force[1], force[2]);
}

TYPED_TEST(ControlVolumes, of_two_sizes_agree_in_every_scheme_while_the_flow_changes) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table())
    for (const int dim : {2, 3}) {
      SCOPED_TRACE(std::string(scheme.name) + " in " + std::to_string(dim) + "D");
      std::array<double, 3> force[2];
      for (const bool larger : {false, true}) {
        const auto flow = this->flow_of(scheme.name, dim, larger, past_a_block(dim));
        force[larger] = force_after(*flow, 4).control.value();
      }
      EXPECT_GT(size_of(force[0]), 0.1);
      for (int d = 0; d < dim; ++d)
        EXPECT_NEAR(force[0][d], force[1][d], 1e-10 * size_of(force[0])) << "along " << d;
    }
}

TYPED_TEST(ControlVolumes, agree_with_the_surface_where_the_flow_is_steady) {
  sim::Problem problem = past_a_block(2);
  problem.boundaries.sides[0][0].velocity[0] = 1;
  problem.force[1] = 0;
  problem.scalars.clear();
  problem.viscosity = 0.2;
  const auto flow = this->flow_of("backward_euler", 2, false, problem);
  for (int k = 0; k < 60; ++k) ASSERT_TRUE(flow->advance(0.2).ok);
  const BodyForce force = flow->forces().at(0);
  for (int d = 0; d < 2; ++d)
    EXPECT_NEAR(force.pressure[d] + force.viscous[d], (*force.control)[d],
                1e-6 * size_of(*force.control));
}

TYPED_TEST(ControlVolumes, give_the_buoyancy_of_a_body_in_a_fluid_at_rest) {
  sim::Problem problem;
  problem.density = 1000;
  problem.viscosity = 1e-3;
  problem.force[1] = -9.81;
  problem.solids = {{"ball", sim::SphereShape{{0.45, 0.5, 0.5}, 0.16}}};
  for (const int dim : {2, 3}) {
    const auto flow = this->flow_of("rk3", dim, false, problem);
    const BodyForce force = force_after(*flow, 2);
    const double weight = 9.81 * 1000 * flow->body_frames().at(0).volume;
    EXPECT_NEAR((*force.control)[1], weight, 1e-8 * weight);
    EXPECT_NEAR(force.pressure[1] + force.viscous[1], weight, 1e-8 * weight);
    EXPECT_NEAR(size_of(force.pressure_moment), 0, 1e-8 * weight);
  }
}

TYPED_TEST(ControlVolumes, go_on_from_a_state_bit_for_bit) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table()) {
    SCOPED_TRACE(scheme.name);
    const auto whole = this->flow_of(scheme.name, 2, true, past_a_block(2));
    force_after(*whole, 3);
    const auto later = this->flow_of(scheme.name, 2, true, past_a_block(2));
    test::StateCopy copy;
    whole->visit_state(copy);
    copy.restoring = true;
    later->visit_state(copy);
    EXPECT_EQ(force_after(*whole, 2).control, force_after(*later, 2).control);
  }
}

TEST(BodyFrames, are_refused_or_said_where_no_box_fits) {
  sim::Settings settings = test::flow_settings(2, 24);
  sim::Problem problem = past_a_block(2);
  settings.forces.emplace();
  const auto message = [&] {
    return test::message_of<ConfigError>([&] { (void)sim::make_flow(settings, problem); });
  };
  settings.forces->boxes = {{"wing", {0, 0}, {1, 1}}};
  EXPECT_EQ(message(), "forces.boxes[0].body is 'wing', expected the name of a body: block");
  settings.forces->boxes = {{"block", {0, 0}, {0.9, 0.9}}};
  EXPECT_EQ(message(),
            "forces.boxes[0] is no box around block alone: it reaches x_lower, through which fluid "
            "passes");
  settings.forces->boxes = {{"block", {0.3, 0.2}, {0.62, 0.8}}};
  EXPECT_EQ(message(),
            "forces.boxes[0] is no box around block alone: it has less than 2 cells between its "
            "faces and block along x");
  settings.forces->boxes.clear();
  problem.solids.push_back({"near", sim::BoxShape{{0.66, 0.4}, {0.8, 0.5}}});
  const auto flow = sim::make_flow(settings, problem);
  EXPECT_EQ(flow->body_frames().at(0).without_box, "near is in it or beside it");
  EXPECT_FALSE(force_after(*flow, 1).control.has_value());
}

// The larger box has a porous body, too, whose drag is rho nu d times the integral of u.
TYPED_TEST(ControlVolumes, count_the_drag_of_a_porous_body_within) {
  const sim::Region region{sim::BoxShape{{0.625, 0.25, 0}, {0.75, 0.75, 1}}};
  sim::Problem problem = past_a_block(2);
  problem.solids = {{"block", sim::BoxShape{{0.25, 0.375, 0}, {0.375, 0.625, 1}}}};
  problem.resistances.porous = {{region, 500}};
  double force[2] = {}, drag = 0;
  for (const double upper : {0.5, 0.875}) {
    sim::Settings settings = test::flow_settings_on<TypeParam>(2, 32, "bdf2");
    settings.pressure.tolerance = settings.transport.tolerance = 1e-13;
    settings.forces.emplace();
    settings.forces->boxes = {{"block", {0.125, 0.125, 0}, {upper, 0.875, 1}}};
    const auto flow = sim::make_flow(settings, problem);
    force[upper > 0.5] = force_after(*flow, 6).control->at(0);
    std::vector<Point> middles;
    for (int i = 20; i < 24; ++i)
      for (int j = 8; j < 24; ++j) middles.push_back({(i + 0.5) / 32, (j + 0.5) / 32, 0});
    drag = 0;
    for (const auto& values : flow->values_at(middles, {"velocity"}))
      drag += 3 * 0.02 * 500 * values[0] / (32 * 32);
  }
  EXPECT_NEAR(force[1] - force[0], drag, 1e-7 * drag);
}

}  // namespace
}  // namespace hodge
