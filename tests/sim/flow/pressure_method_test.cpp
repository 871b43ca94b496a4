// The method `direct` of the pressure against cg in whole runs, and what `auto` chooses.
#include "sim/flow/pressure_method.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "linalg/base/errors.hpp"
#include "sim/base/key_error.hpp"
#include "sim/flow/flow.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/spaces.hpp"
#include "tests/support/state_copy.hpp"

namespace hodge {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

template <class Space>
class DirectPressure : public tests::SpaceTest<Space> {
 protected:
  static sim::Settings settings(int dim, const std::string& scheme, bool stretched) {
    sim::Settings settings = test::flow_settings(dim, 12);
    settings.grid.axes[0].cells = 14;
    settings.grid.axes[1].lower = -2;
    settings.time.scheme = scheme;
    settings.device = std::is_same_v<Space, linalg::Host> ? "cpu" : "cuda";
    settings.pressure.tolerance = 1e-13;
    settings.pressure.absolute_tolerance = 0;
    if (scheme == "cn_ab2") settings.transport.method = "cg";
    for (int d = 0; stretched && d < dim; ++d) {
      settings.grid.axes[d].stretching = "tanh";
      settings.grid.axes[d].strength = 1.3 + 0.2 * d;
    }
    return settings;
  }

  struct Result {
    std::vector<double> values;
    double max_divergence = 0, promised = 0;
  };
  static Result run(sim::Settings settings, const sim::Problem& problem,
                    const std::string& method) {
    settings.pressure.method = method;
    const auto flow = sim::make_flow(settings, problem);
    Result result;
    for (int i = 0; i < 5; ++i) {
      const sim::StepReport report = flow->advance(0.01);
      EXPECT_TRUE(report.ok) << report.failure;
      EXPECT_FALSE(sim::missed_divergence(report, flow->diagnostics()));
      result.promised = *report.promised_divergence;
      if (method == "direct") {
        EXPECT_EQ(report.solves.back().iterations, 1);
        EXPECT_EQ(report.solves.back().report.method, "direct");
      }
    }
    for (const char* field : {"velocity", "pressure"}) {
      const auto values = flow->cell_arrays({field})[0].values;
      result.values.insert(result.values.end(), values.begin(), values.end());
    }
    result.max_divergence = flow->diagnostics().max_divergence;
    return result;
  }
  static void expect_same(const sim::Settings& settings, const sim::Problem& problem) {
    const Result by_cg = run(settings, problem, "cg"), direct = run(settings, problem, "direct");
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < direct.values.size(); ++i) {
      difference = std::max(difference, std::abs(direct.values[i] - by_cg.values[i]));
      size = std::max(size, std::abs(by_cg.values[i]));
    }
    EXPECT_LT(difference, 1e-9 * std::max(1.0, size));
    EXPECT_LT(direct.max_divergence, 1e-11);
  }
};
TYPED_TEST_SUITE(DirectPressure, tests::Spaces, tests::SpaceName);

sim::Problem cavity_between_walls() {
  sim::Problem problem;
  problem.viscosity = 0.02;
  problem.boundaries.sides[1][1].velocity = {1, 0, 0};
  return problem;
}

sim::Problem vortices() {
  sim::Problem problem;
  problem.viscosity = 0.02;
  for (int d = 0; d < 3; ++d) problem.boundaries.set(d, sim::SideKind::periodic);
  problem.initial_velocity = [](sim::Point x) {
    return sim::Point{std::sin(6.283185307179586 * x[1]), std::cos(6.283185307179586 * x[0]), 0.3};
  };
  return problem;
}

sim::Problem channel() {
  sim::Problem problem;
  problem.viscosity = 0.02;
  problem.boundaries.sides[0][0].kind = sim::SideKind::inflow;
  problem.boundaries.sides[0][0].velocity = {1, 0, 0};
  problem.boundaries.sides[0][1].kind = sim::SideKind::outflow;
  return problem;
}

