#include "sim/flow/error_norms.hpp"

#include <algorithm>
#include <cmath>

#include "sim/discrete/assembly/unknowns.hpp"
#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

// Sums over points of V, V e and V e^2.
struct WeightedSums {
  double volume = 0, first = 0, second = 0;

  void add(double v, double e) {
    volume += v;
    first += v * e;
    second += v * e * e;
  }
  double mean() const { return first / volume; }
};

template <int Dim>
struct Comparison {
  const Grid& grid;
  Layout<Dim> layout;
  GridView<Dim> metrics;
  SideKinds<Dim> sides;
};

template <int Dim>
void compare_velocity(const Comparison<Dim>& on, const HostState<Dim>& state,
                      const ExactSolution& exact, double t, ErrorNorms& norms) {
  WeightedSums sums;
  for (int d = 0; d < Dim; ++d) {
    const auto u = view_of(on.layout, state.velocity[d].data());
    for_each_on_host(unknowns_at(d, on.layout, on.sides).box, [&](const Index<Dim>& c) {
      const double error = u(c) - exact.velocity(point_of(on.grid, d, c), t)[d];
      sums.add(on.metrics.control_volume(d, c), error);
      norms.velocity_max = std::max(norms.velocity_max, std::abs(error));
    });
  }
  norms.velocity_l2 = std::sqrt(sums.second);
}

template <int Dim>
void compare_pressure(const Comparison<Dim>& on, const HostState<Dim>& state,
                      const ExactSolution& exact, double t, ErrorNorms& norms) {
  std::vector<double> errors(state.pressure.size());
  const auto e = view_of(on.layout, errors.data());
  const auto p = view_of(on.layout, state.pressure.data());
  WeightedSums sums;
  for_each_on_host(on.layout.interior(), [&](const Index<Dim>& c) {
    e(c) = p(c) - exact.pressure(point_of(on.grid, at_cells, c), t);
    sums.add(on.metrics.cell_volume(c), e(c));
  });
  WeightedSums deviations;
  for_each_on_host(on.layout.interior(), [&](const Index<Dim>& c) {
    const double deviation = e(c) - sums.mean();
    deviations.add(on.metrics.cell_volume(c), deviation);
    norms.pressure_max = std::max(norms.pressure_max, std::abs(deviation));
  });
  norms.pressure_l2 = std::sqrt(deviations.second);
}

template <int Dim>
ScalarErrors compare_scalar(const Comparison<Dim>& on, const ScalarProblem& scalar,
                            const std::vector<double>& values, double t) {
  const auto q = view_of(on.layout, values.data());
  ScalarErrors errors{scalar.name, 0, 0};
  WeightedSums sums;
  for_each_on_host(on.layout.interior(), [&](const Index<Dim>& c) {
    const double error = q(c) - scalar.exact(point_of(on.grid, at_cells, c), t);
    sums.add(on.metrics.cell_volume(c), error);
    errors.max = std::max(errors.max, std::abs(error));
  });
  errors.l2 = std::sqrt(sums.second / sums.volume);
  return errors;
}

}  // namespace

template <int Dim>
ErrorNorms error_norms(const Grid& grid, const Problem& problem, const HostState<Dim>& state,
                       double t) {
  const DeviceGrid<Dim, linalg::Host> metrics(grid, problem.boundaries);
  const Comparison<Dim> on{grid, metrics.layout(), metrics.view(),
                           side_kinds<Dim>(problem.boundaries)};
  ErrorNorms norms{};
  if (problem.exact) {
    if (problem.exact->velocity) compare_velocity(on, state, *problem.exact, t, norms);
    if (problem.exact->pressure) compare_pressure(on, state, *problem.exact, t, norms);
  }
  const double root_volume = std::sqrt(metrics.box_volume());
  norms.velocity_l2 /= root_volume;
  norms.pressure_l2 /= root_volume;
  for (std::size_t k = 0; k < problem.scalars.size(); ++k)
    if (problem.scalars[k].exact)
      norms.scalars.push_back(compare_scalar(on, problem.scalars[k], state.scalars[k], t));
  return norms;
}

template ErrorNorms error_norms<2>(const Grid&, const Problem&, const HostState<2>&, double);
template ErrorNorms error_norms<3>(const Grid&, const Problem&, const HostState<3>&, double);

}  // namespace hodge::sim
