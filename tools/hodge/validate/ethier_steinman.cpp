// Decaying Beltrami flow in a cube with its exact velocity on all sides: errors and their order
// with the step in proportion to the cell, and the orders in time on one grid.
//
// Bounds: order 1.9 of velocity and pressure, 1.5 of the pressure's largest error, which is in a
// corner.
#include <fmt/format.h>

#include <memory>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {
namespace {

std::unique_ptr<sim::Flow> run_beltrami(Report& report, const std::string& scheme, int cells,
                                        long steps) {
  sim::Settings settings = case_settings(report, "ethier_steinman", {cells, cells, cells});
  settings.time.scheme = scheme;
  return run_case(
      report, settings,
      {.end = 0.5, .steps = steps, .name = fmt::format("{}, {}", scheme, cells_text(settings))});
}

void add_space(const std::string& scheme, Report& report) {
  ErrorStudy study({.figure = scheme + " in space and time",
                    .velocity_order = 1.9,
                    .largest_order = 1.9,
                    .pressure_order = 1.9,
                    .largest_pressure_order = 1.5});
  for (const int cells : report.options.quick ? std::vector{8, 12, 18} : std::vector{16, 32, 64}) {
    study.add(cells, fmt::format("{0}, {1} x {1} x {1} cells, {2} steps", scheme, cells, 2 * cells),
              run_beltrami(report, scheme, cells, 2L * cells)->error_norms().value());
  }
  study.write(report);
}

void add_time(Report& report) {
  const int cells = report.options.quick ? 12 : 24;
  add_time_order(report,
                 {.quantity = "bdf2, velocity of dt less that of dt/2, L2",
                  .figure = "bdf2 in time",
                  .size_label = "steps",
                  .least_order = 1.9,
                  .source = "the run with half the step"},
                 fmt::format("{0} x {0} x {0} cells", cells), 20,
                 [&](long steps) { return run_beltrami(report, "bdf2", cells, steps); });
}

}  // namespace

void validate_ethier_steinman(Report& report) {
  add_space("bdf2", report);
  if (!report.options.quick) add_space("cn_ab2", report);
  add_time(report);
}

}  // namespace hodge::tools
