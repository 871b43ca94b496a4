// Flow past a circular cylinder: the steady wake at Re = 40, and the vortex street at Re = 100.
//
// The cylinder is a staircase of blocked cells. What that does is seen from grid to grid: the
// change from the coarser to the finest grid stands beside every quantity. Authors differ among
// themselves by the bounds below (circular_cylinder.csv); the box adds its blockage of 2.5 %, the
// staircase an error of first order.
#include <cmath>

#include "tools/hodge/validate/reference_table.hpp"
#include "tools/hodge/validate/steady_state.hpp"
#include "tools/hodge/validate/stream.hpp"

namespace hodge::tools {
namespace {

constexpr const char* circle_file = "circular_cylinder.csv";
constexpr double steady_reynolds = 40, shedding_reynolds = 100;

Published published(const char* column, double reynolds, Bound bound, const char* source) {
  return {reference_value(circle_file, column, reynolds), bound, source};
}

void add_steady(const ValidateOptions& options, const std::vector<int>& grids, Report& report) {
  const Bound drag_bound = relative(options.quick ? 0.08 : 0.05);
  const Bound wake_bound = relative(options.quick ? 0.15 : 0.08);
  Refined drag{.quantity = "drag coefficient",
               .published = {published("drag_dennis_chang", steady_reynolds, drag_bound,
                                       "Dennis & Chang 1970"),
                             published("drag_wu_shu", steady_reynolds, {}, "Wu & Shu 2009")},
               .largest_change = 0.03};
  Refined wake{
      .quantity = "length of the wake",
      .published = {published("wake_wu_shu", steady_reynolds, wake_bound, "Wu & Shu 2009"),
                    published("wake_dennis_chang", steady_reynolds, {}, "Dennis & Chang 1970"),
                    published("wake_fornberg", steady_reynolds, {}, "Fornberg 1980"),
                    published("wake_coutanceau_bouard", steady_reynolds, {},
                              "Coutanceau & Bouard 1977, experiment")},
      .largest_change = 0.05};
  Figure& figure = report.figure("u on the axis behind the cylinder, Re 40", "x", "u");
  std::unique_ptr<sim::Flow> flow;
  for (const int cells : grids) {
    const StreamCase stream{"circular_cylinder", steady_reynolds, cells};
    sim::Settings settings = stream_settings(options, stream);
    settings.time.step.size = 0.2;  // the steady state is the same for every step
    settings.time.steady_tolerance = 3e-4;
    settings.time.end = 300;
    const std::string run = run_name(stream, settings);
    sim::Problem problem = case_problem(settings);
    if (flow) problem = started_from(*flow, std::move(problem));
    flow = run_to_steady_state(report, settings, problem, run);
    const Profile axis = wake_axis(*flow);
    drag.runs.push_back(run);
    wake.runs.push_back(run);
    drag.values.push_back(drag_coefficient(*flow));
    wake.values.push_back(wake_length(axis));
    figure.curves.push_back({run, Curve::Kind::measured, between(axis, 0.5, 6)});
  }
  add_refined(report, drag);
  add_refined(report, wake);
}

void add_shedding(const ValidateOptions& options, const std::vector<int>& grids, Report& report) {
  const double end = 150, window = 60;
  Refined strouhal{.quantity = "Strouhal number",
                   .published = {published("strouhal_williamson", shedding_reynolds, relative(0.04),
                                           "Williamson 1989")},
                   .largest_change = 0.03};
  Refined drag{
      .quantity = "mean drag coefficient",
      .published = {published("drag_wu_shu", shedding_reynolds, relative(0.05), "Wu & Shu 2009")},
      .largest_change = 0.03};
  Refined lift{
      .quantity = "largest lift coefficient",
      .published = {published("lift_wu_shu", shedding_reynolds, relative(0.12), "Wu & Shu 2009")},
      .largest_change = 0.1};
  for (const int cells : grids) {
    const StreamCase stream{"circular_cylinder", shedding_reynolds, cells, 0.5};
    const sim::Settings settings = stream_settings(options, stream);
    const std::string run = run_name(stream, settings);
    const ForceHistory history = run_stream(report, settings, end, 1.6 / cells, run);
    const Shedding measured = shedding(history, end - window);
    add_history(report, run, history);
    for (Refined* study : {&strouhal, &drag, &lift}) study->runs.push_back(run);
    strouhal.values.push_back(measured.strouhal);
    drag.values.push_back(measured.mean_drag);
    lift.values.push_back(measured.largest_lift);
    report.add({.quantity = "growth of the lift within the window",
                .run = run,
                .measured = std::abs(measured.drift),
                .bound = at_most(0.01),
                .source = "a periodic flow"});
  }
  for (const Refined* study : {&strouhal, &drag, &lift}) add_refined(report, *study);
}

void validate_circular_cylinder(const ValidateOptions& options, Report& report) {
  add_steady(options, options.quick ? std::vector{8} : std::vector{16, 32}, report);
  if (!options.quick) add_shedding(options, {16, 32}, report);
}

}  // namespace

const Validation circular_cylinder_validation{
    "circular_cylinder", "a cylinder's drag, wake and vortex street against published values",
    validate_circular_cylinder};

}  // namespace hodge::tools
