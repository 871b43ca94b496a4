// What every combination of time scheme, convection scheme and kind of side must keep, in 2D and
// 3D, in both spaces.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "linalg/space/traffic.hpp"
#include "sim/discrete/operators/convection.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/schemes.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/spaces.hpp"

namespace hodge {
namespace {

constexpr double two_pi = 2 * std::numbers::pi;

template <class Space>
class FlowProperties : public tests::SpaceTest<Space> {
 protected:
  sim::Settings settings(int dim, const std::string& scheme, const std::string& convection) {
    sim::Settings settings = test::flow_settings_on<Space>(dim, dim == 2 ? 12 : 6, scheme);
    settings.convection_scheme = convection;
    return settings;
  }
};
TYPED_TEST_SUITE(FlowProperties, tests::Spaces, tests::SpaceName);

void for_each_scheme(const std::function<void(const std::string&, const std::string&)>& visit) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table())
    for (const sim::ConvectionScheme& convection : sim::convection_table())
      visit(scheme.name, convection.name);
}

void set_sides(sim::Problem& problem, sim::SideKind kind) {
  for (auto& sides : problem.boundaries.sides)
    for (sim::Side& side : sides) side.kind = kind;
}

// A scalar whose level is not 0 and that is not smooth.
sim::ScalarProblem blob(double diffusivity) {
  sim::ScalarProblem scalar;
  scalar.name = "c";
  scalar.diffusivity = diffusivity;
  scalar.initial = [](sim::Point x) { return 1 + (x[0] > 0.3 && x[1] < 0.6 ? 1.0 : 0.0); };
  return scalar;
}

std::array<double, 3> swirl(sim::Point x) {
  return {0.5 + std::sin(two_pi * x[1]), 0.25 + std::cos(two_pi * x[0]), std::sin(two_pi * x[0])};
}

void advance(sim::Flow& flow, int steps, double dt, const std::string& what) {
  for (int i = 0; i < steps; ++i) {
    const sim::StepReport report = flow.advance(dt);
    ASSERT_TRUE(report.ok) << what << ": " << report.failure;
  }
}

// Mean of one component over the cells of a uniform grid.
double mean(const sim::Flow& flow, const std::string& name, int component) {
  const sim::CellArray array = flow.cell_arrays({name})[0];
  const auto step = static_cast<std::size_t>(array.components);
  double sum = 0;
  for (auto i = static_cast<std::size_t>(component); i < array.values.size(); i += step)
    sum += array.values[i];
  return sum * static_cast<double>(step) / static_cast<double>(array.values.size());
}

TYPED_TEST(FlowProperties, momentum_and_scalars_are_conserved_in_a_periodic_box) {
  for (const int dim : {2, 3})
    for_each_scheme([&](const std::string& scheme, const std::string& convection) {
      sim::Problem problem;
      problem.viscosity = 0.01;
      set_sides(problem, sim::SideKind::periodic);
      problem.initial_velocity = swirl;
      problem.scalars.push_back(blob(0.005));
      const auto flow = sim::make_flow(this->settings(dim, scheme, convection), problem);
      const std::string what = scheme + ", " + convection + ", " + std::to_string(dim) + "D";
      std::array<double, 4> before{};
      for (int d = 0; d < dim; ++d) before[d] = mean(*flow, "velocity", d);
      before[3] = mean(*flow, "c", 0);
      advance(*flow, 4, 0.01, what);
      for (int d = 0; d < dim; ++d)
        EXPECT_NEAR(mean(*flow, "velocity", d), before[d], 1e-9) << what << ", component " << d;
      EXPECT_NEAR(mean(*flow, "c", 0), before[3], 1e-9) << what;
      EXPECT_LT(flow->diagnostics().max_divergence, 1e-6) << what;
    });
}

// Where nothing gives the pressure a level: whatever mean it starts with, and also in the steps
// that leave out the sum because phi has none.
TYPED_TEST(FlowProperties, the_mean_of_the_pressure_is_0_after_every_step) {
  for (const std::string scheme : {"rk3", "ab2", "cn_ab2", "bdf2"})
    for (const auto side : {sim::SideKind::periodic, sim::SideKind::slip}) {
      sim::Settings settings = this->settings(2, scheme, "central");
      settings.pressure.method = "direct";
      sim::Problem problem;
      problem.viscosity = 0.01;
      set_sides(problem, side);
      problem.initial_velocity = swirl;
      problem.initial_pressure = [](sim::Point x) { return 7.0 + x[0]; };
      auto flow = sim::make_flow(settings, problem);
      for (int step = 1; step <= 70; ++step) {
        ASSERT_TRUE(flow->advance(0.003).ok);
        ASSERT_NEAR(mean(*flow, "pressure", 0), 0.0, 1e-12) << scheme << ", step " << step;
      }
    }
}

