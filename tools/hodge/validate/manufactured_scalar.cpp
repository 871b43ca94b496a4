// A scalar with a chosen solution: errors and orders with sides of fixed value, flux and
// convection, a source, and a given velocity, in two and three dimensions.
//
// Grids of N, 2N, 4N cells, the step in proportion to the cell, so that every error is of second
// order; rk3 takes four times as many, as its diffusion wants on the finest. Bound: 1.9 between the
// two finest, for the rest of the next term.
#include <fmt/format.h>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/orders.hpp"

namespace hodge::tools {
namespace {

constexpr double end_time = 0.5;
constexpr double least_order = 1.9;

struct Study {
  int dim;
  std::string time, convection;
  int coarsest;
  double diffusivity;
  int steps;  // on the coarsest grid
};

void run_study(const ValidateOptions& options, const Study& study, Report& report) {
  const std::string schemes =
      fmt::format("{}D, {} and {}", study.dim, study.time, study.convection);
  Convergence l2{.quantity = schemes + ", error, L2",
                 .figure = fmt::format("{}D, errors", study.dim),
                 .size_label = "cells a side",
                 .least_order = least_order};
  Convergence largest = l2;
  largest.quantity = schemes + ", error, largest";
  for (int i = 0; i < 3; ++i) {
    const int cells = study.coarsest << i;
    const long steps = static_cast<long>(study.steps) << i;
    sim::Settings settings =
        case_settings(options, "manufactured_scalar", std::vector<int>(study.dim, cells),
                      {{"diffusivity", study.diffusivity}});
    settings.time.scheme = study.time;
    settings.convection_scheme = study.convection;
    const std::string run = fmt::format("{}, {} steps", cells_text(settings), steps);
    const auto flow =
        run_case(report, settings,
                 {.end = end_time, .steps = steps, .name = fmt::format("{}, {}", schemes, run)});
    const sim::ScalarErrors errors = flow->error_norms().value().scalars.at(0);
    for (Convergence* convergence : {&l2, &largest}) {
      convergence->sizes.push_back(cells);
      convergence->runs.push_back(run);
    }
    l2.errors.push_back(errors.l2);
    largest.errors.push_back(errors.max);
  }
  add_convergence(report, l2);
  add_convergence(report, largest);
}

void validate_manufactured_scalar(const ValidateOptions& options, Report& report) {
  const int plane = options.quick ? 16 : 32, space = options.quick ? 8 : 16;
  const std::vector<Study> studies{
      {2, "bdf2", "central", plane, 0.1, plane},   {2, "bdf2", "quick", plane, 0.1, plane},
      {2, "cn_ab2", "central", plane, 0.1, plane}, {2, "rk3", "central", plane, 0.01, 4 * plane},
      {3, "bdf2", "central", space, 0.1, space},   {3, "cn_ab2", "central", space, 0.1, space}};
  for (const Study& study : studies) run_study(options, study, report);
}

}  // namespace

const Validation manufactured_scalar_validation{
    "manufactured_scalar", "errors and orders with every kind of side, a source and a velocity",
    validate_manufactured_scalar};

}  // namespace hodge::tools
