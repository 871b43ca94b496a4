// Scalars stay in their bounds at the default steps, whatever jumps in time, keep their total, and
// are of second order where they are smooth.
#include "sim/time/limited_scalars.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sim/flow/flow.hpp"
#include "sim/time/stability.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge::sim {
namespace {

constexpr double leaves_at = 1e-10;  // by what the deferred convection and the pressure leave

Expression limited_formula(const std::string& text) {
  return Expression::parse(text, {});
}

struct LimitedRange {
  double least = 0, largest = 1;
};

double quantity(const Flow& flow, const std::string& name) {
  for (const Quantity& quantity : flow.quantities())
    if (quantity.name == name) return quantity.value;
  ADD_FAILURE() << "no quantity " << name;
  return 0;
}

Settings limited_settings(const std::string& time, const std::string& convection, int dim) {
  Settings settings = test::flow_settings(dim, dim == 2 ? 12 : 6);
  settings.time.scheme = time;
  settings.scalar_convection = convection;
  settings.pressure.tolerance = 1e-12;
  if (time == "cn_ab2") settings.transport.method = settings.scalars.method = "cg";
  return settings;
}

// The default step, no longer than `most`.
double default_step(const Flow& flow, const Settings& settings, const Problem& problem,
                    double most) {
  const Diagnostics now = flow.diagnostics();
  const double cfl = default_cfl(stable_pairs(settings, carried_in(problem)));
  const StableStep stable(settings, problem, flow.grid());
  return std::min(
      {most, cfl / std::max(now.cfl_rate, 1e-9), stable.largest(now.cfl_rate, now.max_speed)});
}

LimitedRange range_of_run(const Settings& settings, const Problem& problem, double end,
                          double most) {
  const auto flow = make_flow(settings, problem);
  LimitedRange range;
  double last = 0;
  while (flow->time() < end) {
    double dt = default_step(*flow, settings, problem, most);
    if (last > 0) dt = std::min(dt, 1.5 * last);
    const StepReport report = flow->advance(last = dt);
    EXPECT_TRUE(report.ok) << report.failure;
    if (!report.ok) break;
    range.least = std::min(range.least, quantity(*flow, "c_minimum"));
    range.largest = std::max(range.largest, quantity(*flow, "c_maximum"));
  }
  return range;
}

constexpr const char* pulse = "t > 0.1 && t < 0.2 ? 1 : 0";

ScalarProblem pulsed(double diffusivity, int dim) {
  ScalarProblem scalar;
  scalar.name = "c";
  scalar.diffusivity = diffusivity;
  for (const auto [axis, side] : sides_of_box(dim)) {
    ScalarSide& at = scalar.sides[axis][side];
    if (axis == 0 && side == 1) continue;
    if (axis != 0 && diffusivity == 0) continue;
    at.kind = ScalarSideKind::value;
    at.value = limited_formula(side == 0 ? pulse : "t < 0.15 ? 1 : 0");
  }
  return scalar;
}

// Through an inflow that varies, past a block, out of an open side.
Problem pulse_in_channel(double diffusivity, int dim) {
  Problem problem;
  problem.viscosity = 0.05;
  problem.boundaries.sides[0][0] = {
      SideKind::inflow, {limited_formula("1 + 0.5*sin(20*t)"), 0, 0}, 0};
  problem.boundaries.sides[0][1].kind = SideKind::outflow;
  problem.initial_velocity = [](Point) { return std::array{1.0, 0.0, 0.0}; };
  problem.solids = {{"block", BoxShape{{0.4, 0.3, 0}, {0.6, 0.7, 0.5}}}};
  problem.scalars = {pulsed(diffusivity, dim)};
  return problem;
}

// Pressures that swing drive fluid through two open sides, in and out.
Problem pulse_through_open_sides(double diffusivity, int dim) {
  Problem problem;
  problem.viscosity = 0.05;
  problem.boundaries.sides[0][0] = {SideKind::pressure, {}, limited_formula("4*cos(30*t)")};
  problem.boundaries.sides[0][1].kind = SideKind::pressure;
  problem.scalars = {pulsed(diffusivity, dim)};
  problem.scalars[0].sides[0][1].kind = ScalarSideKind::value;
  problem.scalars[0].sides[0][1].value = limited_formula("t < 0.12 ? 0 : 1");
  return problem;
}

TEST(LimitedScalars, keep_the_bounds_of_values_that_jump_with_every_pair_that_claims_them) {
  for (const StablePair& pair : stability_table()) {
    if (pair.bounded_cfl < pair.default_cfl) continue;
    for (const int dim : {2, 3})
      for (const double diffusivity : {0.0, 1.0}) {
        SCOPED_TRACE(std::string(pair.time) + " with " + pair.convection + ", D " +
                     std::to_string(diffusivity) + ", dim " + std::to_string(dim));
        const Settings settings = limited_settings(pair.time, pair.convection, dim);
        for (const Problem& problem :
             {pulse_in_channel(diffusivity, dim), pulse_through_open_sides(diffusivity, dim)}) {
          const LimitedRange range = range_of_run(settings, problem, 0.3, 0.01);
          EXPECT_GE(range.least, -leaves_at);
          EXPECT_LE(range.largest, 1 + leaves_at);
        }
      }
  }
}

TEST(LimitedScalars, keep_the_bound_that_sources_of_one_sign_leave) {
  for (const char* time : {"bdf2", "rk3"})
    for (const int sign : {-1, 1}) {
      Problem problem = pulse_in_channel(0.01, 2);
      problem.scalars[0].source =
          limited_formula(std::to_string(sign) + "*(x > 0.3 && t < 0.2 ? 8 : 0)");
      const LimitedRange range =
          range_of_run(limited_settings(time, "van_leer", 2), problem, 0.3, 0.01);
      EXPECT_GE(sign > 0 ? range.least : -1e-11, -leaves_at) << time;
      EXPECT_LE(sign < 0 ? range.largest : 1.0, 1 + leaves_at) << time;
      EXPECT_GT(sign > 0 ? range.largest - 1 : -range.least, 0.1) << time;
    }
}

// A hot block between cold sides, in steps of 0.06 L^2/D: BDF2 itself falls to -0.017.
TEST(LimitedScalars, keep_their_bounds_at_rest) {
  Problem problem;
  problem.viscosity = 0.05;
  ScalarProblem scalar;
  scalar.name = "c";
  scalar.diffusivity = 1;
  scalar.initial = [](Point) { return 1.0; };
  for (const auto [axis, side] : sides_of_box(2))
    scalar.sides[axis][side].kind = ScalarSideKind::value;
  problem.scalars = {scalar};
  const LimitedRange range =
      range_of_run(limited_settings("bdf2", "van_leer", 2), problem, 0.6, 0.06);
  EXPECT_GE(range.least, -leaves_at);
  EXPECT_LE(range.largest, 1 + leaves_at);
}

// A driven cavity with a block, and a step that is carried round.
TEST(LimitedScalars, keep_their_total) {
  for (const char* time : {"bdf2", "rk3"}) {
    Problem problem;
    problem.viscosity = 0.01;
    problem.boundaries.sides[1][1].velocity = {1, 0, 0};
    problem.solids = {{"block", BoxShape{{0.4, 0.3, 0}, {0.6, 0.5, 1}}}};
    ScalarProblem scalar;
    scalar.name = "c";
    scalar.diffusivity = 0.05;
    scalar.initial = [](Point x) { return x[1] > 0.7 ? 1.0 : 0.0; };
    problem.scalars = {scalar};
    const Settings settings = limited_settings(time, "van_leer", 2);
    const auto flow = make_flow(settings, problem);
    const double total = quantity(*flow, "c_integral");
    for (int step = 0; step < 30; ++step)
      ASSERT_TRUE(flow->advance(default_step(*flow, settings, problem, 0.03)).ok);
    EXPECT_NEAR(quantity(*flow, "c_integral"), total, 1e-14) << time;
    EXPECT_LT(quantity(*flow, "c_maximum"), 1);
  }
}

// What enters by a side of value 1 from t = 0.1 to 0.2, steps of 0.01, at the speed 1.
TEST(LimitedScalars, let_in_as_much_as_a_side_gives) {
  for (const char* time : {"bdf2", "backward_euler"}) {
    Problem problem;
    problem.prescribed_velocity = PrescribedVelocity{1, 0, 0};
    problem.boundaries.sides[0][0] = {SideKind::inflow, {1, 0, 0}, 0};
    problem.boundaries.sides[0][1].kind = SideKind::outflow;
    problem.boundaries.set(1, SideKind::slip);
    ScalarProblem scalar = pulsed(0, 2);
    scalar.sides[0][0].value = limited_formula("t > 0.099 && t < 0.199 ? 1 : 0");
    problem.scalars = {scalar};
    const auto flow = make_flow(limited_settings(time, "van_leer", 2), problem);
    for (int step = 0; step < 25; ++step) ASSERT_TRUE(flow->advance(0.01).ok);
    EXPECT_NEAR(quantity(*flow, "c_integral"), 0.1, 1e-12) << time;
  }
}

// The scalar at t = 0.4, everything smooth in time, on one grid. (An outflow of rk3 is of first
// order in time.)
std::vector<double> smooth_in_time(const std::string& time, const std::string& convection,
                                   int steps) {
  Problem problem;
  problem.prescribed_velocity =
      PrescribedVelocity{limited_formula("(1 + 0.5*sin(4*t))*sin(pi*y)"), 0, 0};
  problem.boundaries.sides[0][0] = {SideKind::inflow, *problem.prescribed_velocity, 0};
  if (time == "bdf2")
    problem.boundaries.sides[0][1].kind = SideKind::outflow;
  else
    problem.boundaries.sides[0][1] = problem.boundaries.sides[0][0];
  ScalarProblem scalar;
  scalar.name = "c";
  scalar.diffusivity = 0.05;
  scalar.initial = [](Point x) { return std::cos(2 * x[0]) * x[1]; };
  scalar.sides[0][0] = {ScalarSideKind::value, limited_formula("y*cos(5*t)"), 0};
  scalar.sides[1][0] = {ScalarSideKind::value, limited_formula("0.1*sin(5*t)"), 0};
  scalar.source = limited_formula("sin(3*t)*x");
  problem.scalars = {scalar};
  const auto flow = make_flow(limited_settings(time, convection, 2), problem);
  for (int step = 0; step < steps; ++step) {
    // Steps in turn shorter and longer
    const StepReport report = flow->advance(0.4 / steps * (step % 2 == 0 ? 0.8 : 1.2));
    EXPECT_TRUE(report.ok) << report.failure;
  }
  return flow->cell_arrays({"c"})[0].values;
}

double sum_of_differences(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum;
}

TEST(LimitedScalars, are_of_second_order_in_time_where_all_is_smooth) {
  for (const char* time : {"bdf2", "rk3"})
    for (const char* convection : {"upwind", "van_leer"}) {
      const int first = 32;
      const auto coarse = smooth_in_time(time, convection, first),
                 middle = smooth_in_time(time, convection, 2 * first),
                 fine = smooth_in_time(time, convection, 4 * first);
      const double order =
          std::log2(sum_of_differences(coarse, middle) / sum_of_differences(middle, fine));
      EXPECT_GT(order, 1.8) << time << ", " << convection;
    }
}

}  // namespace
}  // namespace hodge::sim
