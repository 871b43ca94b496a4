// Orders of scalars at rest at a ball that cuts cells (treatment: sharp), on three grids, with
// every condition, and where the ball conducts:
//
//   value, flux, convective   c = sin(1.3 x + 0.4) cos(1.7 y) cos(0.9 z) around the ball, kept by a
//                             source
//   conductivity r            c in the gradient (1, 0.4, 0), kept by the sides: inside 3 / (2 + r)
//   times
//                             that, outside 1 + (1 - r) / (2 + r) (R / |x|)^3 times
//
// Bound, between the last two grids: 1.9 for the error in L2; 0.25 less on the coarse grids of
// --quick. --large adds a fourth grid.
#include <functional>
#include <optional>

#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::sharp_scalars {

using sim::Expression;
constexpr double radius = 0.27, diffusivity = 0.1;
constexpr Point middle{0.513, 0.481, 0.507};  // in the unit box

struct ScalarStudy {
  std::string name;
  Expression exact;
  bool conducts = false;  // else errors are those in the fluid
  sim::ScalarProblem scalar{};
  sim::SolidScalar at_ball{};
};

std::string relative_place(int axis) {
  constexpr const char* names[] = {"x", "y", "z"};
  return fmt::format("({} - {})", names[axis], middle[axis]);
}
std::string distance_text() {
  return fmt::format("sqrt({}^2 + {}^2 + {}^2)", relative_place(0), relative_place(1),
                     relative_place(2));
}

ScalarStudy study_of(const std::string& name, const std::string& exact) {
  ScalarStudy study{.name = name, .exact = Expression::parse(exact)};
  study.scalar.name = study.at_ball.name = "c";
  study.scalar.diffusivity = diffusivity;
  study.scalar.initial = [of = study.exact](const Point& x) { return of(x, 0); };
  for (auto& sides : study.scalar.sides)
    for (sim::ScalarSide& side : sides) side = {sim::ScalarSideKind::value, study.exact};
  return study;
}

ScalarStudy ball_with_condition(sim::ScalarSideKind kind, const std::string& name) {
  const std::string x = "sin(1.3*x + 0.4)", y = "cos(1.7*y)", z = "cos(0.9*z)",
                    c = x + "*" + y + "*" + z;
  ScalarStudy study = study_of(name, c);
  study.scalar.source =
      Expression::parse(fmt::format("{}*{}", diffusivity * (1.3 * 1.3 + 1.7 * 1.7 + 0.9 * 0.9), c));
  // D dc/dn, n out of the fluid
  const std::string flux = fmt::format(
      "({}*({}*1.3*cos(1.3*x + 0.4)*{}*{} - {}*1.7*sin(1.7*y)*{}*{} - "
      "{}*0.9*sin(0.9*z)*{}*{}))",
      -diffusivity / radius, relative_place(0), y, z, relative_place(1), x, z, relative_place(2), x,
      y);
  constexpr double coefficient = 0.7;
  sim::ScalarSide& surface = study.at_ball.surface;
  surface = {kind, study.exact};
  if (kind == sim::ScalarSideKind::flux) surface.value = Expression::parse(flux);
  if (kind == sim::ScalarSideKind::convective) {
    surface.value = Expression::parse(fmt::format("{} + {}/{}", c, flux, coefficient));
    surface.coefficient = coefficient;
  }
  return study;
}

ScalarStudy ball_that_conducts(double ratio) {
  const std::string r = distance_text();
  ScalarStudy study =
      study_of(fmt::format("conductivity {} times the fluid's", ratio),
               fmt::format("({} + 0.4*{})*({} < {} ? {:.17g} : 1 + {:.17g}*({}/{})^3)",
                           relative_place(0), relative_place(1), r, radius, 3 / (2 + ratio),
                           (1 - ratio) / (2 + ratio), radius, r));
  study.conducts = true;
  study.at_ball.heat = sim::HeatInside{.conductivity = ratio * diffusivity};
  return study;
}

// Root mean square and largest error of the cells whose centre is in the fluid, or of all.
std::vector<double> errors_of_scalar(const Flow& flow, const ScalarStudy& study) {
  const std::vector<double> values = flow.cell_arrays({"c"})[0].values;
  const sim::Grid& grid = flow.grid();
  double squares = 0, largest = 0, count = 0;
  std::size_t cell = 0;
  for (int k = 0; k < grid.cells(2); ++k)
    for (int j = 0; j < grid.cells(1); ++j)
      for (int i = 0; i < grid.cells(0); ++i, ++cell) {
        const Point x{grid.axis(0).centre(i), grid.axis(1).centre(j), grid.axis(2).centre(k)};
        const double r = std::hypot(x[0] - middle[0], x[1] - middle[1], x[2] - middle[2]);
        if (!study.conducts && r < radius) continue;
        const double error = std::abs(values[cell] - study.exact(x, 0));
        squares += error * error;
        largest = std::max(largest, error);
        ++count;
      }
  return {std::sqrt(squares / count), largest};
}

void run_scalar_study(Report& report, const ScalarStudy& study) {
  std::vector<int> grids = report.choose(std::vector{10, 14, 20}, doubled(16));
  if (report.options.large) grids.push_back(2 * grids.back());
  const double least = report.choose(1.65, 1.9);
  Convergence errors{"errors of a scalar at a ball",
                     "cells a side",
                     {{study.name + ": error, L2", least}, {study.name + ": error, largest"}}};
  for (const int cells : grids) {
    Settings settings = case_settings(report, "poiseuille", {cells, cells, cells});
    for (sim::AxisSettings& axis : settings.grid.axes) axis.lower = 0, axis.upper = 1;
    settings.scalars.tolerance = 1e-10;
    set_steady(settings, {.step = 2, .tolerance = 1e-8, .end = 200});
    Problem problem;
    problem.viscosity = diffusivity;
    problem.scalars = {study.scalar};
    problem.solids = {{.name = "ball",
                       .region = {sim::SphereShape{middle, radius}, {}, false},
                       .scalars = {study.at_ball},
                       .sharp = true}};
    const std::string run = cells_text(settings);
    const auto flow = run_to_steady_state(report, settings, problem, study.name + ", " + run);
    errors.add(cells, run, errors_of_scalar(*flow, study));
  }
  errors.write(report);
}

void add_conditions(Report& report) {
  run_scalar_study(report, ball_with_condition(sim::ScalarSideKind::value, "value"));
  run_scalar_study(report, ball_with_condition(sim::ScalarSideKind::flux, "flux"));
  run_scalar_study(report, ball_with_condition(sim::ScalarSideKind::convective, "convective"));
}

void add_conductors(Report& report) {
  for (const double ratio : {0.1, 5.0, 1000.0}) run_scalar_study(report, ball_that_conducts(ratio));
}

Validations describe() {
  return {{"orders of scalars at a ball that cuts cells, with every condition and conducting",
           {add_conditions, add_conductors}}};
}

}  // namespace hodge::tools::validations::sharp_scalars
