// The pressure and the forces belong to the time of the velocity beside them: they converge with
// second order in time, whatever the time at which a scheme solves for its pressure.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "cases/registry.hpp"
#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge {
namespace {

constexpr double end = 0.2;
constexpr const char* second_order_schemes[] = {"bdf2", "cn_ab2", "rk3", "ab2"};

struct TimedCase {
  std::string name;
  sim::Settings settings;
  cases::MakeProblem make;
  int steps;  // of the longest step
};

// Vortices that a uniform velocity carries through a periodic box.
TimedCase periodic_vortices() {
  sim::Settings settings = test::flow_settings(2, 16);
  settings.parameters = {
      {"viscosity", 0.02}, {"speed", 1}, {"wavelength", 1}, {"u0", 1}, {"v0", 0.5}};
  return {"taylor_green", settings, cases::find_case("taylor_green")->make, 20};
}

// The exact velocity, which changes in time, is given on all sides.
TimedCase given_sides() {
  sim::Settings settings = test::flow_settings(3, 6);
  for (int d = 0; d < 3; ++d) settings.grid.axes[d] = {.cells = 6, .lower = -1, .upper = 1};
  for (const cases::Parameter& parameter : cases::find_case("ethier_steinman")->parameters)
    settings.parameters[parameter.name] = parameter.default_value;
  return {"ethier_steinman", settings, cases::find_case("ethier_steinman")->make, 4};
}

// A fluid at rest around a square that an acceleration starts to shake, periodic along both axes.
TimedCase shaken_square() {
  return {"shaken square", test::flow_settings(2, 12),
          [](const sim::Settings&) {
            sim::Problem problem;
            problem.viscosity = 0.05;
            for (auto& sides : problem.boundaries.sides)
              for (sim::Side& side : sides) side.kind = sim::SideKind::periodic;
            sim::FormulaNames names;
            problem.force[0] = sim::Expression::parse("sin(12*t)", names);
            problem.force[1] = sim::Expression::parse("0.5*sin(9*t)", names);
            problem.solids.push_back(
                {"square", sim::BoxShape{{1.0 / 3, 1.0 / 3, 0}, {2.0 / 3, 2.0 / 3, 1}}});
            return problem;
          },
          20};
}

// At the end of equal steps; `uneven`: by turns of 2/3 and 4/3 of that size.
std::unique_ptr<sim::Flow> run(const TimedCase& given, const std::string& scheme, int steps,
                               bool uneven = false) {
  sim::Settings settings = given.settings;
  settings.time.scheme = scheme;
  auto flow = sim::make_flow(settings, given.make(settings));
  for (int step = 0; step < steps; ++step) {
    const double size = uneven ? (step % 2 == 0 ? 2.0 / 3 : 4.0 / 3) : 1.0;
    const sim::StepReport report = flow->advance(size * end / steps);
    EXPECT_TRUE(report.ok) << report.failure;
  }
  return flow;
}

using Values = std::vector<double> (*)(const sim::Flow&);

std::vector<double> pressure(const sim::Flow& flow) {
  return flow.cell_arrays({"pressure"})[0].values;
}

std::vector<double> total_force(const sim::Flow& flow) {
  std::vector<double> sum(3);
  for (const sim::BodyForce& force : flow.forces())
    for (std::size_t d = 0; d < 3; ++d) sum[d] += force.pressure[d] + force.viscous[d];
  return sum;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / static_cast<double>(a.size()));
}

// The observed order of runs with steps halved twice, from their differences.
double order_in_time(const TimedCase& given, const std::string& scheme, Values values,
                     bool uneven = false) {
  std::vector<std::vector<double>> at_end;
  for (const int factor : {1, 2, 4})
    at_end.push_back(values(*run(given, scheme, factor * given.steps, uneven)));
  const double coarse = distance(at_end[0], at_end[1]), fine = distance(at_end[1], at_end[2]);
  const double order = std::log2(coarse / fine);
  std::cout << given.name << ", " << scheme << ": difference " << fine << ", order " << order
            << '\n';
  return order;
}

TEST(PressureInTime, is_of_second_order) {
  for (const auto make : {periodic_vortices, given_sides, shaken_square})
    for (const char* scheme : second_order_schemes)
      EXPECT_GE(order_in_time(make(), scheme, pressure), 1.9) << make().name << ' ' << scheme;
}

TEST(PressureInTime, is_of_second_order_with_uneven_steps) {
  for (const auto make : {periodic_vortices, shaken_square})
    for (const char* scheme : {"cn_ab2", "rk3", "ab2"})
      EXPECT_GE(order_in_time(make(), scheme, pressure, true), 1.9) << make().name << ' ' << scheme;
}

TEST(ForcesInTime, of_every_scheme_approach_those_of_bdf2_with_second_order) {
  const TimedCase square = shaken_square();
  const std::vector<double> fine = total_force(*run(square, "bdf2", 64 * square.steps));
  for (const char* scheme : second_order_schemes) {
    std::vector<double> errors;
    for (const int factor : {1, 2, 4})
      errors.push_back(distance(total_force(*run(square, scheme, factor * square.steps)), fine));
    for (std::size_t i = 1; i < errors.size(); ++i) {
      const double order = std::log2(errors[i - 1] / errors[i]);
      std::cout << scheme << ": error " << errors[i] << ", order " << order << '\n';
      EXPECT_GE(order, 1.9) << scheme;
    }
  }
}

}  // namespace
}  // namespace hodge