TYPED_TEST(FlowProperties, mass_and_scalars_are_conserved_in_closed_boxes) {
  for (const int dim : {2, 3})
    for_each_scheme([&](const std::string& scheme, const std::string& convection) {
      for (const auto kind : {sim::SideKind::wall, sim::SideKind::slip}) {
        sim::Problem problem;
        problem.viscosity = 0.02;
        set_sides(problem, kind);
        if (kind == sim::SideKind::wall) problem.boundaries.sides[1][1].velocity = {1, 0, 0};
        problem.initial_velocity = [](sim::Point x) {
          return std::array<double, 3>{std::sin(3 * x[0]) * x[1], std::cos(2 * x[1]), x[0]};
        };
        problem.scalars.push_back(blob(0.01));
        const auto flow = sim::make_flow(this->settings(dim, scheme, convection), problem);
        const std::string what = scheme + ", " + convection + ", " + std::to_string(dim) + "D, " +
                                 (kind == sim::SideKind::wall ? "walls" : "slip");
        const double before = mean(*flow, "c", 0);
        advance(*flow, 4, 0.01, what);
        EXPECT_NEAR(mean(*flow, "c", 0), before, 1e-9) << what;
        EXPECT_LT(flow->diagnostics().max_divergence, 1e-6) << what;
      }
    });
}

// A solid in a stream from an inflow to an outflow side, along every axis and both ways.
TYPED_TEST(FlowProperties, what_enters_leaves_past_a_solid) {
  for (const int dim : {2, 3})
    for_each_scheme([&](const std::string& scheme, const std::string& convection) {
      for (int axis = 0; axis < dim; ++axis)
        for (int inlet = 0; inlet < 2; ++inlet) {
          sim::Problem problem;
          problem.viscosity = 0.05;
          set_sides(problem, sim::SideKind::slip);
          auto& sides = problem.boundaries.sides[axis];
          sides[inlet].kind = sim::SideKind::inflow;
          sides[inlet].velocity[axis] = inlet == 0 ? 1 : -1;
          sides[1 - inlet].kind = sim::SideKind::outflow;
          problem.initial_velocity = [=](sim::Point) {
            std::array<double, 3> u{};
            u[axis] = inlet == 0 ? 1 : -1;
            return u;
          };
          problem.scalars.push_back(blob(0.01));
          problem.scalars[0].sides[axis][inlet] = {sim::ScalarSideKind::value, 1};
          problem.solids.push_back({"box", sim::BoxShape{{0.4, 0.4, 0.4}, {0.7, 0.7, 0.7}}});
          const auto flow = sim::make_flow(this->settings(dim, scheme, convection), problem);
          const std::string what = scheme + ", " + convection + ", axis " + std::to_string(axis) +
                                   ", inlet " + std::to_string(inlet);
          advance(*flow, 3, 0.01, what);
          const sim::Diagnostics now = flow->diagnostics();
          EXPECT_TRUE(now.finite) << what;
          EXPECT_LT(now.max_divergence, 1e-6) << what;
          EXPECT_GT(now.kinetic_energy, 0.3) << what;
        }
    });
}

// A uniform stream carries v and c from the inflow into a box that has none of them: after a time t
// it holds t times what enters, whatever the scheme makes of the jump.
TYPED_TEST(FlowProperties, what_the_inflow_says_comes_in) {
  for (int inlet = 0; inlet < 2; ++inlet)
    for_each_scheme([&](const std::string& scheme, const std::string& convection) {
      const double speed = inlet == 0 ? 1 : -1;
      sim::Problem problem;
      problem.viscosity = 1e-13;
      auto& sides = problem.boundaries.sides[0];
      sides[inlet] = {sim::SideKind::inflow, {speed, 0.5, 0}};
      sides[1 - inlet].kind = sim::SideKind::outflow;
      for (sim::Side& side : problem.boundaries.sides[1]) side.kind = sim::SideKind::periodic;
      problem.initial_velocity = [=](sim::Point) { return std::array<double, 3>{speed, 0, 0}; };
      sim::ScalarProblem scalar;
      scalar.name = "c";
      scalar.diffusivity = 1e-13;  // cn_ab2 with central convection needs some
      scalar.sides[0][inlet] = {sim::ScalarSideKind::value, 2};
      problem.scalars.push_back(scalar);
      sim::Settings settings = this->settings(2, scheme, convection);
      settings.grid.axes[0].cells = 40;
      const auto flow = sim::make_flow(settings, problem);
      const std::string what = scheme + ", " + convection + ", inlet " + std::to_string(inlet);
      advance(*flow, 3, 0.002, what);
      EXPECT_NEAR(mean(*flow, "velocity", 1), 3 * 0.002 * 0.5, 1e-9) << what;
      EXPECT_NEAR(mean(*flow, "c", 0), 3 * 0.002 * 2, 1e-9) << what;
    });
}

