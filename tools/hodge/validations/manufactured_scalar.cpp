// A scalar with a chosen solution: errors and orders with sides of fixed value, flux and
// convection, a source, and a given velocity, in two and three dimensions.
//
// Grids of N, 2N, 4N cells, the step in proportion to the cell, so that every error is of second
// order; rk3 takes four times as many, as its diffusion wants on the finest. Bound: 1.9 between the
// two finest, for the rest of the next term.
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::manufactured_scalar {

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
  Convergence errors{fmt::format("{}D, errors", study.dim), "cells a side",
                     scalar_errors(schemes, 1.9)};
  for (const int cells : doubled(study.coarsest)) {
    const long steps = static_cast<long>(study.steps) * (cells / study.coarsest);
    Settings settings =
        case_settings(report, "manufactured_scalar", std::vector<int>(study.dim, cells),
                      {{"diffusivity", study.diffusivity}}, study.time);
    settings.scalar_convection = study.convection;
    const std::string run = fmt::format("{}, {} steps", cells_text(settings), steps);
    const auto flow =
        run_case(report, settings,
                 {.end = 0.5, .steps = steps, .name = fmt::format("{}, {}", schemes, run)});
    const sim::FieldErrors measured = flow->error_norms().value().scalars.at(0);
    errors.add(cells, run, {measured.l2, measured.max});
  }
  errors.write(report);
}

void run_studies_of_schemes(Report& report) {
  const int plane = report.choose(16, 32), space = report.choose(8, 16);
  const std::vector<Study> studies{
      {2, "bdf2", "central", plane, 0.1, plane},   {2, "bdf2", "quick", plane, 0.1, plane},
      {2, "cn_ab2", "central", plane, 0.1, plane}, {2, "rk3", "central", plane, 0.01, 4 * plane},
      {3, "bdf2", "central", space, 0.1, space},   {3, "cn_ab2", "central", space, 0.1, space}};
  for (const Study& study : studies) run_study(study, report);
}

Validations describe() {
  return {{"errors and orders with every kind of side, a source and a velocity",
           {run_studies_of_schemes}}};
}

}  // namespace hodge::tools::validations::manufactured_scalar
