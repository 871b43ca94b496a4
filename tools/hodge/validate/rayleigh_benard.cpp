// A layer of air heated from below, one pair of rolls of k H = 3.117 in the box.
//
//   onset        the growth rate s of a small disturbance, from its kinetic energy at two times,
//                s = ln(E2 / E1) / (2 (t2 - t1)), at Ra = 1650 and 1765; the straight line through
//                both is 0 at the critical Ra. Its curvature moves that zero by less than 0.02 %.
//   convection   the Nusselt number of steady rolls
//
// References: S. Chandrasekhar 1961 (Ra_c = 1707.762); rayleigh_benard_growth.csv and column Nu_own
// of clever_busse1974.csv, both own spectral solutions; R. M. Clever & F. H. Busse 1974 is told.
//
// Bounds: 1 % for the critical Ra and the Nusselt numbers. A growth rate is the small difference of
// large rates; it is told.
#include <fmt/format.h>

#include <cmath>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/orders.hpp"
#include "tools/hodge/validate/reference_table.hpp"
#include "tools/hodge/validate/steady_state.hpp"

namespace hodge::tools {
namespace {

constexpr double roll_prandtl = 0.71;
constexpr double critical_rayleigh = 1707.762;
constexpr double largest_nusselt_deviation = 0.01;  // relative

struct RollsPlan {
  int onset_cells;         // across the layer, twice as many along it
  std::vector<int> grids;  // of the steady rolls
  std::vector<double> rayleighs;
};

sim::Settings layer_settings(const ValidateOptions& options, int cells, double rayleigh) {
  sim::Settings settings =
      case_settings(options, "rayleigh_benard", {2 * cells, cells}, {{"rayleigh", rayleigh}});
  settings.pressure.tolerance = 1e-6;
  return settings;
}

// In units of kappa / H^2. The disturbance is small enough to grow as the linear equations say and
// large enough for the tolerances of the solvers.
double growth_rate(const ValidateOptions& options, Report& report, int cells, double rayleigh) {
  sim::Settings settings = layer_settings(options, cells, rayleigh);
  settings.parameters["amplitude"] = 1e-4;
  const double unit = std::sqrt(rayleigh * roll_prandtl);  // H^2 / kappa in units of free fall
  constexpr long steps = 200;
  double early = 0, early_time = 0;
  const auto flow = run_case(report, settings,
                             {.end = 0.8 * unit,
                              .steps = steps,
                              .name = fmt::format("Ra {}, {}", rayleigh, cells_text(settings)),
                              .observe = [&](const sim::Flow& now) {
                                if (now.step() != steps / 2) return;
                                early = now.diagnostics().kinetic_energy;
                                early_time = now.time();
                              }});
  const double late = flow->diagnostics().kinetic_energy;
  return 0.5 * std::log(late / early) / (flow->time() - early_time) * unit;
}

void add_onset(const ValidateOptions& options, int cells, Report& report) {
  constexpr double below = 1650, above = 1765;
  double rates[2];
  for (const int i : {0, 1}) {
    const double rayleigh = i == 0 ? below : above;
    rates[i] = growth_rate(options, report, cells, rayleigh);
    report.add({.quantity = "growth rate, kappa / H^2",
                .run = fmt::format("Ra {}, {} x {} cells", rayleigh, 2 * cells, cells),
                .measured = rates[i],
                .published = reference_value("rayleigh_benard_growth.csv", "growth", rayleigh),
                .bound = i == 0 ? at_most(0) : at_least(0),
                .source = "own linear stability"});
  }
  Figure& figure = report.figure("growth of a disturbance", "Ra", "growth rate, kappa / H^2");
  figure.curves.push_back({"linear stability",
                           Curve::Kind::published,
                           {{below, critical_rayleigh, above},
                            {reference_value("rayleigh_benard_growth.csv", "growth", below), 0,
                             reference_value("rayleigh_benard_growth.csv", "growth", above)}}});
  figure.curves.push_back(
      {"measured", Curve::Kind::measured, {{below, above}, {rates[0], rates[1]}}});
  report.add({.quantity = "critical Rayleigh number",
              .run = fmt::format("{} x {} cells", 2 * cells, cells),
              .measured = below - rates[0] * (above - below) / (rates[1] - rates[0]),
              .published = critical_rayleigh,
              .bound = relative(largest_nusselt_deviation),
              .source = "Chandrasekhar 1961"});
}

// Returns the Nusselt number on the finest grid.
double add_convection(const ValidateOptions& options, const RollsPlan& plan, double rayleigh,
                      Report& report) {
  std::vector<double> nusselt;
  std::unique_ptr<sim::Flow> flow;
  std::string run;
  for (const int cells : plan.grids) {
    sim::Settings settings = layer_settings(options, cells, rayleigh);
    settings.time.end = 2000;
    settings.time.step.size = 0.5;
    settings.time.steady_tolerance = 1e-7;
    settings.parameters["amplitude"] = 0.1;
    sim::Problem problem = case_problem(settings);
    if (flow) problem = started_from(*flow, std::move(problem));
    run = fmt::format("Ra {}, {}", rayleigh, cells_text(settings));
    flow = run_to_steady_state(report, settings, problem, run);
    nusselt.push_back(quantity(*flow, "nusselt_temperature_y_lower"));
  }
  const std::size_t last = nusselt.size() - 1;
  Row row{.quantity = "Nusselt number",
          .run = run,
          .measured = nusselt[last],
          .published = reference_value("clever_busse1974.csv", "Nu_own", rayleigh),
          .bound = relative(largest_nusselt_deviation),
          .source = "own spectral solution"};
  if (last > 1) row.order = order_of_values(nusselt[last - 2], nusselt[last - 1], nusselt[last]);
  report.add(row);
  report.add({.quantity = "Nusselt number, extrapolated",
              .run = fmt::format("Ra {}", rayleigh),
              .measured = extrapolate(nusselt[last - 1], nusselt[last]),
              .published = reference_value("clever_busse1974.csv", "Nu", rayleigh),
              .source = "Clever & Busse 1974"});
  return nusselt[last];
}

void add_curves(const Profile& measured, Report& report) {
  Profile published;
  for (const ReferencePoint& point : read_reference("clever_busse1974.csv", "Nu"))
    published.add(point.position, point.value);
  Figure& figure = report.figure("heat carried by rolls", "Ra", "Nusselt number");
  figure.curves.push_back({"Clever & Busse 1974", Curve::Kind::published, published});
  figure.curves.push_back({"measured", Curve::Kind::measured, measured});
}

void validate_rayleigh_benard(const ValidateOptions& options, Report& report) {
  const RollsPlan plan = options.quick
                             ? RollsPlan{24, {12, 24}, {5000}}
                             : RollsPlan{64, {16, 32, 64}, {2000, 2500, 3000, 5000, 10000}};
  add_onset(options, plan.onset_cells, report);
  Profile nusselt;
  for (const double rayleigh : plan.rayleighs)
    nusselt.add(rayleigh, add_convection(options, plan, rayleigh, report));
  add_curves(nusselt, report);
}

}  // namespace

const Validation rayleigh_benard_validation{
    "rayleigh_benard", "onset of convection, and the heat that steady rolls carry",
    validate_rayleigh_benard};

}  // namespace hodge::tools
