// Natural convection of air around a hot cylinder in the middle of a cold square box, of radius 0.2
// of its width L: the mean Nusselt number of the cylinder, heat over conductivity, difference of
// temperatures and perimeter, times L, on grids that double.
//
//   reference   B. S. Kim, D. S. Lee, M. Y. Ha & H. S. Yoon, Int. J. Heat Mass Transfer 51, 2008:
//               Pr 0.71, Ra 1e3 of L: 5.02, 1e4: 5.12, 1e5: 7.77, 1e6: 14.1 (as printed, averaged
//               over the cylinder)
//
// Bound: 1 % on the finest grid; at Ra 1e6 3 % on the coarse ones of --quick, whose layer at the
// cylinder has three cells. Equal cells, which the cylinder cuts (treatment: sharp). --large
// doubles the finest grid.
#include <numbers>

#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::heated_cylinder {

struct CylinderStudy {
  double rayleigh, nusselt;
};
constexpr CylinderStudy cylinder_studies[] = {{1e3, 5.02}, {1e4, 5.12}, {1e5, 7.77}, {1e6, 14.1}};

Problem with_cylinder(const Settings& settings) {
  constexpr double radius = 0.2;
  Problem problem = case_problem(settings);
  sim::ScalarProblem& temperature = problem.scalars[0];
  for (int axis = 0; axis < 2; ++axis)
    for (sim::ScalarSide& side : temperature.sides[axis]) side = {sim::ScalarSideKind::value, 0};
  temperature.initial = [](const sim::Point&) { return 0.0; };
  const sim::NusseltScales scales{
      .length = 1, .difference = 1, .surface = 2 * std::numbers::pi * radius};
  const sim::SolidScalar hot{temperature.name, {sim::ScalarSideKind::value, 1}, {}, scales};
  problem.solids = {sim::Solid{.name = "cylinder",
                               .region = sim::Region{sim::SphereShape{{0.5, 0.5, 0}, radius}},
                               .scalars = {hot},
                               .sharp = true}};
  return problem;
}

void run_cylinder_study(const CylinderStudy& study, Report& report) {
  std::vector<int> grids = report.choose(std::vector{24, 48}, doubled(32));
  if (report.options.large) grids.push_back(2 * grids.back());
  const double bound = report.choose(study.rayleigh < 1e6 ? 0.01 : 0.03, 0.01);
  std::vector<double> values;
  std::string run;
  for (const int cells : grids) {
    Settings settings =
        case_settings(report, "heated_cavity", {cells, cells}, {{"rayleigh", study.rayleigh}});
    set_steady(settings, {.step = 0.2, .tolerance = 1e-5, .end = 1000, .pressure = 1e-6});
    run = fmt::format("Ra {}, {}", study.rayleigh, cells_text(settings));
    const auto flow = run_to_steady_state(report, settings, with_cylinder(settings), run);
    values.push_back(quantity(*flow, "nusselt_temperature_cylinder"));
  }
  report.add({"mean Nusselt number", run, values.back(), study.nusselt, relative(bound),
              "Kim, Lee, Ha & Yoon 2008", order_of_last(values)});
}

void run_cylinder_studies(Report& report) {
  for (const CylinderStudy& study : cylinder_studies) run_cylinder_study(study, report);
}

Validations describe() {
  return {{"Nusselt number of natural convection around a hot cylinder in a cold box",
           {run_cylinder_studies}}};
}

}  // namespace hodge::tools::validations::heated_cylinder
