// Steady natural convection of air in the heated square: the mean Nusselt number, the largest u on
// x = 1/2 and the largest v on y = 1/2, on grids that double, in units of kappa / L.
//
//   reference   devahldavis1983_own_spectral.csv: Chebyshev collocation, converged to 5 digits
//   shown only  G. de Vahl Davis 1983, extrapolated from 81^2 points, itself off by up to 0.6 %
//
// Bounds: 1 % on the finest grid of each Rayleigh number. The second-order extrapolation from grids
// of N and 2 N cells is shown only.
#include <fmt/format.h>

#include <cmath>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/cell_field.hpp"
#include "tools/hodge/validate/reference_table.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {
namespace {

constexpr double prandtl = 0.71;
constexpr double largest_deviation = 0.01;  // relative
constexpr const char* spectral_file = "devahldavis1983_own_spectral.csv";

struct HeatedStudy {
  double rayleigh;
  std::vector<int> grids;  // each starts from the steady state of the one before
  double step;             // in units of free fall
};

const std::vector<HeatedStudy> full_heated_studies{{1e3, {32, 64, 128}, 0.5},
                                                   {1e4, {32, 64, 128}, 0.5},
                                                   {1e5, {64, 128}, 0.5},
                                                   {1e6, {64, 128, 256}, 0.25}};
const std::vector<HeatedStudy> quick_heated_studies{{1e4, {24, 48}, 0.5}};

struct SteadyState {
  double nusselt;
  Profile u, v;  // on x = 1/2 and y = 1/2, in units of kappa / L
};

Profile velocity_on_line(const sim::Flow& flow, int component, int axis, double unit) {
  Profile profile =
      line_with_ends(CellField(flow, "velocity"), component, {axis, {0.5, 0.5, 0}}, 0, 0);
  for (double& value : profile.values) value /= unit;
  return profile;
}

SteadyState measure(const sim::Flow& flow, double rayleigh) {
  const double unit = 1 / std::sqrt(rayleigh * prandtl);  // kappa / L
  return {quantity(flow, "nusselt_temperature_x_lower"), velocity_on_line(flow, 0, 1, unit),
          velocity_on_line(flow, 1, 0, unit)};
}

std::vector<SteadyState> run_grids(const HeatedStudy& study, Report& report) {
  std::vector<SteadyState> results;
  std::unique_ptr<sim::Flow> flow;
  for (const int cells : study.grids) {
    sim::Settings settings =
        case_settings(report, "heated_cavity", {cells, cells}, {{"rayleigh", study.rayleigh}});
    set_steady(settings, {study.step, 1e-7, 3000});
    settings.pressure.tolerance = 1e-4;
    const std::string run = fmt::format("Ra {:.0e}, {}", study.rayleigh, cells_text(settings));
    flow = run_to_steady_state(report, settings, run, flow.get());
    results.push_back(measure(*flow, study.rayleigh));
  }
  return results;
}

struct Quantity {
  const char *name, *column;  // of both reference files
  double (*of)(const SteadyState&);
};
constexpr Quantity quantities[] = {
    {"mean Nusselt number", "Nu_bar", [](const SteadyState& s) { return s.nusselt; }},
    {"u_max on x = 0.5", "u_max", [](const SteadyState& s) { return extremum(s.u, +1).value; }},
    {"v_max on y = 0.5", "v_max", [](const SteadyState& s) { return extremum(s.v, +1).value; }},
};

void add_quantity(const HeatedStudy& study, const std::vector<SteadyState>& results,
                  const Quantity& quantity, Report& report) {
  const std::string run = fmt::format("Ra {:.0e}", study.rayleigh);
  std::vector<double> values;
  for (const SteadyState& state : results) values.push_back(quantity.of(state));
  report.add({quantity.name, fmt::format("{0}, {1} x {1} cells", run, study.grids.back()),
              values.back(), reference_value(spectral_file, quantity.column, study.rayleigh),
              relative(largest_deviation), "own spectral solution", order_of_last(values)});
  report.add({quantity.name + std::string(", extrapolated"), run, limit_of_last(values),
              reference_value("devahldavis1983.csv", quantity.column, study.rayleigh), Bound{},
              "de Vahl Davis 1983"});
}

// The profile over the largest value of the reference, and the point where that is.
void add_curves(const std::string& run, Profile profile, const Extremum& largest, Figure& figure) {
  for (double& value : profile.values) value /= largest.value;
  figure.add_measured(run, profile);
  figure.add_published("largest, spectral, " + run, {{largest.position}, {1.0}});
}

void run_heated_study(const HeatedStudy& study, Report& report) {
  const std::vector<SteadyState> results = run_grids(study, report);
  for (const Quantity& quantity : quantities) add_quantity(study, results, quantity, report);
  const std::string run = fmt::format("Ra {:.0e}", study.rayleigh);
  const auto reference = [&](const char* column) {
    return reference_value(spectral_file, column, study.rayleigh);
  };
  add_curves(run, results.back().u, {reference("y_umax"), reference("u_max")},
             report.figure("u on x = 1/2", "y", "u / largest u"));
  add_curves(run, results.back().v, {reference("x_vmax"), reference("v_max")},
             report.figure("v on y = 1/2", "x", "v / largest v"));
}

}  // namespace

void validate_heated_cavity(Report& report) {
  for (const HeatedStudy& study : report.options.quick ? quick_heated_studies : full_heated_studies)
    run_heated_study(study, report);
}

}  // namespace hodge::tools