TYPED_TEST(DirectPressure, leads_to_the_flow_of_cg_in_every_kind_of_box) {
  for (const char* scheme : {"bdf2", "rk3", "cn_ab2"})
    for (const bool stretched : {false, true})
      for (const int dim : {2, 3}) {
        SCOPED_TRACE(::testing::Message() << scheme << " " << stretched << " " << dim);
        const sim::Settings settings = this->settings(dim, scheme, stretched);
        this->expect_same(settings, cavity_between_walls());
        this->expect_same(settings, channel());
        if (!stretched) this->expect_same(settings, vortices());
      }
}

TYPED_TEST(DirectPressure, leads_to_the_flow_of_cg_where_a_pressure_drives_it) {
  sim::Problem problem;
  problem.viscosity = 0.05;
  for (const int side : {0, 1}) problem.boundaries.sides[0][side].kind = sim::SideKind::pressure;
  problem.boundaries.sides[0][0].pressure = sim::Expression::parse("1 + 0.5*t");
  problem.boundaries.set(1, sim::SideKind::periodic);
  for (const char* scheme : {"bdf2", "rk3"})
    this->expect_same(this->settings(2, scheme, false), problem);
}

// A restart may change the solver: the state of the other one is ignored.
TYPED_TEST(DirectPressure, hands_a_run_over_to_cg_and_takes_it_back) {
  for (const std::string scheme : {"rk3", "bdf2"}) {
    sim::Settings settings = this->settings(2, scheme, false);
    const sim::Problem problem = cavity_between_walls();
    settings.pressure.method = "direct";
    auto flow = sim::make_flow(settings, problem);
    const auto straight = sim::make_flow(settings, problem);
    for (const char* method : {"cg", "direct"}) {
      for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(flow->advance(0.01).ok);
        EXPECT_TRUE(straight->advance(0.01).ok);
      }
      test::StateCopy state;
      flow->visit_state(state);
      state.restoring = true;
      settings.pressure.method = method;
      flow = sim::make_flow(settings, problem);
      flow->visit_state(state);
    }
    const auto u = flow->cell_arrays({"velocity"})[0].values,
               wanted = straight->cell_arrays({"velocity"})[0].values;
    for (std::size_t i = 0; i < u.size(); ++i) EXPECT_NEAR(u[i], wanted[i], 1e-9) << scheme;
  }
}

// Around a body: from an inflow, between walls, periodic; and closed in by a body.
TYPED_TEST(DirectPressure, capacitance_leads_to_the_flow_of_cg_beside_solids) {
  const auto beside = [](sim::Problem problem, sim::BoxShape shape) {
    problem.solids.push_back({"body", shape});
    return problem;
  };
  const sim::BoxShape body{{0.3, -1.2, 0.2}, {0.6, 0.1, 0.7}}, wall{{0.4, -9, -9}, {0.6, 9, 9}};
  for (const char* scheme : {"bdf2", "rk3"})
    for (const bool stretched : {false, true})
      for (const int dim : {2, 3}) {
        SCOPED_TRACE(::testing::Message() << scheme << " " << stretched << " " << dim);
        sim::Settings settings = this->settings(dim, scheme, stretched);
        settings.pressure.tolerance = 1e-12;
        std::vector<sim::Problem> problems{beside(cavity_between_walls(), body),
                                           beside(cavity_between_walls(), wall),
                                           beside(channel(), body)};
        if (!stretched) problems.push_back(beside(vortices(), body));
        problems.push_back(cavity_between_walls());
        problems.back().solids.push_back(
            {.name = "ball",
             .region = sim::Region{sim::SphereShape{{0.43, 0.52, 0.49}, 0.21}},
             .sharp = true});
        for (const sim::Problem& problem : problems) {
          const auto by_cg = this->run(settings, problem, "cg"),
                     found = this->run(settings, problem, "capacitance");
          ASSERT_EQ(found.values.size(), by_cg.values.size());
          for (std::size_t i = 0; i < found.values.size(); ++i)
            ASSERT_NEAR(found.values[i], by_cg.values[i], 1e-8);
        }
      }
}

