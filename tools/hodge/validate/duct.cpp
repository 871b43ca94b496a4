// Steady flow through rectangular ducts, from rest: errors against the exact series, and the
// friction factor f Re = 2 D^2 G / (nu U), D the hydraulic diameter 4 area / perimeter, U the mean
// velocity, against the values published for a square and a 2:1 duct.
//
// Bounds: order 1.9 of a second-order scheme, for f Re too; 1.8 of the errors on the coarse grids
// of --quick, where the next term of the error, of third order beside the walls, weighs more. The
// Richardson limit of f Re within 0.1 %: some hundred units of the last published digit.
#include <fmt/format.h>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {
namespace {

struct Shape {
  const char* name;
  double width;     // along z; along y it is 2
  double friction;  // f Re
};
// F. M. White, Fluid Mechanics, Table 6.4; more digits by R. K. Shah & A. L. London, Laminar Flow
// Forced Convection in Ducts, 1978 (four times their Fanning factors 14.22708 and 15.54806).
constexpr Shape shapes[] = {{"1:1 duct", 2, 56.908}, {"2:1 duct", 4, 62.192}};

double mean_velocity(const sim::Flow& flow) {
  const auto velocity = flow.cell_arrays({"velocity"})[0].values;
  double sum = 0;
  for (std::size_t i = 0; i < velocity.size(); i += 3) sum += velocity[i];
  return sum / static_cast<double>(flow.grid().cell_count());
}

double friction_of(const Shape& shape, const sim::Problem& problem, const sim::Flow& flow) {
  const double diameter = 4 * 2 * shape.width / (2 * (2 + shape.width));
  return 2 * diameter * diameter * problem.force[0]({}, 0) /
         (problem.viscosity * mean_velocity(flow));
}

void add_shape(const Shape& shape, Report& report) {
  const double least_order = report.options.quick ? 1.8 : 1.9;
  ErrorStudy study({.figure = shape.name,
                    .size_label = "cells along y",
                    .velocity_order = least_order,
                    .largest_order = least_order,
                    .pressure = false});
  std::vector<double> frictions;
  const int coarsest = report.options.quick ? 12 : 24;
  for (const int refinement : {1, 2, 4}) {
    const int cells = coarsest * refinement;
    const int wide = static_cast<int>(cells * shape.width / 2);
    sim::Settings settings = case_settings(report, "duct", {4, cells, wide});
    settings.grid.axes[2].lower = -0.5 * shape.width;
    settings.grid.axes[2].upper = 0.5 * shape.width;
    settings.time.scheme = "backward_euler";
    set_steady(settings, {.step = 1000, .tolerance = 1e-12, .end = 1e6});  // 1000 = 20 a^2 / nu
    sim::Problem problem = case_problem(settings);
    problem.initial_velocity = nullptr;
    const std::string run = fmt::format("{}, {}", shape.name, cells_text(settings));
    const auto flow = run_to_steady_state(report, settings, problem, run);
    study.add(cells, run, flow->error_norms().value());
    frictions.push_back(friction_of(shape, problem, *flow));
  }
  study.write(report);
  report.add({"friction factor x Re",
              fmt::format("{}, {}, {}, {} cells along y, extrapolated", shape.name, coarsest,
                          2 * coarsest, 4 * coarsest),
              limit_of_last(frictions), shape.friction, relative(0.001),
              "White; Shah & London 1978", order_of_last(frictions), 1.9});
}

}  // namespace

void validate_duct(Report& report) {
  for (const Shape& shape : shapes) add_shape(shape, report);
}

}  // namespace hodge::tools
