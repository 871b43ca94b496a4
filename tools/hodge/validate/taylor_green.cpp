// Decaying Taylor-Green vortices carried along by a uniform flow: errors against the exact solution
// and observed orders.
//
//   in space   grids of N, 2N, 4N cells, the step in proportion to the cell: every error is of
//              second order
//   in time    one grid, steps of dt, dt/2, dt/4, dt/8: the differences of successive runs
//
// Bounds: 1.9 for schemes of second order, the rest for the next term of the error.
#include <fmt/format.h>

#include <memory>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/orders.hpp"

namespace hodge::tools {
namespace {

constexpr double end_time = 0.5;
constexpr double least_order = 1.9;

struct Plan {
  int coarsest_cells, coarsest_steps;  // in space, doubled twice
  int cells, steps;                    // in time, the steps doubled
};

std::unique_ptr<sim::Flow> run_vortices(const ValidateOptions& options, Report& report, int cells,
                                        long steps) {
  sim::Settings settings =
      case_settings(options, "taylor_green", {cells, cells}, {{"u0", 0.5}, {"v0", 0.25}});
  settings.pressure.tolerance = 1e-10;
  return run_case(
      report, settings,
      {.end = end_time, .steps = steps, .name = fmt::format("bdf2, {}", cells_text(settings))});
}

void add_space(const ValidateOptions& options, const Plan& plan, Report& report) {
  Convergence velocity{.quantity = "velocity error, L2",
                       .figure = "errors in space and time",
                       .size_label = "cells a side",
                       .least_order = least_order};
  Convergence largest = velocity, pressure = velocity;
  largest.quantity = "velocity error, largest";
  pressure.quantity = "pressure error, L2";
  for (int i = 0; i < 3; ++i) {
    const int cells = plan.coarsest_cells << i, steps = plan.coarsest_steps << i;
    const auto errors = run_vortices(options, report, cells, steps)->error_norms().value();
    for (Convergence* study : {&velocity, &largest, &pressure}) {
      study->sizes.push_back(cells);
      study->runs.push_back(fmt::format("{0} x {0} cells, {1} steps", cells, steps));
    }
    velocity.errors.push_back(errors.velocity_l2);
    largest.errors.push_back(errors.velocity_max);
    pressure.errors.push_back(errors.pressure_l2);
  }
  for (const Convergence* study : {&velocity, &largest, &pressure}) add_convergence(report, *study);
}

void add_time(const ValidateOptions& options, const Plan& plan, Report& report) {
  Convergence study{.quantity = "bdf2, difference of dt and dt/2, L2",
                    .figure = "differences in time",
                    .size_label = "steps",
                    .least_order = least_order,
                    .source = "the run with half the step"};
  std::unique_ptr<sim::Flow> coarse = run_vortices(options, report, plan.cells, plan.steps);
  for (int i = 1; i < 3; ++i) {
    const long steps = static_cast<long>(plan.steps) << i;
    auto fine = run_vortices(options, report, plan.cells, steps);
    study.sizes.push_back(static_cast<double>(steps) / 2);
    study.runs.push_back(fmt::format("{0} x {0} cells, {1} steps", plan.cells, steps / 2));
    study.errors.push_back(distance(*coarse, *fine));
    coarse = std::move(fine);
  }
  add_convergence(report, study);
}

void run(const ValidateOptions& options, Report& report) {
  const Plan plan = options.quick ? Plan{16, 20, 32, 40} : Plan{32, 40, 64, 40};
  add_space(options, plan, report);
  add_time(options, plan, report);
}

}  // namespace

const Validation taylor_green_validation{
    "taylor_green", "errors against the exact solution and the orders in space and time", run};

}  // namespace hodge::tools
