// Decaying Taylor-Green vortices carried along by a uniform flow: errors against the exact solution
// and observed orders.
//
//   in space   grids of N, 2N, 4N cells, the step in proportion to the cell: every error is of
//   second order in time    one grid, steps of dt, dt/2, dt/4: order = log2 of the ratio of the
//   differences of successive runs
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <iostream>
#include <memory>

#include "cases/registry.hpp"
#include "linalg/errors.hpp"
#include "sim/config/settings_from_yaml.hpp"
#include "sim/flow/flow.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {
namespace {

constexpr double end_time = 0.5;
constexpr double least_order = 1.9;

struct Plan {
  int coarsest_cells, coarsest_steps;  // in space, doubled twice
  int cells, steps;                    // in time, the steps doubled twice
};

std::unique_ptr<sim::Flow> run_vortices(const ValidateOptions& options, int cells, int steps) {
  sim::Settings settings = sim::default_settings();
  settings.case_name = "taylor_green";
  settings.parameters = {
      {"viscosity", 0.01}, {"speed", 1}, {"wavelength", 1}, {"u0", 0.5}, {"v0", 0.25}};
  settings.grid.dim = 2;
  for (int d = 0; d < 2; ++d) settings.grid.axes[d].cells = cells;
  settings.pressure.tolerance = settings.transport.tolerance = 1e-10;
  settings.device = options.device;
  auto flow =
      sim::make_flow(settings, cases::taylor_green.make(settings));
  for (int step = 0; step < steps; ++step) {
    const sim::StepReport report = flow->advance(end_time / steps);
    if (!report.ok) throw NumericalError(report.failure);
  }
  return flow;
}

// Root mean square of the difference of two velocities on one grid.
double distance(const sim::Flow& a, const sim::Flow& b) {
  const auto u = a.cell_arrays({"velocity"})[0].values, v = b.cell_arrays({"velocity"})[0].values;
  double sum = 0;
  for (std::size_t i = 0; i < u.size(); ++i) sum += (u[i] - v[i]) * (u[i] - v[i]);
  return std::sqrt(sum / static_cast<double>(u.size()));
}

void check_order(const std::string& name, double coarse, double fine, Report& report) {
  report.check({name, std::log2(coarse / fine), Check::Kind::at_least, least_order});
}

void check_space(const ValidateOptions& options, const Plan& plan, Report& report) {
  std::array<sim::ErrorNorms, 3> errors{};
  for (int i = 0; i < 3; ++i) {
    const int cells = plan.coarsest_cells << i, steps = plan.coarsest_steps << i;
    errors[i] = run_vortices(options, cells, steps)->error_norms().value();
    const std::string run = fmt::format("{0} x {0} cells, {1} steps", cells, steps);
    std::cout << fmt::format("  {}: error of the velocity {:.3e}, of the pressure {:.3e}\n", run,
                             errors[i].velocity_l2, errors[i].pressure_l2);
    report.compare({run, "velocity error", end_time, errors[i].velocity_l2, 0, "exact solution"});
    report.compare({run, "pressure error", end_time, errors[i].pressure_l2, 0, "exact solution"});
  }
  check_order("order of the velocity in space and time", errors[1].velocity_l2,
              errors[2].velocity_l2, report);
  check_order("order of the pressure in space and time", errors[1].pressure_l2,
              errors[2].pressure_l2, report);
}

void check_time(const ValidateOptions& options, const Plan& plan, Report& report) {
  std::array<std::unique_ptr<sim::Flow>, 3> runs;
  for (int i = 0; i < 3; ++i) runs[i] = run_vortices(options, plan.cells, plan.steps << i);
  const double coarse = distance(*runs[0], *runs[1]), fine = distance(*runs[1], *runs[2]);
  std::cout << fmt::format("  {0} x {0} cells, {1}, {2}, {3} steps: differences {4:.3e}, {5:.3e}\n",
                           plan.cells, plan.steps, 2 * plan.steps, 4 * plan.steps, coarse, fine);
  check_order("order of the velocity in time", coarse, fine, report);
}

void run(const ValidateOptions& options, Report& report) {
  const Plan plan = options.quick ? Plan{16, 20, 32, 40} : Plan{32, 40, 64, 40};
  check_space(options, plan, report);
  check_time(options, plan, report);
}

}  // namespace

const Validation taylor_green_validation{
    "taylor_green", "errors against the exact solution and the orders in space and time", run};

}  // namespace hodge::tools
