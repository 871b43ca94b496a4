// The fields that a flow starts with: those of another run where the problem has them, brought to
// the grid (discrete/grid/transfer.hpp), and otherwise the functions of the problem at its points.
// A pressure that neither gives is solved for (time/initial_pressure.hpp).
#pragma once

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
    const auto& u = problem_.initial_velocity;
    if (from == nullptr || problem_.prescribed_velocity)
      return sample(grid_, layout_, d, [&](const Point& x) { return u ? u(x)[d] : 0.0; });
    if (d >= from->dim) return std::vector<double>(layout_.size());  // w above a plane flow
    return stored(from->velocity[d], {d, !from->velocity_is_at_faces, false});
  }

  std::optional<std::vector<double>> pressure() const {
    const StoredState* const from = problem_.stored_state.get();
    if (from != nullptr && !from->pressure.empty()) return stored(from->pressure, {});
    if (!problem_.initial_pressure) return std::nullopt;
    return sample(grid_, layout_, at_cells, problem_.initial_pressure);
  }

  std::vector<double> scalar(const ScalarProblem& c) const {
    const StoredState* const from = problem_.stored_state.get();
    const std::vector<double>* const values = from ? from->scalar(c.name) : nullptr;
    if (values != nullptr) return stored(*values, {.bounded = true});
    return sample(grid_, layout_, at_cells,
                  [&](const Point& x) { return c.initial ? c.initial(x) : 0.0; });
  }

  // In the padded layout.
  std::vector<double> stored(const std::vector<double>& values, Transfer how) const {
    const StoredState& from = *problem_.stored_state;
    how.points = from.points;
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
