// The fields that a flow starts with: those of another run where the problem has them, brought to
// the grid (discrete/grid/transfer.hpp), and otherwise the functions of the problem: at points
// where they are smooth, means over faces (velocity) and cells (scalars) where formulas are
// piecewise (base/formulas/mean.hpp). The pressure is that of the cells' centres. A pressure that
// neither gives is solved for (time/initial_pressure.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "sim/discrete/grid/sampling.hpp"
#include "sim/discrete/grid/transfer.hpp"
#include "sim/model/problem.hpp"
#include "sim/time/time_step.hpp"

namespace hodge::sim {

template <int Dim>
class InitialFields {
 public:
  InitialFields(const Problem& problem, const Grid& grid, const Layout<Dim>& layout)
      : problem_(problem), grid_(grid), layout_(layout) {
    for (int e = 0; e < Dim; ++e) edges_[e] = grid.edges(e);
  }

  InitialValues<Dim> values() const {
    InitialValues<Dim> initial;
    for (int d = 0; d < Dim; ++d) initial.velocity[d] = velocity(d);
    initial.pressure = pressure();
    for (const ScalarProblem& c : problem_.scalars) initial.scalars.push_back(scalar(c));
    return initial;
  }

 private:
  std::vector<double> velocity(int d) const {
    const StoredState* const from = problem_.stored_state.get();
    if (from == nullptr || problem_.prescribed_velocity)
      return sample(grid_, layout_, d,
                    [&](const MeanBox& face) { return initial_velocity(face, d); });
    if (d >= from->dim) return std::vector<double>(layout_.size());  // w above a plane flow
    return stored(from->velocity[d], {d, !from->velocity_is_at_faces});
  }

  std::optional<std::vector<double>> pressure() const {
    const StoredState* const from = problem_.stored_state.get();
    if (from != nullptr && !from->pressure.empty()) return stored(from->pressure, {});
    if (!problem_.initial_pressure) return std::nullopt;
    return sample(grid_, layout_, at_cells,
                  [&](const MeanBox& cell) { return problem_.initial_pressure(point_of(cell)); });
  }

  std::vector<double> scalar(const ScalarProblem& c) const {
    const StoredState* const from = problem_.stored_state.get();
    const std::vector<double>* const values = from ? from->scalar(c.name) : nullptr;
    if (values != nullptr) return stored(*values, {.bounds = bounds_at_sides(c)});
    return sample(grid_, layout_, at_cells,
                  [&](const MeanBox& cell) { return initial_value(c.initial, cell); });
  }

  double initial_velocity(const MeanBox& face, int d) const {
    const auto& u = problem_.initial_velocity;
    if (!u) return 0;
    if (const auto* const formulas = u.template target<FormulasAtStart>())
      return formulas->f[static_cast<std::size_t>(d)].value_over(face, 0);
    return u(point_of(face))[static_cast<std::size_t>(d)];
  }
  static double initial_value(const std::function<double(Point)>& f, const MeanBox& cell) {
    if (!f) return 0;
    if (const auto* const formula = f.target<FormulaAtStart>())
      return formula->f.value_over(cell, 0);
    return f(point_of(cell));
  }

  // What the scalar has in the sides, where that is a number.
  Bounds bounds_at_sides(const ScalarProblem& c) const {
    Bounds bounds;
    for (const auto [axis, side] : sides_of_box(Dim)) {
      const ScalarSide& at = c.sides[axis][side];
      if (!problem_.boundaries.sides[axis][side].traits().takes_scalar_condition() ||
          !at.traits().gives_value() || !at.value.is_constant())
        continue;
      bounds.least = std::min(bounds.least, at.value({}, 0));
      bounds.most = std::max(bounds.most, at.value({}, 0));
    }
    return bounds;
  }

  // Whether the stored values fill a periodic axis; points do not say.
  bool is_period(const std::vector<double>& edges, int axis) const {
    return problem_.boundaries.periodic(axis) && problem_.stored_state->points[axis].empty() &&
           edges.front() == grid_.axis(axis).lower() && edges.back() == grid_.axis(axis).upper();
  }

  // In the padded layout.
  std::vector<double> stored(const std::vector<double>& values, Transfer how) const {
    const StoredState& from = *problem_.stored_state;
    how.points = from.points;
    for (int e = 0; e < from.dim; ++e) how.wraps[e] = is_period(from.edges[e], e);
    const std::vector<double> whole = transferred(values, from.edges, edges_, how);
    std::vector<double> padded(layout_.size());
    const FieldView<Dim> view = view_of(layout_, padded.data());
    Box<Dim> box = layout_.interior(), points = layout_.whole_box();
    if (how.location != at_cells) {
      ++box.upper[how.location];
      ++points.upper[how.location];
    }
    for_each_on_host(box, [&](const Index<Dim>& c) {
      view(c) = whole[static_cast<std::size_t>(points.position(layout_.in_whole(c)))];
    });
    return padded;
  }

  const Problem& problem_;
  const Grid& grid_;
  const Layout<Dim> layout_;
  GridEdges edges_;
};

}  // namespace hodge::sim
