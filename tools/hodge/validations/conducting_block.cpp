// Natural convection of air in the heated square around a block in its middle that conducts heat,
// of half its width: the mean Nusselt number of the hot side, for blocks that conduct less and more
// than the fluid, on grids that double.
//
//   reference   J. M. House, C. Beckermann & T. F. Smith, Numer. Heat Transfer A 18, 1990: Ra 1e5,
//               Pr 0.71, width 0.5: 4.624 (ratio of conductivities 0.2), 4.324 (5)
//
// Bound: 1 % on the finest grid. Equal cells, whose faces are the sides of the block, or which a
// sharp one cuts.
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::conducting_block {

struct BlockStudy {
  double ratio, nusselt;
};
constexpr BlockStudy block_studies[] = {{0.2, 4.624}, {5, 4.324}};

Problem with_block(const Settings& settings, double ratio, bool is_sharp) {
  Problem problem = case_problem(settings);
  const sim::ScalarProblem& temperature = problem.scalars[0];
  const sim::HeatInside heat{.conductivity = ratio * temperature.diffusivity};
  problem.solids = {{"block",
                     {sim::BoxShape{{0.25, 0.25, -1}, {0.75, 0.75, 1}}},
                     {{temperature.name, {}, heat, {}}},
                     is_sharp}};
  return problem;
}

void run_block_study(const BlockStudy& study, bool is_sharp, Report& report) {
  const std::vector<int> grids = is_sharp
                                     ? report.choose(std::vector{31, 62}, std::vector{62, 124})
                                     : report.choose(std::vector{32, 64}, std::vector{32, 64, 128});
  std::vector<double> values;
  std::string run;
  for (const int cells : grids) {
    Settings settings = case_settings(report, "heated_cavity", {cells, cells}, {{"rayleigh", 1e5}});
    set_steady(settings, {.step = 0.5, .tolerance = 1e-6, .end = 3000, .pressure = 1e-4});
    run = fmt::format("{}conductivity {}, {}", is_sharp ? "sharp, " : "", study.ratio,
                      cells_text(settings));
    const auto flow =
        run_to_steady_state(report, settings, with_block(settings, study.ratio, is_sharp), run);
    values.push_back(quantity(*flow, "nusselt_temperature_x_lower"));
  }
  report.add({"mean Nusselt number", run, values.back(), study.nusselt, relative(0.01),
              "House, Beckermann & Smith 1990", order_of_last(values)});
}

void run_block_studies(Report& report) {
  for (const bool is_sharp : {false, true})
    for (const BlockStudy& study : block_studies) run_block_study(study, is_sharp, report);
}

Validations describe() {
  return {{"Nusselt number of natural convection around a conducting block", {run_block_studies}}};
}

}  // namespace hodge::tools::validations::conducting_block
