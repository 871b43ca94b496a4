// Steady flow through rectangular ducts, from rest: errors against the exact series, and the
// friction factor f Re = 2 D^2 G / (nu U), D the hydraulic diameter 4 area / perimeter, U the mean
// velocity, against the values published for a square and a 2:1 duct.
//
// Bounds: order 1.9 of a second-order scheme, for f Re too; 1.8 of the errors on the coarse grids
// of --quick, where the next term of the error, of third order beside the walls, weighs more. The
// Richardson limit of f Re within 0.1 %: some hundred units of the last published digit.
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::duct {

struct Shape {
  const char* name;
  double width;     // along z; along y it is 2
  double friction;  // f Re
};
// F. M. White, Fluid Mechanics, Table 6.4; more digits by R. K. Shah & A. L. London, Laminar Flow
// Forced Convection in Ducts, 1978 (four times their Fanning factors 14.22708 and 15.54806).
constexpr Shape shapes[] = {{"1:1 duct", 2, 56.908}, {"2:1 duct", 4, 62.192}};

double mean_velocity(const Flow& flow) {
  const auto velocity = flow.cell_arrays({"velocity"})[0].values;
  double sum = 0;
  for (std::size_t i = 0; i < velocity.size(); i += 3) sum += velocity[i];
  return sum / static_cast<double>(flow.grid().cell_count());
}

double friction_of(const Shape& shape, const Problem& problem, const Flow& flow) {
  const double diameter = 4 * 2 * shape.width / (2 * (2 + shape.width));
  return 2 * diameter * diameter * problem.force[0]({}, 0) /
         (problem.viscosity * mean_velocity(flow));
}

void add_shape(const Shape& shape, Report& report) {
  Convergence study{shape.name, "cells along y", velocity_errors(report.choose(1.8, 1.9))};
  std::vector<double> frictions;
  const std::vector<int> grids = doubled(report.choose(12, 24));
  for (const int cells : grids) {
    const int wide = static_cast<int>(cells * shape.width / 2);
    Settings settings = case_settings(report, "duct", {4, cells, wide}, {}, "backward_euler");
    settings.grid.axes[2].lower = -0.5 * shape.width;
    settings.grid.axes[2].upper = 0.5 * shape.width;
    set_steady(settings, {.step = 1000, .tolerance = 1e-12, .end = 1e6});  // 1000 = 20 a^2 / nu
    Problem problem = case_problem(settings);
    problem.initial_velocity = nullptr;
    const std::string run = fmt::format("{}, {}", shape.name, cells_text(settings));
    const auto flow = run_to_steady_state(report, settings, problem, run);
    study.add(cells, run, errors_of(*flow));
    frictions.push_back(friction_of(shape, problem, *flow));
  }
  study.write(report);
  report.add({"friction factor x Re",
              fmt::format("{}, {} cells along y, extrapolated", shape.name, fmt::join(grids, ", ")),
              limit_of_last(frictions), shape.friction, relative(0.001),
              "White; Shah & London 1978", order_of_last(frictions), 1.9});
}

void add_shapes(Report& report) {
  for (const Shape& shape : shapes) add_shape(shape, report);
}

Validations describe() {
  return {
      {"rectangular ducts in 3D against the exact series and its friction factor", {add_shapes}}};
}

}  // namespace hodge::tools::validations::duct
