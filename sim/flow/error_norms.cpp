#include "sim/flow/error_norms.hpp"

#include <algorithm>
#include <cmath>

#include "sim/discrete/assembly/unknowns.hpp"
#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

// Of errors e at points with control volumes V.
struct ErrorSums {
  double volume = 0, first = 0, second = 0;  // sums of V, V e, V e^2
  double largest = 0;                        // max |e|

  double mean() const { return first / volume; }
};

template <int Dim>
struct Comparison {
  const Grid& grid;
  Layout<Dim> layout;
  GridView<Dim> metrics;
  SideKinds<Dim> sides;

  // Adds e = values - exact(point) - offset at the points of a location.
  template <class Exact>
  void add_errors(int location, const std::vector<double>& values, const Exact& exact,
                  double offset, ErrorSums& sums) const {
    const auto q = view_of(layout, values.data());
    for_each_on_host(unknowns_at(location, layout, sides).box, [&](const Index<Dim>& c) {
      const double error = q(c) - exact(point_of(grid, location, c)) - offset;
      const double volume = metrics.control_volume(location, c);
      sums.volume += volume;
      sums.first += volume * error;
      sums.second += volume * error * error;
      sums.largest = std::max(sums.largest, std::abs(error));
    });
  }
  template <class Exact>
  ErrorSums cell_errors(const std::vector<double>& values, const Exact& exact,
                        double offset = 0) const {
    ErrorSums sums;
    add_errors(at_cells, values, exact, offset, sums);
    return sums;
  }
};

}  // namespace

template <int Dim>
ErrorNorms error_norms(const Grid& grid, const Problem& problem, const HostState<Dim>& state,
                       double t) {
  const DeviceGrid<Dim, linalg::Host> metrics(grid, problem.boundaries);
  const Comparison<Dim> on{grid, metrics.layout().dense(), metrics.view(),
                           side_kinds<Dim>(problem.boundaries)};
  const double root_volume = std::sqrt(metrics.box_volume());
  ErrorNorms norms;
  norms.knows_velocity = problem.exact.has_value();
  if (problem.exact && problem.exact->velocity) {
    ErrorSums sums;
    for (int d = 0; d < Dim; ++d)
      on.add_errors(
          d, state.velocity[d], [&](const Point& x) { return problem.exact->velocity(x, t)[d]; }, 0,
          sums);
    norms.velocity_l2 = std::sqrt(sums.second) / root_volume;
    norms.velocity_max = sums.largest;
  }
  if (problem.exact && problem.exact->pressure) {
    const auto exact = [&](const Point& x) { return problem.exact->pressure(x, t); };
    const double mean = on.cell_errors(state.pressure, exact).mean();
    const ErrorSums sums = on.cell_errors(state.pressure, exact, mean);
    norms.pressure_l2 = std::sqrt(sums.second) / root_volume;
    norms.pressure_max = sums.largest;
  }
  for (std::size_t k = 0; k < problem.scalars.size(); ++k) {
    const ScalarProblem& scalar = problem.scalars[k];
    if (!scalar.exact) continue;
    const ErrorSums sums =
        on.cell_errors(state.scalars[k], [&](const Point& x) { return scalar.exact(x, t); });
    norms.scalars.push_back({scalar.name, std::sqrt(sums.second / sums.volume), sums.largest});
  }
  return norms;
}

template ErrorNorms error_norms<2>(const Grid&, const Problem&, const HostState<2>&, double);
template ErrorNorms error_norms<3>(const Grid&, const Problem&, const HostState<3>&, double);

}  // namespace hodge::sim
