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
#include <fmt/format.h>

#include <memory>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {
namespace {

struct DecayScheme {
  const char* name;
  double order, least_order;
};
constexpr DecayScheme decay_schemes[] = {
    {"bdf2", 2, 1.9}, {"backward_euler", 1, 0.85}, {"cn_ab2", 2, 1.9}, {"rk3", 3, 2.9}};

std::unique_ptr<sim::Flow> run_vortices(Report& report, const std::string& scheme, int cells,
                                        long steps) {
  sim::Settings settings =
      case_settings(report, "taylor_green", {cells, cells}, {{"u0", 0.5}, {"v0", 0.25}});
  settings.time.scheme = scheme;
  settings.pressure.tolerance = 1e-11;
  settings.transport.tolerance = 1e-12;
  return run_case(
      report, settings,
      {.end = 0.5, .steps = steps, .name = fmt::format("{}, {}", scheme, cells_text(settings))});
}

void add_space(Report& report) {
  ErrorStudy study({.figure = "errors in space and time",
                    .velocity_order = 1.9,
                    .largest_order = 1.9,
                    .pressure_order = 1.9});
  const int coarsest = report.options.quick ? 16 : 32;
  for (const int refinement : {1, 2, 4}) {
    const int cells = coarsest * refinement, steps = 5 * cells / 4;
    study.add(cells, fmt::format("bdf2, {0} x {0} cells, {1} steps", cells, steps),
              run_vortices(report, "bdf2", cells, steps)->error_norms().value());
  }
  study.write(report);
}

void add_time(const DecayScheme& scheme, Report& report) {
  const int cells = report.options.quick ? 24 : 48;
  add_time_order(report,
                 {.quantity = fmt::format("{}, velocity of dt less that of dt/2, L2", scheme.name),
                  .figure = fmt::format("{} in time", scheme.name),
                  .size_label = "steps",
                  .least_order = scheme.least_order,
                  .expected_order = scheme.order,
                  .source = "the run with half the step"},
                 fmt::format("{0} x {0} cells", cells), 40,
                 [&](long steps) { return run_vortices(report, scheme.name, cells, steps); });
}

}  // namespace

void validate_taylor_green(Report& report) {
  add_space(report);
  for (const DecayScheme& scheme : decay_schemes) add_time(scheme, report);
}

}  // namespace hodge::tools
