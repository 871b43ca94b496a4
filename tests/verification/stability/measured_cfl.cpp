#include <algorithm>
#include <array>
#include <memory>

#include "sim/app/config/default_solvers.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/flow/flow.hpp"
#include "sim/model/schemes.hpp"
#include "tests/verification/stability/stability.hpp"

namespace hodge::stability {
namespace {

constexpr double allowed_growth = 2;
constexpr double smallest = 0.1;
constexpr int least_cells = 3;  // of a periodic axis
constexpr double noise_in_stream = 1e-3;

// Pseudo-random, between -1 and 1.
double noise(const sim::Point& x, int number) {
  const double s = std::sin(12.9898 * (x[0] + 0.01 * number) + 78.233 * x[1]) * 43758.5453;
  return 2 * (s - std::floor(s)) - 1;
}

sim::Settings settings_of(const StabilityCase& what, const StabilityRules& rules) {
  sim::Settings settings = sim::default_settings();
  settings.grid.dim = 2;
  const int across = what.plane ? rules.cells : least_cells;
  settings.grid.axes[0] = {.cells = rules.cells, .lower = 0, .upper = 1};
  settings.grid.axes[1] = {
      .cells = across, .lower = 0, .upper = static_cast<double>(across) / rules.cells};
  settings.time.scheme = what.time;
  settings.convection_scheme = settings.scalar_convection = what.convection;
  const bool symmetric = sim::find_time_scheme(what.time).has_symmetric_transport();
  settings.transport = settings.scalars = sim::default_transport_solver(symmetric);
  settings.device = "cpu";
  return settings;
}

sim::Problem problem_of(const StabilityCase& what, const StabilityRules& rules, double rate) {
  sim::Problem problem;
  for (auto& axis : problem.boundaries.sides)
    for (sim::Side& side : axis) side.kind = sim::SideKind::periodic;
  const double v = what.plane ? 0.6 : 0.0;
  // cn_ab2 with central convection is refused without diffusion; 1e-15 has no effect on the result.
  const double diffusivity = std::max(1e-15, rate / (rules.cells * rules.cells) / what.cell_peclet);
  if (what.carried == Carried::velocity) {
    problem.viscosity = diffusivity;
    problem.initial_velocity = [v](sim::Point x) {
      return std::array<double, 3>{1 + noise_in_stream * noise(x, 1),
                                   v + noise_in_stream * noise(x, 2), 0};
    };
    return problem;
  }
  problem.prescribed_velocity = sim::PrescribedVelocity{1.0, v, 0.0};
  sim::ScalarProblem scalar;
  scalar.name = "c";
  scalar.diffusivity = diffusivity;
  scalar.initial = [plane = what.plane](sim::Point x) {
    return noise({x[0], plane ? x[1] : 0.0, 0.0}, 0);
  };
  problem.scalars.push_back(scalar);
  return problem;
}

// Root mean square of the deviations from the mean.
double noise_of(const sim::Flow& flow, Carried carried) {
  const bool scalar = carried == Carried::scalar;
  const sim::CellArray array = flow.cell_arrays({scalar ? "c" : "velocity"})[0];
  double squares = 0;
  for (int i = 0; i < array.components; ++i) {
    double sum = 0, sum_of_squares = 0, count = 0;
    for (auto k = static_cast<std::size_t>(i); k < array.values.size();
         k += static_cast<std::size_t>(array.components)) {
      sum += array.values[k];
      sum_of_squares += array.values[k] * array.values[k];
      ++count;
    }
    squares += sum_of_squares / count - sum / count * (sum / count);
  }
  return std::sqrt(std::max(0.0, squares));
}

}  // namespace

double noise_growth(const StabilityCase& what, double cfl, const StabilityRules& rules) {
  constexpr int between_looks = 20;
  constexpr double lost = 1e6;
  const double rate = (what.plane ? 1.6 : 1.0) * rules.cells;
  const auto flow = sim::make_flow(settings_of(what, rules), problem_of(what, rules, rate));
  const double start = noise_of(*flow, what.carried);
  double growth = 1;
  for (int step = 1; step <= rules.steps; ++step) {
    if (!flow->advance(cfl / rate).ok) return std::numeric_limits<double>::infinity();
    if (step % between_looks != 0 && step != rules.steps) continue;
    growth = noise_of(*flow, what.carried) / start;
    if (!std::isfinite(growth)) return std::numeric_limits<double>::infinity();
    if (growth > lost) return growth;
  }
  return growth;
}

double measured_stable_cfl(const StabilityCase& what, const StabilityRules& rules) {
  return largest_stable(smallest, rules.largest, measured_within, [&](double cfl) {
    return noise_growth(what, cfl, rules) <= allowed_growth;
  });
}

}  // namespace hodge::stability