TEST(PressureMethod, capacitance_has_no_preconditioner) {
  sim::Settings settings = test::flow_settings(2, 12);
  settings.pressure.method = "capacitance";
  settings.pressure.preconditioner = {"multigrid"};
  sim::Problem problem = cavity_between_walls();
  problem.solids.emplace_back();
  EXPECT_EQ(sim::pressure_method_text(settings, problem), "capacitance (configured)");
  EXPECT_EQ(sim::pressure_method(settings, problem).settings.preconditioner.kind, "none");
  settings.pressure.fallback = {"cg"};
  EXPECT_EQ(sim::pressure_method_text(settings, problem),
            "capacitance, then cg with multigrid v ssor_sai 1 single (configured)");
  EXPECT_EQ(sim::pressure_method(settings, problem).settings.preconditioner.kind, "multigrid");
}

TEST(PressureMethod, auto_takes_direct_in_a_box_without_solids) {
  sim::Settings settings = test::flow_settings(2, 12);
  settings.pressure.automatic = true;
  EXPECT_EQ(sim::pressure_method(settings, cavity_between_walls()).settings.method, "direct");
  EXPECT_THAT(sim::pressure_method_text(settings, cavity_between_walls()),
              StartsWith("direct (auto: separable box: "));
  settings.pressure.automatic = false;
  EXPECT_EQ(sim::pressure_method_text(settings, cavity_between_walls()),
            "cg with ssor_sai order 2 omega 1.2 (configured)");
  settings.pressure.method = "direct";
  EXPECT_THAT(sim::pressure_method_text(settings, cavity_between_walls()),
              StartsWith("direct (configured: separable box: "));
}

// What auto says beside these solids in a box of 1 x 1 or 1 x 1 x 1.
std::string automatic_beside(int dim, const std::vector<sim::Solid>& solids, int cells = 24,
                             sim::Problem problem = cavity_between_walls()) {
  sim::Settings settings = test::flow_settings(dim, cells);
  settings.pressure.automatic = true;
  settings.pressure.preconditioner = {"multigrid"};
  problem.solids = solids;
  return sim::pressure_method_text(settings, problem);
}

TEST(PressureMethod, auto_takes_capacitance_beside_compact_solids_with_wide_gaps) {
  const std::string chosen =
      "capacitance, then cg with multigrid v ssor_sai 1 single (auto: compact solids with wide "
      "gaps)";
  const sim::SphereShape ball{{0.5, 0.5, 0.5}, 0.1};
  const sim::CylinderShape along_z{2, {0.5, 0.5, 0}, 0.1};
  for (const int dim : {2, 3}) {
    EXPECT_EQ(automatic_beside(dim, {{"ball", ball}}), chosen);
    EXPECT_EQ(automatic_beside(dim, {{"rod", along_z}}), chosen);
    EXPECT_EQ(automatic_beside(dim, {{"ball", ball}}, 24, vortices()), chosen);
    EXPECT_EQ(automatic_beside(dim, {{"a", sim::SphereShape{{0.25, 0.5, 0.5}, 0.1}},
                                     {"b", sim::SphereShape{{0.75, 0.5, 0.5}, 0.1}}}),
              chosen);
  }
  EXPECT_EQ(automatic_beside(3, {{"cube", sim::BoxShape{{0.4, 0.4, -1}, {0.6, 0.6, 0.1}}}}), chosen)
      << "at a side, with its image as high as wide";
}

TEST(PressureMethod, auto_takes_cg_where_capacitance_may_take_many_iterations_and_says_why) {
  const auto beside = [](int dim, const std::vector<sim::Solid>& solids, const std::string& why) {
    EXPECT_EQ(automatic_beside(dim, solids),
              "cg with multigrid v ssor_sai 1 single (auto: the box has solids, and " + why + ")");
  };
  const auto ball = [](double x, double radius) { return sim::SphereShape{{x, 0.5, 0.5}, radius}; };
  for (const int dim : {2, 3}) {
    beside(dim, {{"plate", sim::BoxShape{{0.45, 0.3, 0.3}, {0.55, 0.7, 0.7}}}},
           "plate is more than 2.5 times as wide as thick");
    beside(dim, {{"wall", sim::BoxShape{{0.4, -1, -1}, {0.6, 2, 2}}}},
           dim == 2 ? "wall spans the box along y" : "wall spans the box along y and z");
    beside(dim, {{"ball", ball(0.5, 0.4)}}, "there is a narrow gap beside ball along x");
    beside(dim, {{"a", ball(0.3, 0.1)}, {"b", ball(0.6, 0.1)}},
           "the gap between a and b is narrow");
  }
  // With its image the body at the side is three times as wide as thick.
  beside(2, {{"fence", sim::BoxShape{{0.45, -1, 0}, {0.55, 0.15, 0}}}},
         "fence with its mirror image is more than 2.5 times as wide as thick");
  beside(3, {{"car", sim::SurfaceShape{"car.stl"}}},
         "car may have thin parts: it is no plain box, sphere or cylinder");
}

