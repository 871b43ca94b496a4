#include "sim/flow/error_norms.hpp"

#include <algorithm>
#include <cmath>

#include "sim/assembly/unknowns.hpp"
#include "sim/flow/sampling.hpp"

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
  BoundaryView<Dim> sides;
};

template <int Dim>
void compare_velocity(const Comparison<Dim>& on, const HostState<Dim>& state,
                      const ExactSolution& exact, double t, ErrorNorms& norms) {
  WeightedSums sums;
  for (int d = 0; d < Dim; ++d) {
    const auto u = view_of(on.layout, state.velocity[d].data());
    for_each_on_host(velocity_unknowns(d, on.layout, on.sides).box, [&](const Index<Dim>& c) {
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

}  // namespace

template <int Dim>
ErrorNorms error_norms(const Grid& grid, const Boundaries& boundaries, const HostState<Dim>& state,
                       const ExactSolution& exact, double t) {
  const DeviceGrid<Dim, linalg::Host> metrics(grid, boundaries);
  const Comparison<Dim> on{grid, metrics.layout(), metrics.view(), boundary_view<Dim>(boundaries)};
  ErrorNorms norms{};
  compare_velocity(on, state, exact, t, norms);
  compare_pressure(on, state, exact, t, norms);
  const double root_volume = std::sqrt(metrics.box_volume());
  norms.velocity_l2 /= root_volume;
  norms.pressure_l2 /= root_volume;
  return norms;
}

template ErrorNorms error_norms<2>(const Grid&, const Boundaries&, const HostState<2>&,
                                   const ExactSolution&, double);
template ErrorNorms error_norms<3>(const Grid&, const Boundaries&, const HostState<3>&,
                                   const ExactSolution&, double);

}  // namespace hodge::sim
