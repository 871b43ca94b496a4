// Steady lid-driven cavity flow against published profiles and extrema, and the order at which the
// extrema converge.
//
//   profiles   at the points of U. Ghia, K. N. Ghia & C. T. Shin, J. Comput. Phys. 48, 1982
//   extrema    u_min on x = 0.5, v_max and v_min on y = 0.5, on three grids, their observed order
//              and Richardson's limit against the values of cavity_extrema.csv
//
// Bounds: those data are themselves off converged solutions, as their file says (Re 100: u 0.005, v
// 0.009; Re 400: 0.003, 0.006; Re 1000: 0.007, 0.018); to this our own error on the grid of the
// comparison is added.
#include <fmt/format.h>

#include <cmath>

#include "tools/hodge/validate/case_runs.hpp"
#include "tools/hodge/validate/cell_field.hpp"
#include "tools/hodge/validate/compare_profile.hpp"
#include "tools/hodge/validate/orders.hpp"
#include "tools/hodge/validate/steady_state.hpp"

namespace hodge::tools {
namespace {

constexpr double least_order = 1.8;  // of a second-order scheme with corner singularities
constexpr double extrema_bound = 0.001;

struct Study {
  double reynolds;
  std::vector<int> grids;  // each starts from the steady state of the one before
  int profile_cells;       // the grid whose profiles are compared
  double u_bound, v_bound;
  bool order;  // the three last grids give the observed order
};

const std::vector<Study> full_studies{
    {100, {32, 64, 128}, 128, 0.006, 0.010, true},
    {400, {64, 128}, 128, 0.005, 0.008, false},
    {1000, {64, 128, 256}, 128, 0.008, 0.020, true},
};
const std::vector<Study> quick_studies{{100, {32, 64, 128}, 64, 0.006, 0.010, true}};

struct Profiles {
  Profile u, v;  // u on x = 0.5, v on y = 0.5
};

sim::Settings steady_settings(const ValidateOptions& options, int cells, double reynolds) {
  sim::Settings settings =
      case_settings(options, "lid_driven_cavity", {cells, cells}, {{"reynolds", reynolds}});
  settings.time.end = 500;
  settings.time.step.size = 0.1;  // the steady state is the same for every step
  settings.time.steady_tolerance = 1e-6;
  settings.pressure.tolerance = 1e-4;
  settings.transport.preconditioner = {.kind = "ssor_sai", .order = 1, .omega = 1.0};
  return settings;
}

Profiles profiles_of(const sim::Flow& flow) {
  const CellField velocity(flow, "velocity");
  const auto& grid = velocity.grid();
  return {with_ends(velocity.line(0, {.axis = 1, .through = {0.5, 0, 0}}), grid.axis(1), 0, 1),
          with_ends(velocity.line(1, {.axis = 0, .through = {0, 0.5, 0}}), grid.axis(0), 0, 0)};
}

// Printed coordinates are rounded: point k of the paper's 129 lies at k / 128.
std::vector<ReferencePoint> ghia_points(const std::string& file, const std::string& column) {
  std::vector<ReferencePoint> points = read_reference(file, column);
  for (ReferencePoint& point : points) point.position = std::round(point.position * 128) / 128;
  return points;
}

void compare_profiles(Report& report, const std::string& run, const Study& study,
                      const Profiles& profiles) {
  const std::string re = fmt::format("Re{}", study.reynolds);
  compare_profile(report, run, profiles.u,
                  {.quantity = "u on x = 0.5",
                   .position = "y",
                   .value = "u",
                   .points = ghia_points("ghia1982_u_x0.5.csv", "u_" + re),
                   .bound = absolute(study.u_bound),
                   .source = "Ghia, Ghia & Shin 1982, Table I"});
  compare_profile(report, run, profiles.v,
                  {.quantity = "v on y = 0.5",
                   .position = "x",
                   .value = "v",
                   .points = ghia_points("ghia1982_v_y0.5.csv", "v_" + re),
                   .bound = absolute(study.v_bound),
                   .source = "Ghia, Ghia & Shin 1982, Table II"});
}

struct Extremal {
  const char* name;
  double (*value)(const Profiles&);
};
constexpr Extremal extremals[] = {
    {"u_min", [](const Profiles& p) { return extremum(p.u, -1).value; }},
    {"v_max", [](const Profiles& p) { return extremum(p.v, +1).value; }},
    {"v_min", [](const Profiles& p) { return extremum(p.v, -1).value; }},
};

// The extrema on the three last grids.
void add_extrema(Report& report, const Study& study, const std::vector<Profiles>& profiles) {
  const std::size_t last = profiles.size() - 1;
  for (const Extremal& extremal : extremals) {
    const double coarse = extremal.value(profiles[last - 2]),
                 medium = extremal.value(profiles[last - 1]), fine = extremal.value(profiles[last]);
    report.add({.quantity = extremal.name,
                .run = fmt::format("Re {}, {} cells a side, extrapolated", study.reynolds,
                                   fmt::join(study.grids, ", ")),
                .measured = extrapolate(medium, fine),
                .published = reference_value("cavity_extrema.csv", extremal.name, study.reynolds),
                .bound = relative(extrema_bound),
                .order = order_of_values(coarse, medium, fine),
                .least_order = least_order,
                .source = study.reynolds == 1000 ? "Botella & Peyret 1998" : "Marchi et al. 2009"});
  }
}

void run_study(const Study& study, const ValidateOptions& options, Report& report) {
  std::vector<Profiles> profiles;
  std::unique_ptr<sim::Flow> flow;
  for (const int cells : study.grids) {
    const sim::Settings settings = steady_settings(options, cells, study.reynolds);
    const std::string run = fmt::format("Re {}, {}", study.reynolds, cells_text(settings));
    sim::Problem problem = case_problem(settings);
    if (flow) problem = started_from(*flow, std::move(problem));
    flow = run_to_steady_state(report, settings, problem, run);
    profiles.push_back(profiles_of(*flow));
    if (cells == study.profile_cells) compare_profiles(report, run, study, profiles.back());
  }
  if (study.order) add_extrema(report, study, profiles);
}

void run(const ValidateOptions& options, Report& report) {
  for (const Study& study : options.quick ? quick_studies : full_studies)
    run_study(study, options, report);
}

}  // namespace

const Validation lid_driven_cavity_validation{
    "lid_driven_cavity", "steady profiles, extrema and their order against published solutions",
    run};

}  // namespace hodge::tools