TEST(PressureMethod, auto_judges_the_part_of_a_body_that_is_in_the_box) {
  const auto below = [](double y, double radius) {
    return sim::SphereShape{{0.5, y, 0.5}, radius};
  };
  EXPECT_THAT(automatic_beside(2, {{"cap", below(-0.4, 0.5)}}),
              HasSubstr("cap with its mirror image is more than 2.5 times as wide as thick"));
  EXPECT_THAT(automatic_beside(2, {{"floor", below(-0.4, 0.9)}}),
              HasSubstr("floor spans the box along x"));
  EXPECT_THAT(automatic_beside(2, {{"half", below(0, 0.1)}}), StartsWith("capacitance"));
}

TEST(PressureMethod, auto_calls_no_gap_what_is_none) {
  const auto ball = [](double x, double y) { return sim::SphereShape{{x, y, 0.5}, 0.1}; };
  const auto beside = [&](const std::vector<sim::Solid>& solids) {
    return automatic_beside(2, solids);
  };
  const auto touch = HasSubstr("a and b touch or overlap");
  EXPECT_THAT(beside({{"a", ball(0.4, 0.5)}, {"b", ball(0.5, 0.5)}}), touch);
  EXPECT_THAT(beside({{"a", ball(0.4, 0.5)}, {"b", ball(0.6, 0.5)}}), touch);
  EXPECT_THAT(beside({{"a", ball(0.5, 0.5)}, {"b", ball(0.5, 0.5)}}), touch);
  EXPECT_THAT(beside({{"a", ball(0.5, 0.5)}, {"b", sim::BoxShape{{0.45, 0.45}, {0.55, 0.55}}}}),
              touch);
  // Round bodies are farther from each other than their extents.
  EXPECT_THAT(beside({{"a", ball(0.4, 0.4)}, {"b", ball(0.55, 0.55)}}),
              HasSubstr("the gap between a and b is narrow"));
  EXPECT_THAT(beside({{"a", ball(0.35, 0.35)}, {"b", ball(0.65, 0.65)}}),
              StartsWith("capacitance"));
}

TEST(PressureMethod, auto_allows_for_rounding_at_its_limits) {
  const sim::BoxShape box{{0.4, 0.4, 0}, {0.5, 0.65, 1}};  // 2.5 times as high as wide
  EXPECT_THAT(automatic_beside(2, {{"box", box}}), StartsWith("capacitance"));
}

TEST(PressureMethod, auto_tries_no_method_again_and_cg_before_other_fallbacks) {
  sim::Settings settings = test::flow_settings(2, 24);
  settings.pressure.automatic = true;
  sim::Problem problem = cavity_between_walls();
  const auto chain = [&](const std::vector<std::string>& fallback, int cells) {
    settings.pressure.fallback = fallback;
    settings.grid.axes[0].cells = cells;
    problem.solids = {{"ball", sim::SphereShape{{0.5, 0.5, 0}, 0.1}}};
    const std::string text = sim::pressure_method_text(settings, problem);
    return text.substr(0, text.find(" (auto"));
  };
  for (const std::vector<std::string>& none :
       {std::vector<std::string>{}, {"cg"}, {"capacitance"}, {"capacitance", "cg"}})
    EXPECT_EQ(chain(none, 24), "capacitance, then cg with ssor_sai order 2 omega 1.2");
  EXPECT_EQ(chain({"gmres"}, 24),
            "capacitance, then cg with ssor_sai order 2 omega 1.2, then gmres");
  EXPECT_EQ(chain({"gmres", "cg"}, 24),
            "capacitance, then gmres with ssor_sai order 2 omega 1.2, then cg");
  const int slow = 22;
  EXPECT_EQ(chain({"cg"}, slow), "cg with ssor_sai order 2 omega 1.2");
  EXPECT_EQ(chain({"cg", "capacitance"}, slow),
            "cg with ssor_sai order 2 omega 1.2, then capacitance");
}

