// The method `direct` of velocity components and scalars against cg in whole runs.
#include "sim/flow/transport_method.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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
  for (int d = 0; d < 3; ++d) settings.grid.axes[d].cells = 32;
  const sim::Problem problem = heated_box(true);
  const auto bytes = [&] { return sim::memory_estimate(settings, problem); };
  const std::size_t by_cg = bytes();
  settings.transport.method = "direct";
  const std::size_t mixed = bytes();
  settings.scalars.method = "direct";
  EXPECT_LT(mixed, by_cg);
  EXPECT_LT(bytes(), 0.6 * static_cast<double>(by_cg));
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