TYPED_TEST(FlowProperties, a_uniform_scalar_stays_uniform) {
  for_each_scheme([&](const std::string& scheme, const std::string& convection) {
    sim::Problem problem;
    problem.viscosity = 0.02;
    problem.boundaries.sides[1][1].velocity = {1, 0, 0};
    problem.scalars.push_back(blob(0.01));
    problem.scalars[0].initial = [](sim::Point) { return 3.0; };
    const auto flow = sim::make_flow(this->settings(2, scheme, convection), problem);
    advance(*flow, 4, 0.02, scheme + ", " + convection);
    const sim::CellArray array = flow->cell_arrays({"c"})[0];
    for (const double c : array.values) ASSERT_NEAR(c, 3.0, 1e-8) << scheme << ", " << convection;
  });
}

// A closed box inside the box: the pocket's pressure has a level of its own. One of a cell, too.
TYPED_TEST(FlowProperties, a_pocket_of_fluid_does_not_stop_the_pressure) {
  for (const bool open : {false, true})
    for (const bool single : {false, true}) {
      SCOPED_TRACE(testing::Message() << open << single);
      sim::Problem problem;
      problem.viscosity = 0.05;
      problem.boundaries.sides[1][1].velocity = {1, 0, 0};
      if (open) problem.boundaries.sides[0][1].kind = sim::SideKind::outflow;
      problem.force = {0, 1, 0};
      const double from = single ? 0.5 : 0.35, to = single ? 0.58 : 0.65;
      problem.solids = {{"south", sim::BoxShape{{0.2, 0.2, 0}, {0.8, from, 1}}},
                        {"north", sim::BoxShape{{0.2, to, 0}, {0.8, 0.8, 1}}},
                        {"west", sim::BoxShape{{0.2, 0.2, 0}, {from, 0.8, 1}}},
                        {"east", sim::BoxShape{{to, 0.2, 0}, {0.8, 0.8, 1}}}};
      const auto flow = sim::make_flow(this->settings(2, "bdf2", "central"), problem);
      advance(*flow, 5, 0.02, open ? "open" : "closed");
      EXPECT_LT(flow->diagnostics().max_divergence, 1e-6);
      const auto solid = flow->cell_arrays({"solid"})[0].values;
      const auto velocity = flow->cell_arrays({"velocity"})[0].values;
      EXPECT_EQ(solid[12 * 6 + 6], 0.0);  // the middle of the pocket
      EXPECT_EQ(solid[12 * 6 + 5] != 0.0, single);
      // Falling freely it would have 0.1 by now; the pressure balances the force better and better.
      EXPECT_NEAR(velocity[3 * (12 * 6 + 6) + 1], 0.0, 1e-3);
    }
}

// Steps take no memory, and what crosses between host and device does not grow with the grid.
TYPED_TEST(FlowProperties, steps_allocate_nothing_and_move_scalars_alone) {
  for (const sim::TimeScheme& scheme : sim::time_scheme_table()) {
    long long moved[2] = {};
    for (const int size : {0, 1}) {
      sim::Problem problem;
      problem.viscosity = 0.05;
      problem.boundaries.sides[0][0] = {sim::SideKind::inflow,
                                        {sim::Expression::parse("1 + 0.1 * sin(t)"), 0, 0}};
      problem.boundaries.sides[0][1].kind = sim::SideKind::outflow;
      problem.scalars.push_back(blob(0.01));
      problem.scalars[0].buoyancy = {0, 1, 0};
      problem.scalars[0].source = sim::Expression::parse("x * t");
      problem.solids.push_back({"box", sim::BoxShape{{0.4, 0.4, 0}, {0.7, 0.7, 1}}});
      sim::Settings settings = this->settings(2, scheme.name, "van_leer");
      for (int d = 0; d < 2; ++d) settings.grid.axes[d].cells = size == 0 ? 10 : 40;
      const auto flow = sim::make_flow(settings, problem);
      advance(*flow, 2, 0.005, scheme.name);
      const linalg::Traffic before = linalg::traffic<TypeParam>();
      sim::StepReport report;
      for (int i = 0; i < 3; ++i) report = flow->advance(0.005);
      (void)flow->diagnostics();
      const linalg::Traffic after = linalg::traffic<TypeParam>();
      EXPECT_EQ(after.allocations, before.allocations) << scheme.name;
      moved[size] = after.downloaded - before.downloaded + after.uploaded - before.uploaded;
    }
    // One field of the larger grid has 12800 bytes; the solves of the deferred part's iterations
    // add some scalars each.
    const long long most = scheme.has_implicit_convection() ? 24000 : 8192;
    EXPECT_LT(moved[1], most) << scheme.name << ": " << moved[0] << " bytes on the small grid";
  }
}

}  // namespace
}  // namespace hodge
