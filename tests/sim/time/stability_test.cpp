#include "sim/time/stability.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "linalg/base/errors.hpp"
#include "sim/discrete/operators/convection.hpp"
#include "sim/flow/checks.hpp"
#include "sim/model/schemes.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge::sim {
namespace {

using testing::HasSubstr;

StableStep stable_step(const char* time, const char* convection, const Problem& problem) {
  Settings settings = test::flow_settings(2, 10);
  settings.time.scheme = time;
  settings.convection_scheme = convection;
  return {settings, problem, Grid(settings.grid)};
}

TEST(StabilityTable, has_a_row_for_every_pair_whose_default_is_stable) {
  std::size_t pairs = 0;
  for (const TimeScheme& time : time_scheme_table())
    for (const ConvectionScheme& convection : convection_table()) {
      const StablePair& pair = stability_of(time.name, convection.name);
      EXPECT_GT(pair.default_cfl, 0);
      EXPECT_LE(pair.default_cfl, pair.largest_cfl) << time.name << ", " << convection.name;
      EXPECT_TRUE(pair.bounded_cfl == 0 || convection.is_bounded());
      ++pairs;
    }
  EXPECT_EQ(pairs, stability_table().size());
}

TEST(StableStep, is_not_bounded_with_implicit_convection) {
  EXPECT_EQ(stable_step("bdf2", "quick", {}).largest(100, 1),
            std::numeric_limits<double>::infinity());
}

TEST(StableStep, of_explicit_convection_follows_the_cfl_number) {
  EXPECT_NEAR(stable_step("cn_ab2", "upwind", {}).largest(100, 1), 0.005, 1e-12);
}

// 10 x 10 cells of 0.1: sum 4 D / h^2 = 800 D.
TEST(StableStep, of_rk3_adds_up_convection_and_diffusion) {
  Problem problem;
  problem.viscosity = 0.25;
  const StableStep stable = stable_step("rk3", "central", problem);
  const double diffusive = stable.largest(0, 0);
  EXPECT_LE(diffusive, 2.5 / 200);  // less by what friction is stronger beside walls
  EXPECT_GT(diffusive, 0.9 * 2.5 / 200);
  EXPECT_NEAR(stable.largest(170, 1), 1 / (170 / 1.7 + 1 / diffusive), 1e-12);
}

TEST(StableStep, of_ab2_adds_up_both_and_needs_diffusion_with_central_convection) {
  Problem problem;
  problem.viscosity = 0.25;
  const StableStep upwind = stable_step("ab2", "upwind", problem);
  const double diffusive = upwind.largest(0, 0);
  EXPECT_LE(diffusive, 1.0 / 200);
  EXPECT_GT(diffusive, 0.8 / 200);
  EXPECT_NEAR(upwind.largest(50, 1), 1 / (50 / 0.5 + 1 / diffusive), 1e-12);
  problem.viscosity = 1e-6;
  const double dt = stable_step("ab2", "central", problem).largest(10, 1);
  EXPECT_NEAR(dt * dt * dt * 100 * (1e6 + 60), 4, 1e-9);
}

TEST(StableStep, of_cn_ab2_with_central_convection_grows_with_the_cube_root_of_diffusion) {
  Problem problem;
  problem.viscosity = 1e-6;
  const double dt = stable_step("cn_ab2", "central", problem).largest(10, 1);
  EXPECT_NEAR(dt * dt * dt * 100 * (1e6 + 60), 4, 1e-9);
  problem.scalars.emplace_back();  // of less diffusivity, which bounds the step
  problem.scalars[0].diffusivity = 1e-9;
  EXPECT_NEAR(stable_step("cn_ab2", "central", problem).largest(10, 1), 0.1 * dt, 1e-3 * dt);
}

TEST(StableStep, is_refused_by_check_where_there_is_none) {
  Settings settings = test::flow_settings(2, 10);
  settings.time.scheme = "cn_ab2";
  settings.transport.method = settings.scalars.method = "cg";
  Problem problem;
  const Grid grid(settings.grid);
  EXPECT_THAT(test::message_of<ConfigError>([&] { check(settings, problem, grid); }),
              HasSubstr("cn_ab2 with central convection is unstable without diffusion, and the "
                        "velocity has none: take bdf2 or rk3"));
  problem.viscosity = 0.1;
  problem.scalars.emplace_back();
  problem.scalars[0].name = "dye";
  EXPECT_THAT(test::message_of<ConfigError>([&] { check(settings, problem, grid); }),
              HasSubstr("and dye has none"));
  settings.convection_scheme = "quick";
  EXPECT_NO_THROW(check(settings, problem, grid));
  settings.time.step.cfl = 0.7;
  EXPECT_THAT(test::message_of<ConfigError>([&] { check(settings, problem, grid); }),
              HasSubstr("time.step.cfl is 0.7; cn_ab2 with quick convection is stable up to"));
}

}  // namespace
}  // namespace hodge::sim
