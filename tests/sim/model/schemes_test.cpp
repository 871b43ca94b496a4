#include "sim/model/schemes.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/base/errors.hpp"

namespace hodge {
namespace {

TEST(Bdf2, differentiates_quadratics_exactly_with_variable_steps) {
  const auto f = [](double t) { return 3 * t * t - 2 * t + 5; };
  for (const double dt : {0.1, 0.05, 0.15}) {
    const double previous_dt = 0.1, t = 0.7;
    const sim::TimeWeights w = sim::bdf2_weights(dt / previous_dt);
    const double slope = (w.a0 * f(t + dt) + w.a1 * f(t) + w.a2 * f(t - previous_dt)) / dt;
    EXPECT_NEAR(slope, 6 * (t + dt) - 2, 1e-12);
  }
}

TEST(Bdf2, extrapolates_linear_functions_exactly_with_variable_steps) {
  const auto f = [](double t) { return 4 * t - 1; };
  const double dt = 0.15, previous_dt = 0.1, t = 0.7;
  const sim::TimeWeights w = sim::bdf2_weights(dt / previous_dt);
  EXPECT_NEAR(w.e0 * f(t) + w.e1 * f(t - previous_dt), f(t + dt), 1e-14);
}

TEST(Bdf2, has_the_usual_weights_with_equal_steps) {
  const sim::TimeWeights w = sim::bdf2_weights(1.0);
  EXPECT_EQ(w.a0, 1.5);
  EXPECT_EQ(w.a1, -2.0);
  EXPECT_EQ(w.a2, 0.5);
}

TEST(CnAb2, extrapolates_linear_functions_to_the_middle_of_steps_of_any_ratio) {
  const auto f = [](double t) { return 4 * t - 1; };
  const double previous_dt = 0.1, t = 0.7;
  for (const double dt : {0.05, 0.1, 0.15}) {
    const sim::TimeWeights w = sim::cn_ab2_weights(dt / previous_dt);
    EXPECT_NEAR(w.e0 * f(t) + w.e1 * f(t - previous_dt), f(t + 0.5 * dt), 1e-14) << dt;
  }
  EXPECT_EQ(sim::cn_ab2_weights(0).e0, 1.0);
}

// u' = t^2 and u' = -u: third order for the former exactly, for the latter up to dt^4.
TEST(RungeKutta, stages_are_of_third_order) {
  const auto step = [](double u, double t, double dt, const auto& rate) {
    double before = 0;
    for (const sim::RungeKuttaStage& stage : sim::find_time_scheme("rk3").stages) {
      const double now = rate(u, t + stage.start * dt);
      u += dt * (stage.gamma * now + stage.zeta * before);
      before = now;
    }
    return u;
  };
  const double t = 0.3, dt = 0.2;
  const double integral = (std::pow(t + dt, 3) - std::pow(t, 3)) / 3;
  EXPECT_NEAR(step(0, t, dt, [](double, double s) { return s * s; }), integral, 1e-15);
  EXPECT_NEAR(step(1, t, dt, [](double u, double) { return -u; }),
              1 - dt + dt * dt / 2 - dt * dt * dt / 6, 1e-15);
}

// u' = 2 t is integrated exactly by steps of any ratio once there is a step before; the first one
// is Euler's.
TEST(Ab2, is_of_second_order_with_variable_steps) {
  const sim::TimeScheme& ab2 = sim::find_time_scheme("ab2");
  const double previous_dt = 0.1, t = 0.7;
  for (const double dt : {0.05, 0.1, 0.15}) {
    const sim::RungeKuttaStage stage = sim::stage_of_step(ab2, 0, dt / previous_dt);
    EXPECT_NEAR(dt * (stage.gamma * 2 * t + stage.zeta * 2 * (t - previous_dt)),
                (t + dt) * (t + dt) - t * t, 1e-14);
    EXPECT_NEAR(stage.length(), 1.0, 1e-15);
  }
  EXPECT_EQ(sim::stage_of_step(ab2, 0, 0).gamma, 1.0);
  EXPECT_EQ(sim::stage_of_step(ab2, 0, 0).zeta, 0.0);
  EXPECT_FALSE(ab2.lets_scalars_react());
  const sim::TimeScheme& rk3 = sim::find_time_scheme("rk3");
  EXPECT_EQ(sim::stage_of_step(rk3, 1, 1.3).zeta, rk3.stages[1].zeta);
}

TEST(TimeSchemes, keep_a_constant_constant) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table())
    for (const double ratio : {0.3, 1.0, 1.5}) {
      const sim::TimeWeights w = scheme.weights(ratio);
      EXPECT_NEAR(w.a0 + w.a1 + w.a2, 0.0, 1e-15) << scheme.name;
      EXPECT_NEAR(w.e0 + w.e1, 1.0, 1e-15) << scheme.name;
    }
}

TEST(TimeSchemes, are_found_by_name_and_named_where_they_are_not) {
  EXPECT_STREQ(sim::find_time_scheme("bdf2").name, "bdf2");
  try {
    (void)sim::find_time_scheme("bdf3");
    FAIL();
  } catch (const ConfigError& error) {
    for (const sim::TimeScheme& scheme : sim::time_scheme_table())
      EXPECT_NE(std::string(error.what()).find(scheme.name), std::string::npos);
  }
}

TEST(TimeSchemes, with_implicit_convection_have_nonsymmetric_transport) {
  EXPECT_FALSE(sim::find_time_scheme("bdf2").has_symmetric_transport());
  EXPECT_FALSE(sim::find_time_scheme("backward_euler").has_symmetric_transport());
  EXPECT_TRUE(sim::find_time_scheme("cn_ab2").has_symmetric_transport());
  EXPECT_TRUE(sim::find_time_scheme("cn_ab2").solves_transport());
  EXPECT_FALSE(sim::find_time_scheme("rk3").solves_transport());
}

// The stages follow one another without gaps from t to t + dt; the pressure is that of the last
// one's middle, and phi grows with the time since the middle of the last stage before.
TEST(TimeSchemes, have_stages_that_fill_the_step) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table()) {
    double end = 0, middle = scheme.pressure_at - 1;
    for (const sim::RungeKuttaStage& stage : scheme.stages) {
      EXPECT_NEAR(stage.start, end, 1e-15) << scheme.name;
      const double next = stage.start + 0.5 * stage.length();
      const double since = scheme.pressure_at - 1;
      const double before = &stage == scheme.stages.data() ? 1.0 : middle - since;
      EXPECT_NEAR(stage.growth, (next - since) / before, 1e-14) << scheme.name;
      middle = next;
      end = stage.start + stage.length();
    }
    EXPECT_EQ(scheme.projections_per_step(), scheme.name == std::string("rk3") ? 3 : 1);
    if (!scheme.has_stages()) continue;
    EXPECT_NEAR(end, 1.0, 1e-15) << scheme.name;
    EXPECT_TRUE(scheme.stages.back().is_last()) << scheme.name;
    EXPECT_NEAR(middle, scheme.pressure_at, 1e-15) << scheme.name;
  }
}

}  // namespace
}  // namespace hodge
