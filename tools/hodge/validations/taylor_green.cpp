// Decaying Taylor-Green vortices carried along by a uniform flow: errors against the exact solution
// and observed orders.
//
//   in space   grids of N, 2N, 4N cells, the step in proportion to the cell: every error is of
//              second order
//   in time    one grid, steps of dt, dt/2, dt/4, dt/8, each time scheme: the differences of
//              successive runs, in which the error in space drops out
//
// Bounds: the scheme's order less 0.1 for the next term of the error (less 0.15 for
// backward_euler, whose next term is the larger one).
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::taylor_green {

FlowPointer run_vortices(Report& report, const std::string& scheme, int cells, long steps) {
  Settings settings =
      case_settings(report, "taylor_green", {cells, cells}, {{"u0", 0.5}, {"v0", 0.25}}, scheme);
  settings.pressure.tolerance = 1e-11;
  settings.transport.tolerance = 1e-12;
  return run_case(
      report, settings,
      {.end = 0.5, .steps = steps, .name = fmt::format("{}, {}", scheme, cells_text(settings))});
}

void add_vortices_in_space(Report& report) {
  Convergence study{"errors in space and time", "cells a side", flow_errors(1.9, 1.9, 0)};
  for (const int cells : doubled(report.choose(16, 32))) {
    const int steps = 5 * cells / 4;
    study.add(cells, fmt::format("bdf2, {0} x {0} cells, {1} steps", cells, steps),
              errors_of(*run_vortices(report, "bdf2", cells, steps)));
  }
  study.write(report);
}

void add_vortices_in_time(Report& report) {
  struct Scheme {
    const char* name;
    double order, least_order;
    int fewest = 40;  // steps
  };
  const int cells = report.choose(24, 48);
  for (const Scheme& scheme : {Scheme{"bdf2", 2, 1.9},
                               {"backward_euler", 1, 0.85},
                               {"cn_ab2", 2, 1.9},
                               {"rk3", 3, 2.9},
                               {"ab2", 2, 1.9, 80}})  // with 40 explicit diffusion is unstable
    add_time_order(report,
                   {fmt::format("{} in time", scheme.name),
                    "steps",
                    {{fmt::format("{}, velocity of dt less that of dt/2, L2", scheme.name),
                      scheme.least_order}},
                    "the run with half the step",
                    scheme.order},
                   fmt::format("{0} x {0} cells", cells), scheme.fewest,
                   [&](long steps) { return run_vortices(report, scheme.name, cells, steps); });
}

Validations describe() {
  return {{"errors against the exact solution, the orders in space and of each time scheme",
           {add_vortices_in_space, add_vortices_in_time}}};
}

}  // namespace hodge::tools::validations::taylor_green
