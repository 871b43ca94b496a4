// Steady flow between two plates, driven by a force in a periodic box, and by an inflow in a box
// with an outflow: errors against the exact solution and their order.
//
// Central differences with the wall half a cell from the first value give the parabola plus a
// constant of 3/2 U (h/H)^2: the order is 2 to round-off, and 1.99 is asked for. With inflow and
// outflow the flow starts from a uniform stream; where the exact profile turns into the discrete
// one, behind the inflow, the next term of the error weighs more: order 1.9, and 1.8 of the largest
// error on the coarse grids of --quick. The order of the pressure is told.
#include <fmt/format.h>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/error_study.hpp"
#include "tools/hodge/validate/steady_state.hpp"

namespace hodge::tools {
namespace {

void add_periodic(const ValidateOptions& options, Report& report) {
  ErrorStudy study({.figure = "driven by a force",
                    .size_label = "cells across",
                    .velocity_order = 1.99,
                    .largest_order = 1.99,
                    .pressure = false});
  for (const int cells : {8, 16, 32}) {
    sim::Settings settings = case_settings(options, "poiseuille", {4, cells}, {{"reynolds", 10}});
    settings.time.scheme = "backward_euler";
    settings.time.step.size = 100;  // ten times H^2 / nu
    settings.time.steady_tolerance = 1e-14;
    settings.time.end = 1e5;
    sim::Problem problem = case_problem(settings);
    problem.initial_velocity = nullptr;
    const std::string run = fmt::format("force, {}", cells_text(settings));
    study.add(cells, run,
              run_to_steady_state(report, settings, problem, run)->error_norms().value());
  }
  study.write(report);
}

void add_parabolic_inflow(const ValidateOptions& options, Report& report) {
  ErrorStudy study({.figure = "inflow and outflow",
                    .size_label = "cells across",
                    .velocity_order = 1.9,
                    .largest_order = options.quick ? 1.8 : 1.9});
  for (const int cells : options.quick ? std::vector{8, 16, 32} : std::vector{16, 32, 64}) {
    sim::Settings settings =
        case_settings(options, "poiseuille", {2 * cells, cells}, {{"reynolds", 10}, {"inflow", 1}});
    settings.time.step.size = 0.05;
    settings.time.steady_tolerance = 1e-8;
    settings.time.end = 100;
    sim::Problem problem = case_problem(settings);
    problem.initial_velocity = [](sim::Point) { return std::array<double, 3>{1, 0, 0}; };
    problem.initial_pressure = nullptr;
    const std::string run = fmt::format("inflow, {}", cells_text(settings));
    study.add(cells, run,
              run_to_steady_state(report, settings, problem, run)->error_norms().value());
  }
  study.write(report);
}

void validate_poiseuille(const ValidateOptions& options, Report& report) {
  add_periodic(options, report);
  add_parabolic_inflow(options, report);
}

}  // namespace

const Validation poiseuille_validation{
    "poiseuille", "channel flow by a force and by inflow and outflow, against the exact solution",
    validate_poiseuille};

}  // namespace hodge::tools
