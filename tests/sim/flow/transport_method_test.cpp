// The method `direct` of velocity components and scalars against cg in whole runs.
#include "sim/flow/transport_method.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "sim/base/key_error.hpp"
#include "sim/flow/flow.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/spaces.hpp"

namespace hodge {
namespace {

using ::testing::HasSubstr;

sim::ScalarProblem scalar(const std::string& name) {
  sim::ScalarProblem scalar;
  scalar.name = name;
  scalar.diffusivity = 0.03;
  scalar.initial = [](sim::Point x) { return std::cos(3 * x[0]) * std::sin(2 * x[1]); };
  scalar.source = sim::Expression::parse("sin(x)*t");
  return scalar;
}

// A heated box whose lid moves, with a slip side; or the same between periodic sides.
sim::Problem heated_box(bool periodic) {
  sim::Problem problem;
  problem.viscosity = 0.02;
  problem.boundaries.sides[1][1].velocity = {sim::Expression::parse("1 + 0.3*sin(t)"), 0, 0};
  if (periodic)
    problem.boundaries.set(0, sim::SideKind::periodic);
  else
    problem.boundaries.sides[0][1].kind = sim::SideKind::slip;
  sim::ScalarProblem heat = scalar("heat"), salt = scalar("salt");
  heat.buoyancy = {0, 1, 0};
  heat.sides[1][0] = {sim::ScalarSideKind::value, 1};
  heat.sides[1][1] = {sim::ScalarSideKind::convective, 0, 0.4};
  salt.diffusivity = 0.01;
  salt.sides[1][1] = {sim::ScalarSideKind::flux, sim::Expression::parse("cos(x)")};
  problem.scalars = {heat, salt};
  return problem;
}

template <class Space>
class DirectTransport : public tests::SpaceTest<Space> {
 protected:
  static sim::Settings settings(int dim, bool stretched) {
    sim::Settings settings = test::flow_settings(dim, 10);
    settings.grid.axes[0].cells = 14;
    settings.time.scheme = "cn_ab2";
    settings.device = std::is_same_v<Space, linalg::Host> ? "cpu" : "cuda";
    settings.pressure.method = "direct";
    settings.transport.method = settings.scalars.method = "cg";
    for (auto* solver : {&settings.transport, &settings.scalars}) {
      solver->tolerance = 1e-13;
      solver->absolute_tolerance = 0;
    }
    for (int d = 0; stretched && d < dim; ++d) {
      settings.grid.axes[d].stretching = "tanh";
      settings.grid.axes[d].strength = 1.3 + 0.2 * d;
    }
    return settings;
  }

