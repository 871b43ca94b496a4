// Steady flow between two plates, driven by a force in a periodic box, and by an inflow in a box
// with an outflow: errors against the exact solution.
//
// Beside the plates the friction is that of the parabola through the plate and the first two values
// (sim/discrete/operators/side_friction.hpp), so the exact profile solves the discrete equations:
// the remaining error is that of the tolerances of steps and solvers.
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::poiseuille {

void add_error(Report& report, const char* quantity, const std::string& run, double error) {
  constexpr double stopped_at = 1e-7;  // of velocities and pressures of about 1
  report.limit(quantity, run, error, at_most(stopped_at), "exact solution");
}

void add_periodic(Report& report) {
  for (const int cells : doubled(8)) {
    Settings settings =
        case_settings(report, "poiseuille", {4, cells}, {{"reynolds", 10}}, "backward_euler");
    set_steady(settings, {.step = 100, .tolerance = 1e-14, .end = 1e5});  // 100 = 10 H^2 / nu
    Problem problem = case_problem(settings);
    problem.initial_velocity = nullptr;
    const std::string run = fmt::format("force, {}", cells_text(settings));
    const auto flow = run_to_steady_state(report, settings, problem, run);
    add_error(report, "velocity error, largest", run, flow->error_norms().value().velocity_max);
  }
}

void add_parabolic_inflow(Report& report) {
  for (const int cells : doubled(report.choose(8, 16))) {
    Settings settings =
        case_settings(report, "poiseuille", {2 * cells, cells}, {{"reynolds", 10}, {"inflow", 1}});
    set_steady(settings, {.step = 0.05, .tolerance = 1e-8, .end = 100});
    Problem problem = case_problem(settings);
    problem.initial_velocity = [](Point) { return std::array<double, 3>{1, 0, 0}; };
    problem.initial_pressure = nullptr;
    const std::string run = fmt::format("inflow, {}", cells_text(settings));
    const auto flow = run_to_steady_state(report, settings, problem, run);
    const sim::ErrorNorms errors = flow->error_norms().value();
    add_error(report, "velocity error, largest", run, errors.velocity_max);
    add_error(report, "pressure error, largest", run, errors.pressure_max);
  }
}

Validations describe() {
  return {{"channel flow by a force and by inflow and outflow, against the exact solution",
           {add_periodic, add_parabolic_inflow}}};
}

}  // namespace hodge::tools::validations::poiseuille
