// Decaying Beltrami flow in a cube with its exact velocity on all sides: errors and their order
// with the step in proportion to the cell, and the orders in time on one grid.
//
// Bounds: order 1.9 of velocity and pressure, 1.5 of the pressure's largest error, which is in a
// corner.
#include <fmt/format.h>

#include <memory>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/error_study.hpp"

namespace hodge::tools {
namespace {

std::unique_ptr<sim::Flow> run_beltrami(const ValidateOptions& options, Report& report,
                                        const std::string& scheme, int cells, long steps) {
  sim::Settings settings = case_settings(options, "ethier_steinman", {cells, cells, cells});
  settings.time.scheme = scheme;
  return run_case(
      report, settings,
      {.end = 0.5, .steps = steps, .name = fmt::format("{}, {}", scheme, cells_text(settings))});
}

void add_space(const ValidateOptions& options, const std::string& scheme, Report& report) {
  ErrorStudy study({.figure = scheme + " in space and time",
                    .velocity_order = 1.9,
                    .largest_order = 1.9,
                    .pressure_order = 1.9,
                    .largest_pressure_order = 1.5});
  for (const int cells : options.quick ? std::vector{8, 12, 18} : std::vector{16, 32, 64}) {
    study.add(cells, fmt::format("{0}, {1} x {1} x {1} cells, {2} steps", scheme, cells, 2 * cells),
              run_beltrami(options, report, scheme, cells, 2L * cells)->error_norms().value());
  }
  study.write(report);
}

void add_time(const ValidateOptions& options, Report& report) {
  const int cells = options.quick ? 12 : 24;
  Convergence study{.quantity = "bdf2, velocity of dt less that of dt/2, L2",
                    .figure = "bdf2 in time",
                    .size_label = "steps",
                    .least_order = 1.9,
                    .source = "the run with half the step"};
  std::unique_ptr<sim::Flow> coarse = run_beltrami(options, report, "bdf2", cells, 20);
  for (const long steps : {20L, 40L, 80L}) {
    auto fine = run_beltrami(options, report, "bdf2", cells, 2 * steps);
    study.sizes.push_back(static_cast<double>(steps));
    study.runs.push_back(fmt::format("{0} x {0} x {0} cells, {1} steps", cells, steps));
    study.errors.push_back(distance(*coarse, *fine));
    coarse = std::move(fine);
  }
  add_convergence(report, study);
}

void validate_ethier_steinman(const ValidateOptions& options, Report& report) {
  add_space(options, "bdf2", report);
  if (!options.quick) add_space(options, "cn_ab2", report);
  add_time(options, report);
}

}  // namespace

const Validation ethier_steinman_validation{
    "ethier_steinman", "decaying Beltrami flow in 3D against the exact solution",
    validate_ethier_steinman};

}  // namespace hodge::tools