TEST(PressureMethod, auto_sees_the_gap_across_a_periodic_side) {
  const std::vector<sim::Solid> solids{{"a", sim::SphereShape{{0.15, 0.5, 0.5}, 0.1}},
                                       {"b", sim::SphereShape{{0.85, 0.5, 0.5}, 0.1}}};
  sim::Problem periodic = vortices();
  EXPECT_THAT(automatic_beside(2, solids, 24, periodic), HasSubstr("between a and b is narrow"));
  EXPECT_THAT(automatic_beside(2, {{"a", sim::SphereShape{{0.5, 0.5, 0.5}, 0.4}}}, 24, periodic),
              HasSubstr("narrow gap beside a along x"));
}

TEST(PressureMethod, auto_takes_cg_beside_solids_where_transforms_are_slow_or_cells_many) {
  sim::Settings settings = test::flow_settings(2, 24);
  settings.pressure.automatic = true;
  sim::Problem problem = cavity_between_walls();
  problem.solids = {{"ball", sim::SphereShape{{0.5, 0.5, 0}, 0.1}}};
  const auto expect_cg = [&](const std::string& why) {
    EXPECT_EQ(sim::pressure_method_text(settings, problem),
              "cg with ssor_sai order 2 omega 1.2 (auto: the box has solids, and " + why + ")");
  };
  settings.grid.axes[0].cells = 1000;
  expect_cg("24000 cells are more than 16384, up to which capacitance is faster");
  settings.grid.axes[0].cells = 22;
  expect_cg("x is transformed slowly");
  settings.grid.axes[0].cells = 24;
  settings.grid.axes[0].stretching = "tanh";
  settings.grid.axes[0].strength = 1.5;
  expect_cg("x is transformed slowly");
}

TEST(PressureMethod, auto_takes_cg_where_products_would_be_slow) {
  sim::Settings settings = test::flow_settings(2, 12);
  settings.pressure.automatic = true;
  settings.grid.axes[0].cells = 4000;
  settings.grid.axes[0].stretching = "tanh";
  settings.grid.axes[0].strength = 1.5;
  EXPECT_THAT(sim::pressure_method_text(settings, cavity_between_walls()),
              HasSubstr("4000 cells along x are more than"));
  settings.pressure.automatic = false;
  settings.pressure.method = "direct";
  EXPECT_EQ(sim::pressure_method(settings, cavity_between_walls()).settings.method, "direct");
}

// The products along x there and back, 4 vectors, the elimination along y, 2; and the norm.
TEST(PressureMethod, traffic_of_direct_is_that_of_its_transforms) {
  const sim::Settings settings = test::flow_settings(2, 12);
  EXPECT_DOUBLE_EQ(sim::direct_pressure_traffic(settings, cavity_between_walls()),
                   7.0 * 8 * settings.grid.axes[0].cells * settings.grid.axes[1].cells);
}

TEST(PressureMethod, direct_beside_solids_is_refused_with_what_can_serve) {
  sim::Settings settings = test::flow_settings(2, 12);
  settings.pressure.method = "direct";
  sim::Problem problem = cavity_between_walls();
  problem.solids.emplace_back();
  const auto check = [&] { sim::check_pressure_method(settings, problem); };
  EXPECT_EQ(
      test::message_of<sim::KeyError>(check),
      "solvers.pressure.method is direct, which needs a separable system, and solids make this "
      "one none, expected auto, or cg with the preconditioner multigrid");
  settings.pressure.method = "cg";
  settings.pressure.fallback = {"direct"};
  EXPECT_THAT(test::message_of<sim::KeyError>(check), HasSubstr("solvers.pressure.fallback"));
}

}  // namespace
}  // namespace hodge
