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
  FluidParts<Dim>& fluid;
  Layout<Dim> layout;
  GridView<Dim> metrics;
  SideKinds<Dim> sides;

  // Adds e = values - exact(point) - offset at the points of a location, by what part(c) there is.
  template <class Part, class Exact>
  void add_errors(int location, const std::vector<double>& values, const Part& part,
                  const Exact& exact, double offset, ErrorSums& sums) const {
    const auto q = view_of(layout, values.data());
    for_each_on_host(unknowns_at(location, layout, sides).box, [&](const Index<Dim>& c) {
      const double volume = metrics.control_volume(location, c) * part(c);
      if (volume == 0) return;
      const double error = q(c) - exact(fluid.place(location, c)) - offset;
      sums.volume += volume;
      sums.first += volume * error;
      sums.second += volume * error * error;
      sums.largest = std::max(sums.largest, std::abs(error));
    });
  }
  template <class Exact>
  ErrorSums pressure_errors(const std::vector<double>& values, const Exact& exact,
                            double offset = 0) const {
    ErrorSums sums;
    add_errors(
        at_cells, values, [&](const Index<Dim>& c) { return fluid.part(at_cells, c); }, exact,
        offset, sums);
    return sums;
  }
  double fluid_volume() const {
    double volume = 0;
    for_each_on_host(layout.interior(), [&](const Index<Dim>& c) {
      volume += metrics.control_volume(at_cells, c) * fluid.part(at_cells, c);
    });
    return volume;
  }
};

}  // namespace

template <int Dim>
FluidParts<Dim>::FluidParts(const Grid& grid, const Problem& problem,
                            const std::vector<std::uint8_t>& bodies)
    : grid_(grid), problem_(problem), bodies_(bodies), cells_(layout_of<Dim>(grid).interior()) {
  if (!has_sharp_solids(problem.solids)) return;
  levels_.emplace(grid, problem);
  cuts_.emplace(grid, problem.boundaries, levels_->least(), cells_);
}

// Of the cell within, beyond sides that do not repeat.
template <int Dim>
int FluidParts<Dim>::body(Index<Dim> c) const {
  if (bodies_.empty()) return 0;
  for (int d = 0; d < Dim; ++d)
    c[d] = inner_cell(c[d], cells_.upper[d], problem_.boundaries.periodic(d));
  return bodies_[static_cast<std::size_t>(cells_.position(c))];
}

template <int Dim>
double FluidParts<Dim>::part(int location, const Index<Dim>& c) {
  const bool is_cell = location == at_cells;
  if (is_cut_near(c)) {
    if (is_cell) return cuts_->has_pressure(c) ? cuts_->fluid(c) : 0.0;
    return cuts_->face(location, c).fraction;
  }
  return body(c) == 0 && (is_cell || body(c.shifted(location, -1)) == 0) ? 1.0 : 0.0;
}

// Beside sharp bodies that give a value, the centre has to be in the fluid.
template <int Dim>
double FluidParts<Dim>::part_with(const ScalarProblem& scalar, const Index<Dim>& c) {
  if (is_cut_near(c)) {
    const Point x = cuts_->grid().middle(c);
    const Solid& body = problem_.solids[levels_->nearest(x) - 1U];
    if (heat_in(body, scalar.name) != nullptr) return 1.0;
    const SolidScalar* const of = scalar_of(body, scalar.name);
    const bool gives_value = of != nullptr && of->surface.traits().condition == Condition::value;
    return gives_value && cuts_->grid().level(x) <= 0 ? 0.0 : cuts_->fluid(c);
  }
  const int k = body(c);
  const bool conducts =
      k > 0 && heat_in(problem_.solids[static_cast<std::size_t>(k - 1)], scalar.name) != nullptr;
  return k == 0 || conducts ? 1.0 : 0.0;
}

template <int Dim>
Point FluidParts<Dim>::place(int location, const Index<Dim>& c) {
  if (location != at_cells && is_cut_near(c)) return cuts_->face(location, c).centroid;
  return point_of(grid_, location, c);
}

template <int Dim>
ErrorNorms error_norms(const Grid& grid, const Problem& problem, FluidParts<Dim>& fluid,
                       const HostState<Dim>& state, double t) {
  const DeviceGrid<Dim, linalg::Host> metrics(grid, problem.boundaries);
  const Comparison<Dim> on{fluid, metrics.layout().dense(), metrics.view(),
                           side_kinds<Dim>(problem.boundaries)};
  const double root_volume = std::sqrt(fluid.any() ? on.fluid_volume() : metrics.box_volume());
  ErrorNorms norms;
  norms.knows_velocity = problem.exact.has_value();
  if (problem.exact && problem.exact->velocity) {
    ErrorSums sums;
    for (int d = 0; d < Dim; ++d)
      on.add_errors(
          d, state.velocity[d], [&](const Index<Dim>& c) { return fluid.part(d, c); },
          [&](const Point& x) { return problem.exact->velocity(x, t)[d]; }, 0, sums);
    norms.velocity_l2 = std::sqrt(sums.second) / root_volume;
    norms.velocity_max = sums.largest;
  }
  if (problem.exact && problem.exact->pressure) {
    const auto exact = [&](const Point& x) { return problem.exact->pressure(x, t); };
    const double mean = on.pressure_errors(state.pressure, exact).mean();
    const ErrorSums sums = on.pressure_errors(state.pressure, exact, mean);
    norms.pressure_l2 = std::sqrt(sums.second) / root_volume;
    norms.pressure_max = sums.largest;
  }
  for (std::size_t k = 0; k < problem.scalars.size(); ++k) {
    const ScalarProblem& scalar = problem.scalars[k];
    if (!scalar.exact) continue;
    ErrorSums sums;
    on.add_errors(
        at_cells, state.scalars[k], [&](const Index<Dim>& c) { return fluid.part_with(scalar, c); },
        [&](const Point& x) { return scalar.exact(x, t); }, 0, sums);
    norms.scalars.push_back({scalar.name, std::sqrt(sums.second / sums.volume), sums.largest});
  }
  return norms;
}

template class FluidParts<2>;
template class FluidParts<3>;
template ErrorNorms error_norms<2>(const Grid&, const Problem&, FluidParts<2>&, const HostState<2>&,
                                   double);
template ErrorNorms error_norms<3>(const Grid&, const Problem&, FluidParts<3>&, const HostState<3>&,
                                   double);

}  // namespace hodge::sim
