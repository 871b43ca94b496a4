// Quantities of flows whose integrals are known.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "linalg/space/space.hpp"
#include "linalg/space/traffic.hpp"
#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge::sim {
namespace {

std::map<std::string, double> values_of(const Flow& flow) {
  std::map<std::string, double> values;
  for (const Quantity& quantity : flow.quantities()) values[quantity.name] = quantity.value;
  return values;
}

std::vector<std::string> names_of_quantities(const Flow& flow) {
  std::vector<std::string> names;
  for (const Quantity& quantity : flow.quantities()) names.push_back(quantity.name);
  return names;
}

Problem periodic_problem(int dim) {
  Problem problem;
  for (int axis = 0; axis < dim; ++axis)
    for (Side& side : problem.boundaries.sides[static_cast<std::size_t>(axis)])
      side.kind = SideKind::periodic;
  return problem;
}

// Taylor-Green vortices of wave number 2 pi in a unit box, carried along by (0.3, 0).
Problem vortices(double viscosity) {
  Problem problem = periodic_problem(2);
  problem.viscosity = viscosity;
  problem.initial_velocity = [](Point x) {
    const double k = 2 * std::numbers::pi;
    return std::array{0.3 - std::cos(k * x[0]) * std::sin(k * x[1]),
                      std::sin(k * x[0]) * std::cos(k * x[1]), 0.0};
  };
  return problem;
}

TEST(Quantities, the_kinetic_energy_changes_by_the_dissipation_alone) {
  Settings settings = test::flow_settings(2, 32);
  const auto flow = make_flow(settings, vortices(0.01));
  const auto step_and_rate = [&](double dt) {
    const double before = flow->diagnostics().kinetic_energy;
    const double first = values_of(*flow)["dissipation"];
    EXPECT_TRUE(flow->advance(dt).ok);
    const double mean = 0.5 * (first + values_of(*flow)["dissipation"]);
    return std::array{(flow->diagnostics().kinetic_energy - before) / dt, -mean};
  };
  for (int i = 0; i < 20; ++i) step_and_rate(1e-4);  // until the pressure of the start is forgotten
  const auto [rate, minus_dissipation] = step_and_rate(1e-4);
  EXPECT_LT(minus_dissipation, -0.1);
  EXPECT_NEAR(rate, minus_dissipation, 1e-4 * std::abs(minus_dissipation));
}

TEST(Quantities, of_vortices_are_those_of_their_formulas) {
  const auto flow = make_flow(test::flow_settings(2, 64), vortices(0.01));
  auto values = values_of(*flow);
  EXPECT_EQ(names_of_quantities(*flow),
            (std::vector<std::string>{"enstrophy", "dissipation", "flow_rate_x", "flow_rate_y"}));
  const double k = 2 * std::numbers::pi;
  EXPECT_NEAR(values["enstrophy"], k * k / 2, 0.002 * k * k);
  EXPECT_NEAR(values["dissipation"], 2 * 0.01 * values["enstrophy"], 1e-9);
  EXPECT_NEAR(values["flow_rate_x"], 0.3, 1e-12);
  EXPECT_NEAR(values["flow_rate_y"], 0, 1e-12);
}

TEST(Quantities, the_flow_rate_in_is_the_flow_rate_out) {
  Problem problem;
  problem.viscosity = 0.1;
  problem.boundaries.sides[0][0] = {SideKind::inflow,
                                    {Expression(0.5), Expression(), Expression()}};
  problem.boundaries.sides[0][1].kind = SideKind::outflow;
  Settings settings = test::flow_settings(3, 8);
  settings.grid.axes[1].upper = 2;
  const auto flow = make_flow(settings, problem);
  ASSERT_TRUE(flow->advance(0.01).ok);
  auto values = values_of(*flow);
  EXPECT_NEAR(values["flow_rate_x_lower"], 0.5 * 2 * 1, 1e-12);
  EXPECT_NEAR(values["flow_rate_x_upper"], 0.5 * 2 * 1, 1e-8);
}

Problem with_scalars(const std::vector<std::function<double(Point)>>& initial) {
  Problem problem = periodic_problem(2);
  for (const auto& f : initial) {
    ScalarProblem scalar;
    scalar.name = "c" + std::to_string(problem.scalars.size());
    scalar.initial = f;
    problem.scalars.push_back(scalar);
  }
  return problem;
}

TEST(Quantities, extremes_and_integrals_of_scalars_of_any_sign) {
  const auto ramp = [](double lower, double upper) {  // at the centres of 8 cells
    return [=](Point x) { return lower + (upper - lower) * (x[0] - 1.0 / 16) / (7.0 / 8); };
  };
  const auto flow = make_flow(test::flow_settings(2, 8),
                              with_scalars({ramp(2, 3), ramp(-3, -2), ramp(-1, 2), ramp(0, 4),
                                            ramp(-4, 0), [](Point) { return 0.0; }}));
  const std::vector<std::array<double, 2>> extremes{{2, 3}, {-3, -2}, {-1, 2},
                                                    {0, 4}, {-4, 0},  {0, 0}};
  auto values = values_of(*flow);
  for (std::size_t k = 0; k < extremes.size(); ++k) {
    const std::string name = "c" + std::to_string(k);
    EXPECT_NEAR(values[name + "_minimum"], extremes[k][0], 1e-14) << name;
    EXPECT_NEAR(values[name + "_maximum"], extremes[k][1], 1e-14) << name;
    EXPECT_NEAR(values[name + "_integral"], 0.5 * (extremes[k][0] + extremes[k][1]), 1e-14) << name;
  }
}

TEST(Quantities, leave_out_what_scalars_are_in_solids) {
  const auto c = [](Point x) { return x[0] > 0.5 ? 100.0 : 2 + x[0]; };  // the solid has the 100
  const auto d = [](Point x) { return x[0] > 0.5 ? -100.0 : -2 - x[0]; };
  Problem problem = with_scalars({c, d});
  problem.solids.push_back({"half", BoxShape{{0.5, -1, -1}, {2, 2, 2}}});
  const auto flow = make_flow(test::flow_settings(2, 8), problem);
  auto values = values_of(*flow);
  for (const auto& [name, sign] : {std::pair{"c0", 1.0}, {"c1", -1.0}}) {
    const std::string of = name;
    EXPECT_NEAR(values[of + "_integral"], sign * 2.25 * 0.5, 1e-14);
    const double least = 2 + 1.0 / 16, most = 2 + 7.0 / 16;
    EXPECT_NEAR(values[of + "_minimum"], sign > 0 ? least : -most, 1e-14);
    EXPECT_NEAR(values[of + "_maximum"], sign > 0 ? most : -least, 1e-14);
  }
}

// A slab of fluid at rest between walls of temperature 3 (left) and 1 (right).
Problem slab(const std::function<double(Point)>& initial) {
  Problem problem;
  problem.viscosity = 1;
  ScalarProblem heat;
  heat.name = "heat";
  heat.diffusivity = 0.5;
  heat.initial = initial;
  heat.sides[0][0] = {ScalarSideKind::value, 3, 0};
  heat.sides[0][1] = {ScalarSideKind::value, 1, 0};
  problem.scalars.push_back(heat);
  return problem;
}

TEST(Quantities, conduction_alone_has_a_nusselt_number_of_1_on_both_sides) {
  Settings settings = test::flow_settings(2, 8, 2.0);
  settings.grid.axes[0].stretching = "tanh";
  settings.grid.axes[0].strength = 2;
  const auto flow = make_flow(settings, slab([](Point x) { return 3 - x[0]; }));
  EXPECT_EQ(
      names_of_quantities(*flow),
      (std::vector<std::string>{"enstrophy", "dissipation", "heat_integral", "heat_minimum",
                                "heat_maximum", "nusselt_heat_x_lower", "nusselt_heat_x_upper"}));
  auto values = values_of(*flow);
  EXPECT_NEAR(values["nusselt_heat_x_lower"], 1, 1e-13);
  EXPECT_NEAR(values["nusselt_heat_x_upper"], 1, 1e-13);
}

// The mean is one over the fluid: the solid half of the sides conducts nothing.
TEST(Quantities, a_nusselt_number_is_the_mean_over_the_open_part_of_a_side) {
  Problem problem;
  problem.viscosity = 1;
  ScalarProblem heat;
  heat.name = "heat";
  heat.diffusivity = 1;
  heat.initial = [](Point x) { return 1 - x[0]; };
  heat.sides[0][0] = {ScalarSideKind::value, 1};
  heat.sides[0][1] = {ScalarSideKind::value, 0};
  problem.scalars.push_back(heat);
  problem.solids = {{"block", BoxShape{{-1, 0.5, -1}, {2, 2, 2}}}};
  const auto flow = make_flow(test::flow_settings(2, 8), problem);
  auto values = values_of(*flow);
  EXPECT_NEAR(values["nusselt_heat_x_lower"], 1, 1e-13);
  EXPECT_NEAR(values["nusselt_heat_x_upper"], 1, 1e-13);
}

// The balance of the box holds to rounding, however loosely the system is solved.
TEST(Quantities, the_integral_of_a_scalar_changes_by_what_the_nusselt_numbers_say) {
  Settings settings = test::flow_settings(2, 8);
  settings.time.scheme = "backward_euler";
  settings.scalars.tolerance = 1e-2;
  const auto flow = make_flow(settings, slab([](Point x) { return 1 + x[0] * x[0]; }));
  ASSERT_TRUE(flow->advance(0.01).ok);
  const double before = values_of(*flow)["heat_integral"];
  ASSERT_TRUE(flow->advance(0.01).ok);
  auto values = values_of(*flow);
  const double in = values["nusselt_heat_x_lower"], out = values["nusselt_heat_x_upper"];
  EXPECT_GT(std::abs(in - out), 0.1);
  EXPECT_NEAR((values["heat_integral"] - before) / 0.01, 0.5 * 2 / 1.0 * (in - out), 1e-12);
}

TEST(Quantities, a_side_whose_value_varies_has_no_nusselt_number) {
  Problem problem = slab([](Point) { return 1.0; });
  problem.scalars[0].sides[0][1].value = Expression::parse("1 + 0.1*y");
  const auto flow = make_flow(test::flow_settings(2, 8), problem);
  for (const std::string& name : names_of_quantities(*flow))
    EXPECT_EQ(name.find("nusselt"), std::string::npos) << name;
}

TEST(Quantities, a_prescribed_velocity_has_flow_rates_but_no_dissipation) {
  Problem problem = periodic_problem(2);
  problem.prescribed_velocity = PrescribedVelocity{Expression(2), Expression(), Expression()};
  const auto flow = make_flow(test::flow_settings(2, 8), problem);
  EXPECT_EQ(names_of_quantities(*flow), (std::vector<std::string>{"flow_rate_x", "flow_rate_y"}));
  EXPECT_NEAR(values_of(*flow)["flow_rate_x"], 2, 1e-13);
}

TEST(Quantities, and_samples_allocate_nothing_and_bring_numbers_alone) {
  Settings settings = test::flow_settings(3, 12);
  settings.output.fields = {"mean_velocity", "mean_heat"};
  const auto flow = make_flow(settings, slab([](Point x) { return 3 - x[0]; }));
  const std::vector<Point> points(50, Point{0.3, 0.4, 0.5});
  const auto sampler = flow->make_sampler(points, {"velocity", "vorticity", "pressure", "heat"});
  std::vector<double> values(points.size() * sampler->columns().size());
  const auto look = [&] {
    sampler->sample(values);
    (void)flow->quantities();
    ASSERT_TRUE(flow->advance(0.01).ok);
  };
  look();
  look();
  const linalg::Traffic before = linalg::traffic<linalg::Host>();
  sampler->sample(values);
  const linalg::Traffic sampled = linalg::traffic<linalg::Host>();
  EXPECT_EQ(sampled.downloaded - before.downloaded, 50 * 8 * 8);
  EXPECT_EQ(sampled.uploaded, before.uploaded);
  (void)flow->quantities();
  const linalg::Traffic measured = linalg::traffic<linalg::Host>();
  EXPECT_LT(measured.downloaded - sampled.downloaded, 200);
  look();
  EXPECT_EQ(linalg::traffic<linalg::Host>().allocations, before.allocations);
}

TEST(Quantities, values_at_points_are_those_of_the_present_fields) {
  Settings settings = test::flow_settings(2, 8, 2.0);
  const auto flow = make_flow(settings, slab([](Point x) { return 3 - x[0]; }));
  const auto values = flow->values_at({{0, 1, 0}, {1.23, 0.4, 0}, {2, 2, 0}}, {"heat", "velocity"});
  EXPECT_NEAR(values[0][0], 3, 1e-13);
  EXPECT_NEAR(values[1][0], 1.77, 1e-13);
  EXPECT_NEAR(values[2][0], 1, 1e-13);
  EXPECT_EQ(values[1][2], 0);
}

}  // namespace
}  // namespace hodge::sim
