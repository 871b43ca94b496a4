// A scalar with a chosen solution: errors and orders with sides of fixed value, flux and
// convection, a source, and a given velocity, in two and three dimensions.
//
// Grids of N, 2N, 4N cells, the step in proportion to the cell, so that every error is of second
// order; rk3 takes four times as many, as its diffusion wants on the finest. Bound: 1.9 between the
// two finest, for the rest of the next term.
#include <fmt/format.h>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {
namespace {

struct Study {
  int dim;
  std::string time, convection;
  int coarsest;
  double diffusivity;
  int steps;  // on the coarsest grid
};

void run_study(const Study& study, Report& report) {
  const std::string schemes =
      fmt::format("{}D, {} and {}", study.dim, study.time, study.convection);
  ScalarConvergence errors(schemes, {.figure = fmt::format("{}D, errors", study.dim),
                                     .size_label = "cells a side",
                                     .least_order = 1.9});
  for (int i = 0; i < 3; ++i) {
    const int cells = study.coarsest << i;
    const long steps = static_cast<long>(study.steps) << i;
    sim::Settings settings =
        case_settings(report, "manufactured_scalar", std::vector<int>(study.dim, cells),
                      {{"diffusivity", study.diffusivity}});
    settings.time.scheme = study.time;
    settings.convection_scheme = study.convection;
    const std::string run = fmt::format("{}, {} steps", cells_text(settings), steps);
    const auto flow =
        run_case(report, settings,
                 {.end = 0.5, .steps = steps, .name = fmt::format("{}, {}", schemes, run)});
    errors.add(cells, run, flow->error_norms().value().scalars.at(0));
  }
  add_convergence(report, errors);
}

}  // namespace

void validate_manufactured_scalar(Report& report) {
  const int plane = report.options.quick ? 16 : 32, space = report.options.quick ? 8 : 16;
  const std::vector<Study> studies{
      {2, "bdf2", "central", plane, 0.1, plane},   {2, "bdf2", "quick", plane, 0.1, plane},
      {2, "cn_ab2", "central", plane, 0.1, plane}, {2, "rk3", "central", plane, 0.01, 4 * plane},
      {3, "bdf2", "central", space, 0.1, space},   {3, "cn_ab2", "central", space, 0.1, space}};
  for (const Study& study : studies) run_study(study, report);
}

}  // namespace hodge::tools
