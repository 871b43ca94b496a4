// Steady natural convection of air in the heated square: the mean Nusselt number, the largest u on
// x = 1/2 and the largest v on y = 1/2, on grids that double, in units of kappa / L; the largest
// local Nusselt number on the hot side.
//
//   reference   devahldavis1983_own_spectral.csv: Chebyshev collocation, converged to 5 digits
//   shown only  G. de Vahl Davis 1983, extrapolated from 81^2 points, itself off by up to 0.6 %
//
// Bounds: 1 % on the finest grid of each Rayleigh number. The second-order extrapolation from grids
// of N and 2 N cells, and the place of the largest local Nusselt number, are shown only.
#include <algorithm>

#include "sim/discrete/probes/surface_faces.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools::validations::heated_cavity {

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
  Profile u, v;   // on x = 1/2 and y = 1/2, in units of kappa / L
  Profile local;  // Nusselt number along the hot side
};

// The flux into the fluid, over kappa and the difference of the temperatures, which is 1.
Profile local_nusselt(const Flow& flow, double kappa) {
  const std::vector<std::string> hot{"x_lower"};
  const auto sampler = flow.make_surface_sampler(hot);
  const std::vector<std::string>& columns = sampler->columns();
  const auto column = std::ranges::find(columns, "temperature_flux") - columns.begin();
  std::vector<double> values(sampler->points() * columns.size());
  sampler->sample(values);
  const double* next = values.data() + static_cast<std::size_t>(column) * sampler->points();
  const std::vector<sim::FacedSurface> surfaces = flow.surfaces(hot);
  Profile profile;
  for (const sim::GridFace& face : surfaces.at(0).faces)
    profile.push_back({sim::middle_of(flow.grid(), face)[1], *next++ / kappa});
  return profile;
}

SteadyState measure(const Flow& flow, double rayleigh) {
  const double unit = 1 / std::sqrt(rayleigh * prandtl);  // kappa / L
  const auto on_line = [&](int component, int axis) {
    Profile profile = CellField(flow, "velocity").line(component, {axis, {0.5, 0.5, 0}, {{0, 0}}});
    for (auto& [position, value] : profile) value /= unit;
    return profile;
  };
  return {quantity(flow, "nusselt_temperature_x_lower"), on_line(0, 1), on_line(1, 0),
          local_nusselt(flow, unit)};
}

struct Quantity {
  const char *name, *column;  // of both reference files
  double (*of)(const SteadyState&);
  bool is_bounded = true;
};
constexpr Quantity quantities[] = {
    {"mean Nusselt number", "Nu_bar", [](const SteadyState& s) { return s.nusselt; }},
    {"u_max on x = 0.5", "u_max", [](const SteadyState& s) { return extremum(s.u, +1).value; }},
    {"v_max on y = 0.5", "v_max", [](const SteadyState& s) { return extremum(s.v, +1).value; }},
    {"largest local Nusselt number", "Nu_max",
     [](const SteadyState& s) { return extremum(s.local, +1).value; }},
    {"y of the largest local Nusselt number", "y_Numax",
     [](const SteadyState& s) { return extremum(s.local, +1).position; }, false},
};

// The profile over the largest value of the reference, and the point where that is.
void add_curves(const std::string& run, Profile profile, const ProfilePoint& largest,
                Figure& figure) {
  for (auto& [position, value] : profile) value /= largest.value;
  figure.add_measured(run, profile);
  figure.add_published("largest, spectral, " + run, {{largest.position, 1.0}});
}

void run_heated_study(const HeatedStudy& study, Report& report) {
  const std::string name = fmt::format("Ra {:.0e}", study.rayleigh);
  std::vector<SteadyState> results;
  FlowPointer flow;
  for (const int cells : study.grids) {
    Settings settings =
        case_settings(report, "heated_cavity", {cells, cells}, {{"rayleigh", study.rayleigh}});
    set_steady(settings, {study.step, 1e-7, 3000, 1e-4});
    const std::string run = fmt::format("{}, {}", name, cells_text(settings));
    flow = run_to_steady_state(report, settings, run, flow.get());
    results.push_back(measure(*flow, study.rayleigh));
  }
  const auto reference = [&](const char* column) {
    return reference_value(spectral_file, column, study.rayleigh);
  };
  for (const Quantity& quantity : quantities) {
    std::vector<double> values;
    for (const SteadyState& state : results) values.push_back(quantity.of(state));
    report.add({quantity.name, fmt::format("{0}, {1} x {1} cells", name, study.grids.back()),
                values.back(), reference(quantity.column),
                quantity.is_bounded ? relative(largest_deviation) : Bound{},
                "own spectral solution", order_of_last(values)});
    report.add({quantity.name + std::string(", extrapolated"), name, limit_of_last(values),
                reference_value("devahldavis1983.csv", quantity.column, study.rayleigh), Bound{},
                "de Vahl Davis 1983"});
  }
  add_curves(name, results.back().u, {reference("y_umax"), reference("u_max")},
             report.figure("u on x = 1/2", "y", "u / largest u"));
  add_curves(name, results.back().v, {reference("x_vmax"), reference("v_max")},
             report.figure("v on y = 1/2", "x", "v / largest v"));
}

void run_heated_studies(Report& report) {
  for (const HeatedStudy& study : report.choose(quick_heated_studies, full_heated_studies))
    run_heated_study(study, report);
}

Validations describe() {
  return {{"Nusselt number and largest velocities of natural convection in a square",
           {run_heated_studies}}};
}

}  // namespace hodge::tools::validations::heated_cavity
