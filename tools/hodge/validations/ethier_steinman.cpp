// Decaying Beltrami flow in a cube with its exact velocity on all sides: errors and their order
// with the step in proportion to the cell, and the orders in time on one grid.
//
// Bounds: order 1.9 of velocity and pressure, 1.5 of the pressure's largest error, which is in a
// corner.
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::ethier_steinman {

FlowPointer run_beltrami(Report& report, const std::string& scheme, int cells, long steps) {
  const Settings settings =
      case_settings(report, "ethier_steinman", {cells, cells, cells}, {}, scheme);
  return run_case(
      report, settings,
      {.end = 0.5, .steps = steps, .name = fmt::format("{}, {}", scheme, cells_text(settings))});
}

void add_space(Report& report) {
  for (const std::string scheme : {"bdf2", "cn_ab2"}) {
    if (report.options.quick && scheme != "bdf2") continue;
    Convergence study{scheme + " in space and time", "cells a side", flow_errors(1.9, 1.9, 1.5)};
    for (const int cells : report.choose<std::vector<int>>({8, 12, 18}, {16, 32, 64}))
      study.add(cells,
                fmt::format("{0}, {1} x {1} x {1} cells, {2} steps", scheme, cells, 2 * cells),
                errors_of(*run_beltrami(report, scheme, cells, 2L * cells)));
    study.write(report);
  }
}

void add_time(Report& report) {
  const int cells = report.choose(12, 24);
  add_time_order(report,
                 {"bdf2 in time",
                  "steps",
                  {{"bdf2, velocity of dt less that of dt/2, L2", 1.9}},
                  "the run with half the step"},
                 fmt::format("{0} x {0} x {0} cells", cells), 20,
                 [&](long steps) { return run_beltrami(report, "bdf2", cells, steps); });
}

Validations describe() {
  return {{"decaying Beltrami flow in 3D against the exact solution", {add_space, add_time}}};
}

}  // namespace hodge::tools::validations::ethier_steinman
