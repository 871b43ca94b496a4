// Steady natural convection of air in the heated square: the mean Nusselt number, the largest u on
// x = 1/2 and the largest v on y = 1/2, on grids that double, in units of kappa / L.
//
//   reference   devahldavis1983_own_spectral.csv: Chebyshev collocation, converged to 5 digits
//   told        G. de Vahl Davis 1983, extrapolated from 81^2 points, itself off by up to 0.6 %
//
// Bounds: 1 % on the finest grid of each Rayleigh number. The limit that grids of N and 2 N cells
// extrapolate to with second order is told.
#include <fmt/format.h>

#include <cmath>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/orders.hpp"
#include "tools/hodge/validate/reference_table.hpp"
#include "tools/hodge/validate/steady_state.hpp"
#include "tools/hodge/validate/wall_gradient.hpp"

namespace hodge::tools {
namespace {

constexpr double prandtl = 0.71;
constexpr double largest_error = 0.01;  // relative

struct Study {
  double rayleigh;
  std::vector<int> grids;  // each starts from the steady state of the one before
  double step;             // in units of free fall
};

const std::vector<Study> full_studies{{1e3, {32, 64, 128}, 0.5},
                                      {1e4, {32, 64, 128}, 0.5},
                                      {1e5, {64, 128}, 0.5},
                                      {1e6, {64, 128, 256}, 0.25}};
const std::vector<Study> quick_studies{{1e4, {24, 48}, 0.5}};

struct Measured {
  std::string quantity, column;  // of both reference files
  double value;
};

Profile velocity_on_line(const sim::Flow& flow, int component, int axis, double unit) {
  const CellField velocity(flow, "velocity");
  const Profile inside = velocity.line(component, {axis, {0.5, 0.5, 0}});
  Profile profile = with_ends(inside, velocity.grid().axis(axis), 0, 0);
  for (double& value : profile.values) value /= unit;
  return profile;
}

std::vector<Measured> measure(const sim::Flow& flow, double rayleigh) {
  const double unit = 1 / std::sqrt(rayleigh * prandtl);  // kappa / L
  const double gradient = mean_wall_gradient(CellField(flow, "temperature"), {0, 0, 1.0});
  return {{"mean Nusselt number", "Nu_bar", -gradient},
          {"u_max on x = 0.5", "u_max", extremum(velocity_on_line(flow, 0, 1, unit), +1).value},
          {"v_max on y = 0.5", "v_max", extremum(velocity_on_line(flow, 1, 0, unit), +1).value}};
}

std::vector<std::vector<Measured>> run_grids(const Study& study, const ValidateOptions& options,
                                             Report& report) {
  std::vector<std::vector<Measured>> results;
  std::unique_ptr<sim::Flow> flow;
  for (const int cells : study.grids) {
    sim::Settings settings =
        case_settings(options, "heated_cavity", {cells, cells}, {{"rayleigh", study.rayleigh}});
    settings.time.end = 3000;
    settings.time.step.size = study.step;
    settings.time.steady_tolerance = 1e-7;
    settings.pressure.tolerance = 1e-4;
    sim::Problem problem = case_problem(settings);
    if (flow) problem = started_from(*flow, std::move(problem));
    const std::string run = fmt::format("Ra {:.0e}, {}", study.rayleigh, cells_text(settings));
    flow = run_to_steady_state(report, settings, problem, run);
    results.push_back(measure(*flow, study.rayleigh));
  }
  return results;
}

void run_study(const Study& study, const ValidateOptions& options, Report& report) {
  const auto results = run_grids(study, options, report);
  const std::size_t last = results.size() - 1;
  for (std::size_t i = 0; i < results[last].size(); ++i) {
    const auto [quantity, column, fine] = results[last][i];
    const double medium = results[last - 1][i].value;
    const double reference =
        reference_value("devahldavis1983_own_spectral.csv", column, study.rayleigh);
    Row row{.quantity = quantity,
            .run = fmt::format("Ra {0:.0e}, {1} x {1} cells", study.rayleigh, study.grids[last]),
            .measured = fine,
            .published = reference,
            .bound = relative(largest_error),
            .source = "own spectral solution"};
    if (last > 1) row.order = order_of_values(results[last - 2][i].value, medium, fine);
    report.add(row);
    report.add({.quantity = quantity + ", extrapolated",
                .run = fmt::format("Ra {:.0e}", study.rayleigh),
                .measured = extrapolate(medium, fine),
                .published = reference_value("devahldavis1983.csv", column, study.rayleigh),
                .source = "de Vahl Davis 1983"});
  }
}

void run(const ValidateOptions& options, Report& report) {
  for (const Study& study : options.quick ? quick_studies : full_studies)
    run_study(study, options, report);
}

}  // namespace

const Validation heated_cavity_validation{
    "heated_cavity", "Nusselt number and largest velocities of natural convection in a square",
    run};

}  // namespace hodge::tools
