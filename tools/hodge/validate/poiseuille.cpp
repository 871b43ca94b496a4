// Steady flow between two plates, driven by a force in a periodic box, and by an inflow in a box
// with an outflow: errors against the exact solution.
//
// Beside the plates diffusion is that of the parabola through the plate and the first two values
// (sim/discrete/operators/side_friction.hpp), so that the exact profile solves the discrete
// equations: what remains is where steps and solvers stop.
#include <fmt/format.h>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/steady_state.hpp"

namespace hodge::tools {
namespace {

constexpr double stopped_at = 1e-7;  // of velocities and pressures of about 1

void add_error(Report& report, const char* quantity, const std::string& run, double error) {
  report.add({.quantity = quantity,
              .run = run,
              .measured = error,
              .bound = at_most(stopped_at),
              .source = "exact solution"});
}

void add_periodic(const ValidateOptions& options, Report& report) {
  for (const int cells : {8, 16, 32}) {
    sim::Settings settings = case_settings(options, "poiseuille", {4, cells}, {{"reynolds", 10}});
    settings.time.scheme = "backward_euler";
    settings.time.step.size = 100;  // ten times H^2 / nu
    settings.time.steady_tolerance = 1e-14;
    settings.time.end = 1e5;
    sim::Problem problem = case_problem(settings);
    problem.initial_velocity = nullptr;
    const std::string run = fmt::format("force, {}", cells_text(settings));
    const auto flow = run_to_steady_state(report, settings, problem, run);
    add_error(report, "velocity error, largest", run, flow->error_norms().value().velocity_max);
  }
}

void add_parabolic_inflow(const ValidateOptions& options, Report& report) {
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
    const auto flow = run_to_steady_state(report, settings, problem, run);
    const sim::ErrorNorms errors = flow->error_norms().value();
    add_error(report, "velocity error, largest", run, errors.velocity_max);
    add_error(report, "pressure error, largest", run, errors.pressure_max);
  }
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
