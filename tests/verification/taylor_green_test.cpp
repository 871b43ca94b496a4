// Observed orders of accuracy on decaying Taylor-Green vortices.
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cases/registry.hpp"
#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"

namespace hodge {
namespace {

struct Run {
  int cells = 16;
  int steps = 16;
  double end = 0.1;
  std::string scheme = "bdf2";
  std::string convection = "central";
};

std::unique_ptr<sim::Flow> taylor_green(const Run& run) {
  sim::Settings settings = test::flow_settings(2, run.cells);
  settings.time.scheme = run.scheme;
  settings.convection_scheme = run.convection;
  settings.parameters = {
      {"viscosity", 0.02}, {"speed", 1}, {"wavelength", 1}, {"u0", 1}, {"v0", 0.5}};
  const sim::Problem problem = cases::find_case("taylor_green")->make(settings);
  auto flow = sim::make_flow(settings, problem);
  for (int step = 0; step < run.steps; ++step) {
    const sim::StepReport report = flow->advance(run.end / run.steps);
    EXPECT_TRUE(report.ok) << report.failure;
  }
  return flow;
}

double order(double coarse, double fine) {
  return std::log2(coarse / fine);
}

// Root mean square of the difference of the velocities at cell centres.
double distance(const sim::Flow& a, const sim::Flow& b) {
  const std::vector<double> u = a.cell_arrays({"velocity"})[0].values;
  const std::vector<double> v = b.cell_arrays({"velocity"})[0].values;
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += (u[i] - v[i]) * (u[i] - v[i]);
  return std::sqrt(sum / static_cast<double>(u.size()));
}

// Observed orders in time, from differences of runs with successively halved steps on one grid.
std::vector<double> orders_in_time(const std::string& scheme, int first_steps, int halvings) {
  std::vector<double> differences;
  std::unique_ptr<sim::Flow> coarse;
  for (int i = 0; i <= halvings; ++i) {
    auto fine = taylor_green({.steps = first_steps << i, .end = 0.2, .scheme = scheme});
    if (coarse) differences.push_back(distance(*coarse, *fine));
    coarse = std::move(fine);
  }
  std::vector<double> orders;
  for (std::size_t i = 1; i < differences.size(); ++i) {
    orders.push_back(order(differences[i - 1], differences[i]));
    std::cout << scheme << ": difference " << differences[i] << ", order " << orders.back() << '\n';
  }
  return orders;
}

TEST(TaylorGreen, converges_with_second_order_in_space) {
  std::vector<sim::ErrorNorms> errors;
  for (const int cells : {12, 24, 48, 96})
    errors.push_back(
        *taylor_green({.cells = cells, .steps = 2 * cells, .end = 0.1})->error_norms());
  for (std::size_t i = 1; i < errors.size(); ++i) {
    const double velocity = order(errors[i - 1].velocity_l2, errors[i].velocity_l2);
    const double largest = order(errors[i - 1].velocity_max, errors[i].velocity_max);
    const double pressure = order(errors[i - 1].pressure_l2, errors[i].pressure_l2);
    std::cout << "velocity error " << errors[i].velocity_l2 << ", orders: velocity " << velocity
              << ", its maximum " << largest << ", pressure " << pressure << '\n';
    EXPECT_GE(velocity, 1.9);
    EXPECT_GE(largest, 1.9);
    EXPECT_GE(pressure, 1.9);
  }
}

TEST(TaylorGreen, converges_with_second_order_in_time_with_bdf2) {
  for (const double observed : orders_in_time("bdf2", 16, 4)) EXPECT_GE(observed, 1.9);
}

TEST(TaylorGreen, converges_with_first_order_in_time_with_backward_euler) {
  for (const double observed : orders_in_time("backward_euler", 16, 4)) {
    EXPECT_GE(observed, 0.85);
    EXPECT_LE(observed, 1.2);
  }
}

TEST(TaylorGreen, converges_with_first_order_in_space_with_upwind) {
  std::vector<double> errors;
  for (const int cells : {24, 48, 96})
    errors.push_back(
        taylor_green({.cells = cells, .steps = 10, .end = 0.05, .convection = "upwind"})
            ->error_norms()
            ->velocity_l2);
  for (std::size_t i = 1; i < errors.size(); ++i) {
    EXPECT_GE(order(errors[i - 1], errors[i]), 0.85);
    EXPECT_LE(order(errors[i - 1], errors[i]), 1.2);
  }
}

}  // namespace
}  // namespace hodge