  // Steps of changing size.
  static std::vector<double> run(const sim::Settings& settings, const sim::Problem& problem,
                                 bool is_direct) {
    const auto flow = sim::make_flow(settings, problem);
    for (int i = 0; i < 6; ++i) {
      const sim::StepReport report = flow->advance(0.01 + 0.002 * i);
      EXPECT_TRUE(report.ok) << report.failure;
      for (const auto& solve : report.solves) {
        if (solve.system == "pressure") continue;
        EXPECT_EQ(solve.report.method == "direct", is_direct) << solve.system;
      }
    }
    std::vector<double> values;
    for (const char* field : {"velocity", "pressure", "heat", "salt"}) {
      const auto of = flow->cell_arrays({field})[0].values;
      values.insert(values.end(), of.begin(), of.end());
    }
    return values;
  }
};
TYPED_TEST_SUITE(DirectTransport, tests::Spaces, tests::SpaceName);

TYPED_TEST(DirectTransport, leads_to_the_fields_of_cg) {
  for (const int dim : {2, 3})
    for (const bool stretched : {false, true})
      for (const bool periodic : {false, true}) {
        SCOPED_TRACE(testing::Message() << dim << " " << stretched << " " << periodic);
        sim::Settings settings = this->settings(dim, stretched && !periodic);
        const sim::Problem problem = heated_box(periodic);
        const auto by_cg = this->run(settings, problem, false);
        settings.transport.method = settings.scalars.method = "direct";
        const auto direct = this->run(settings, problem, true);
        double difference = 0;
        for (std::size_t i = 0; i < by_cg.size(); ++i)
          difference = std::max(difference, std::abs(by_cg[i] - direct[i]));
        EXPECT_LT(difference, 1e-11);
      }
}

TYPED_TEST(DirectTransport, takes_less_memory_than_matrices) {
  sim::Settings settings = this->settings(3, false);
  for (int d = 0; d < 3; ++d) settings.grid.axes[d].cells = 64;
  const sim::Problem problem = heated_box(true);
  const auto bytes = [&] { return sim::memory_estimate(settings, problem); };
  const std::size_t by_cg = bytes();
  settings.transport.method = "direct";
  const std::size_t mixed = bytes();
  settings.scalars.method = "direct";
  EXPECT_LT(mixed, by_cg);
  EXPECT_LT(bytes(), 0.6 * static_cast<double>(by_cg));
}

// A vortex array between periodic sides, with a scalar.
sim::Problem periodic_box() {
  sim::Problem problem;
  problem.viscosity = 0.02;
  for (const int axis : {0, 1}) problem.boundaries.set(axis, sim::SideKind::periodic);
  problem.initial_velocity = [](sim::Point x) {
    const double k = 2 * std::numbers::pi;
    return sim::Point{std::sin(k * x[0]) * std::cos(k * x[1]) + 0.3 * std::cos(2 * k * x[1]),
                      -std::cos(k * x[0]) * std::sin(k * x[1]), 0};
  };
  problem.scalars = {scalar("heat")};
  return problem;
}

struct Steps {
  std::string preconditioners;  // of the last step: "heat none, u none, v none"
  std::vector<int> iterations;
  std::vector<double> fields;
};

Steps steps_of(sim::Flow& flow) {
  Steps steps;
  for (int i = 0; i < 5; ++i) {
    const sim::StepReport report = flow.advance(0.02);
    EXPECT_TRUE(report.ok) << report.failure;
    steps.preconditioners.clear();
    for (const auto& solve : report.solves) {
      if (solve.system == "pressure") continue;
      steps.iterations.push_back(solve.iterations);
      steps.preconditioners += (steps.preconditioners.empty() ? "" : ", ") + solve.system + " " +
                               solve.report.preconditioner;
    }
  }
  for (const char* field : {"velocity", "heat"}) {
    const auto of = flow.cell_arrays({field})[0].values;
    steps.fields.insert(steps.fields.end(), of.begin(), of.end());
  }
  return steps;
}

TEST(TransportMethod, jacobi_is_left_out_where_the_diagonal_is_constant) {
  sim::Settings settings = test::flow_settings(2, 24);
  settings.time.scheme = "bdf2";
  const auto preconditioners = [&] {
    return steps_of(*sim::make_flow(settings, periodic_box())).preconditioners;
  };
  EXPECT_EQ(preconditioners(), "heat none, u none, v none");
  settings.scalar_convection = "upwind";
  EXPECT_EQ(preconditioners(), "heat jacobi, u none, v none");
  settings.convection_scheme = "upwind";
  EXPECT_EQ(preconditioners(), "heat jacobi, u jacobi, v jacobi");
  settings.time.scheme = "cn_ab2";  // convection is in no matrix
  EXPECT_EQ(preconditioners(), "heat none, u none, v none");
  settings.transport.preconditioner = {"ssor_sai"};
  EXPECT_EQ(preconditioners(), "heat none, u ssor_sai, v ssor_sai");
}

TEST(TransportMethod, jacobi_stays_where_the_diagonal_varies) {
  sim::Settings settings = test::flow_settings(2, 12);
  settings.time.scheme = "bdf2";
  const auto is_constant = [&](const sim::Problem& problem) {
    const bool of_velocity = has_constant_diagonals(sim::SystemKind::transport, settings, problem);
    EXPECT_EQ(has_constant_diagonals(sim::SystemKind::scalars, settings, problem), of_velocity);
    return of_velocity;
  };
  EXPECT_TRUE(is_constant(periodic_box()));
  sim::Problem problem = periodic_box();
  problem.boundaries.set(1, sim::SideKind::wall);
  EXPECT_FALSE(is_constant(problem));
  problem = periodic_box();
  problem.solids.emplace_back();
  EXPECT_FALSE(is_constant(problem));
  problem = periodic_box();
  problem.prescribed_velocity = {sim::Expression::parse("x"), 0, 0};
  EXPECT_FALSE(is_constant(problem));
  settings.grid.axes[1].stretching = "tanh";
  settings.grid.axes[1].strength = 1.3;
  EXPECT_FALSE(is_constant(periodic_box()));
}

// Which is why it may be left out.
TYPED_TEST(DirectTransport, jacobi_of_a_constant_diagonal_changes_no_iterate) {
  sim::Settings settings = this->settings(2, false);
  settings.time.scheme = "bdf2";
  const sim::Problem problem = periodic_box();
  const auto steps = [&](const char* kind) {
    for (auto* solver : {&settings.transport, &settings.scalars}) {
      solver->method = "bicgstab";
      solver->preconditioner = {kind};
      solver->tolerance = 1e-3;
    }
    return steps_of(*sim::make_flow_in<TypeParam>(settings, problem, sim::Grid(settings.grid)));
  };
  const Steps with = steps("jacobi"), without = steps("none");
  EXPECT_EQ(with.preconditioners, "heat jacobi, u jacobi, v jacobi");
  EXPECT_EQ(with.iterations, without.iterations);
  for (std::size_t i = 0; i < with.fields.size(); ++i)
    EXPECT_NEAR(with.fields[i], without.fields[i], 1e-12);
}

TEST(TransportMethod, direct_is_refused_with_what_can_serve) {
  sim::Settings settings = test::flow_settings(2, 12);
  settings.time.scheme = "cn_ab2";
  settings.transport.method = "direct";
  sim::Problem problem = heated_box(false);
  const auto check = [&] { sim::check_transport_methods(settings, problem); };
  EXPECT_NO_THROW(check());
  problem.boundaries.sides[0][0].kind = sim::SideKind::outflow;
  EXPECT_EQ(test::message_of<sim::KeyError>(check),
            "solvers.transport.method is direct, which needs a separable system, and of the "
            "velocity x_lower is open, so that the matrix changes with the flow, expected cg with "
            "the preconditioner jacobi");
  problem = heated_box(false);
  problem.solids.emplace_back();
  EXPECT_THAT(test::message_of<sim::KeyError>(check), HasSubstr("the box has solids"));
  settings.transport.method = "cg";
  settings.transport.fallback = {"direct"};
  EXPECT_THAT(test::message_of<sim::KeyError>(check), HasSubstr("solvers.transport.fallback"));
  settings.transport.fallback.clear();
  EXPECT_NO_THROW(check());
  settings.scalars.method = "direct";
  problem = heated_box(false);
  problem.scalars[1].sides[0][0] = {sim::ScalarSideKind::convective, 0,
                                    sim::Expression::parse("1 + y")};
  EXPECT_THAT(test::message_of<sim::KeyError>(check),
              HasSubstr("of the scalar salt the coefficient at x_lower is not constant"));
  settings.time.scheme = "bdf2";
  EXPECT_THAT(test::message_of<sim::KeyError>(check),
              HasSubstr("with bdf2 convection is in the matrix, expected bicgstab"));
  settings.time.scheme = "rk3";  // which has no such systems
  EXPECT_NO_THROW(check());
}

}  // namespace
}  // namespace hodge
