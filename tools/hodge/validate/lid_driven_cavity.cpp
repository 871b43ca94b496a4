// Steady lid-driven cavity flow against published profiles and extrema, and the order at which the
// extrema converge.
//
//   profiles   at the points of U. Ghia, K. N. Ghia & C. T. Shin, J. Comput. Phys. 48, 1982
//   extrema    u_min on x = 0.5, v_max and v_min on y = 0.5, on three grids:
//              order = log2((medium - coarse) / (fine - medium)),
//              limit = fine + (fine - medium) / 3, against the values of cavity_extrema.csv
//
// Bounds: those data are themselves off converged solutions, as their file says (Re 100: u 0.005, v
// 0.009; Re 400: 0.003, 0.006; Re 1000: 0.007, 0.018); to this our own error on the grid of the
// comparison is added.
#include <fmt/format.h>

#include <cmath>
#include <iostream>

#include "cases/registry.hpp"
#include "sim/config/settings_from_yaml.hpp"
#include "tools/hodge/validate/centreline.hpp"
#include "tools/hodge/validate/reference_table.hpp"
#include "tools/hodge/validate/steady_state.hpp"
#include "tools/hodge/validate/validation.hpp"

namespace hodge::tools {
namespace {

constexpr double least_order = 1.8;         // of a second-order scheme
constexpr double largest_relative = 0.001;  // of the extrapolated extrema

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

struct Extrema {
  double u_min, v_max, v_min;
};

sim::Settings steady_settings(const ValidateOptions& options, int cells, double reynolds) {
  sim::Settings settings = sim::default_settings();
  settings.case_name = "lid_driven_cavity";
  settings.parameters = {{"reynolds", reynolds}};
  settings.grid.dim = 2;
  for (int d = 0; d < 2; ++d) settings.grid.axes[d].cells = cells;
  settings.time.end = 500;
  settings.time.step.size = 0.1;  // the steady state is the same for every step
  settings.time.steady_tolerance = 1e-6;
  settings.pressure.tolerance = 1e-4;
  settings.transport.tolerance = 1e-10;  // below what steady_tolerance asks of one step
  settings.transport.preconditioner = {.kind = "ssor_sai", .order = 1, .omega = 1.0};
  settings.device = options.device;
  return settings;
}

void print_comparisons(const Report& report, std::size_t first) {
  std::cout << fmt::format("    {:>10} {:>11} {:>11} {:>11}\n", "position", "measured", "published",
                           "difference");
  for (std::size_t i = first; i < report.comparisons().size(); ++i) {
    const Comparison& c = report.comparisons()[i];
    std::cout << fmt::format("    {:10.4f} {:11.5f} {:11.5f} {:11.5f}\n", c.position, c.measured,
                             c.reference, c.difference());
  }
}

struct ProfileComparison {
  std::string file, column, line, table;  // "u on x = 0.5", "Table I"
  double bound;
};

// Printed coordinates are rounded: point k of the paper's 129 lies at k / 128.
double exact_position(double printed) {
  return std::round(printed * 128) / 128;
}

void compare_profile(const std::string& run, const Profile& profile,
                     const ProfileComparison& published, Report& report) {
  const std::string source = "Ghia, Ghia & Shin 1982, " + published.table;
  const std::size_t first = report.comparisons().size();
  double largest = 0;
  for (const ReferencePoint& point : read_reference(published.file, published.column)) {
    const double x = exact_position(point.position);
    report.compare({run, published.line, x, interpolate(profile, x), point.value, source});
    largest = std::max(largest, std::abs(report.comparisons().back().difference()));
  }
  std::cout << fmt::format("  {}, {}, against {}\n", run, published.line, source);
  print_comparisons(report, first);
  report.check({fmt::format("{}, {}, largest difference", run, published.line), largest,
                Check::Kind::at_most, published.bound});
}

void compare_profiles(const std::string& run, const Study& study, const Profiles& profiles,
                      Report& report) {
  const std::string re = fmt::format("Re{}", study.reynolds);
  compare_profile(run, profiles.u,
                  {"ghia1982_u_x0.5.csv", "u_" + re, "u on x = 0.5", "Table I", study.u_bound},
                  report);
  compare_profile(run, profiles.v,
                  {"ghia1982_v_y0.5.csv", "v_" + re, "v on y = 0.5", "Table II", study.v_bound},
                  report);
}

Extrema extrema_of(const Profiles& profiles) {
  return {extremum(profiles.u, -1).value, extremum(profiles.v, +1).value,
          extremum(profiles.v, -1).value};
}

double published_extremum(double reynolds, const std::string& name) {
  for (const ReferencePoint& point : read_reference("cavity_extrema.csv", name)) {
    if (point.position == reynolds) return point.value;
  }
  throw ConfigError(fmt::format("cavity_extrema.csv has no line for Re {}", reynolds));
}

// One extremum on three grids.
void check_convergence(const std::string& run, const std::string& name,
                       const std::array<double, 3>& values, double published, Report& report) {
  const double first = values[1] - values[0], second = values[2] - values[1];
  const double order = std::log2(std::abs(first / second)), limit = values[2] + second / 3;
  std::cout << fmt::format("    {:6} {:10.6f} {:10.6f} {:10.6f} {:10.6f} {:10.6f}\n", name,
                           values[0], values[1], values[2], limit, published);
  report.compare({run, name + ", extrapolated", 0, limit, published, "cavity_extrema.csv"});
  report.check({fmt::format("{}, {}, observed order", run, name), order, Check::Kind::at_least,
                least_order});
  report.check({fmt::format("{}, {}, extrapolated, relative difference", run, name),
                std::abs(limit / published - 1), Check::Kind::at_most, largest_relative});
}

void check_order(const Study& study, const std::vector<Extrema>& extrema, Report& report) {
  const std::size_t last = extrema.size() - 1;
  const Extrema &coarse = extrema[last - 2], &medium = extrema[last - 1], &fine = extrema[last];
  const std::string run = fmt::format("Re {}", study.reynolds);
  std::cout << fmt::format(
      "  {}, extrema on {} cells a side, extrapolated, published (cavity_extrema.csv)\n", run,
      fmt::join(study.grids, ", "));
  const auto check = [&](const char* name, double Extrema::*value) {
    check_convergence(run, name, {coarse.*value, medium.*value, fine.*value},
                      published_extremum(study.reynolds, name), report);
  };
  check("u_min", &Extrema::u_min);
  check("v_max", &Extrema::v_max);
  check("v_min", &Extrema::v_min);
}

void run_study(const Study& study, const ValidateOptions& options, Report& report) {
  std::vector<Extrema> extrema;
  std::unique_ptr<sim::Flow> flow;
  for (const int cells : study.grids) {
    const std::string run = fmt::format("Re {}, {} x {} cells", study.reynolds, cells, cells);
    const sim::Settings settings = steady_settings(options, cells, study.reynolds);
    sim::Problem problem = cases::lid_driven_cavity.make(settings);
    if (flow) problem = started_from(*flow, std::move(problem));
    flow = run_to_steady_state(settings, problem, run);
    const Profiles profiles{centreline(*flow, 0, 1, {0, 1}), centreline(*flow, 1, 0, {0, 0})};
    extrema.push_back(extrema_of(profiles));
    if (cells == study.profile_cells) compare_profiles(run, study, profiles, report);
  }
  if (study.order) check_order(study, extrema, report);
}

void run(const ValidateOptions& options, Report& report) {
  for (const Study& study : options.quick ? quick_studies : full_studies) {
    run_study(study, options, report);
  }
}

}  // namespace

const Validation lid_driven_cavity_validation{
    "lid_driven_cavity", "steady profiles, extrema and their order against published solutions",
    run};

}  // namespace hodge::tools
