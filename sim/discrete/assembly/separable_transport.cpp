#include "sim/discrete/assembly/separable_transport.hpp"

#include <cstddef>

#include "sim/discrete/assembly/separable_pressure.hpp"

namespace hodge::sim {
namespace {

// Beyond a side `distance` away from the value within, on cells or along the side.
double slope_of(const FieldSide& side, double diffusivity, double distance) {
  if (side.condition == Condition::value) return -1;
  if (side.condition != Condition::convective) return 1;
  const double conductance = diffusivity / distance, half = 0.5 * side.coefficient({}, 0);
  return conductance + half > 0 ? (conductance - half) / (conductance + half) : 1;
}

// Width / f of the cells beside sides along which the velocity is given, f = 2 h / (a + b): the
// side lies a = h / 2 from the value, the next value b away.
void divide_by_friction(const Axis& axis, const Boundaries& boundaries, int d,
                        linalg::SeparableAxis& along) {
  const std::vector<double>& h = axis.widths;
  const std::size_t last = h.size() - 1;
  for (const int side : {0, 1}) {
    if (!boundaries.sides[d][side].traits().takes_velocity()) continue;
    const std::size_t i = side == 0 ? 0 : last, next = side == 0 ? 1 : last - 1;
    along.weights[i] = 0.5 * (0.5 * h[i] + 0.5 * (h[i] + h[next]));
  }
}

linalg::SeparableAxis axis_of_cells(const Axis& axis, const Boundaries& boundaries, int d,
                                    const DiffusedField& field) {
  linalg::SeparableAxis along = separable_axis(axis, boundaries, d);
  if (along.periodic) return along;
  const double first = axis.widths.front(), last = axis.widths.back();
  along.couplings.front() = (1 - slope_of(field.sides[d][0], field.diffusivity, first)) / first;
  along.couplings.back() = (1 - slope_of(field.sides[d][1], field.diffusivity, last)) / last;
  if (field.location != at_cells) divide_by_friction(axis, boundaries, d, along);
  return along;
}

// Of the component along the axis: the faces between two cells.
linalg::SeparableAxis axis_of_faces(const Axis& axis, bool periodic) {
  const std::vector<double>& h = axis.widths;
  linalg::SeparableAxis along{{}, {}, periodic};
  if (periodic) {
    along.weights.push_back(0.5 * (h.back() + h.front()));
    along.couplings.push_back(1 / h.back());
  }
  for (std::size_t i = 0; i < h.size(); ++i) {
    if (i > 0) along.weights.push_back(0.5 * (h[i - 1] + h[i]));
    along.couplings.push_back(1 / h[i]);
  }
  return along;
}

}  // namespace

std::string against_separability(const DiffusedField& field, const Boundaries& boundaries,
                                 int dim) {
  for (const auto [axis, side] : sides_of_box(dim)) {
    const FieldSide& at = field.sides[axis][side];
    if (boundaries.sides[axis][side].traits().is_open() || at.follows_velocity())
      return side_name(axis, side) + " is open, so that the matrix changes with the flow";
    const bool robin = at.condition == Condition::convective;
    if (robin && !(at.coefficient.is_constant() && at.coefficient({}, 0) >= 0))
      return "the coefficient at " + side_name(axis, side) + " is not constant";
  }
  return {};
}

linalg::SeparableSystem separable_transport(const DiffusedField& field,
                                            const Boundaries& boundaries, const Grid& grid) {
  linalg::SeparableSystem system;
  for (int d = 0; d < grid.dim(); ++d) {
    system.axes.push_back(d == field.location ? axis_of_faces(grid.axis(d), boundaries.periodic(d))
                                              : axis_of_cells(grid.axis(d), boundaries, d, field));
    if (system.axes.back().points() == 0) return {};
  }
  return system;
}

}  // namespace hodge::sim
