// The pressure in open sides (outflow, pressure): means of formulas of x, y, z, t over faces,
// evaluated on the device.
//
//   value       p in the side at the time of the pressure that drives the present step
//   increment   what p there grows by until the time of the next one: phi in the side
//
// Both follow from the two times alone, so nothing of this is kept in a checkpoint. A side whose
// formula is 0 has no array, and one whose formula does not depend on t has no increment. Units as
// p, M/(L T^2). No errors; no allocation after the constructor.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/boundaries/ghosts.hpp"
#include "sim/discrete/boundaries/side_formula.hpp"
#include "sim/model/boundaries.hpp"

namespace hodge::sim {

// target := sign * target + means
template <class Space>
void take_side_values(const double* means, double sign, int size, double* target) {
  linalg::for_each<Space>(size, [=] HODGE_LAMBDA(int i) {
    target[i] = sign == 0 ? means[i] : sign * target[i] + means[i];
  });
}

template <int Dim, class Space>
class PressureSides {
 public:
  PressureSides(const Boundaries& boundaries, const DeviceGrid<Dim, Space>& grid)
      : grid_(grid.view()), bounds_(grid.bounds()), layout_(grid.layout()) {
    const Boundaries here = sides_of_part(boundaries, layout_);
    for (const auto [axis, side] : sides_of_box(Dim)) {
      const Side& at = boundaries.sides[axis][side];
      if (!has_values(at)) continue;
      any_ = true;
      change_ = change_ || at.pressure.depends_on_time();
    }
    for (const auto [axis, side] : sides_of_box(Dim)) {
      const Side& at = here.sides[axis][side];
      if (!has_values(at)) continue;
      formulas_[axis][side] = {
          at.pressure,
          {grid_, bounds_, at_cells, axis, SideIndices{layout_.cells[axis], side}},
          layer(layout_, axis)};
      const auto size = static_cast<std::size_t>(layer(layout_, axis).size());
      values_[axis][side] = linalg::Buffer<double, Space>(size);
      if (at.pressure.depends_on_time())
        increments_[axis][side] = linalg::Buffer<double, Space>(size);
    }
    evaluate_all(0.0, 0.0);
  }

  // The values of sides that depend on t become those at `to`, from those at `from`.
  void advance(double from, double to) {
    for (const auto [axis, side] : sides_of_box(Dim))
      if (increments_[axis][side].size() > 0) evaluate(axis, side, from, to);
  }

  SideValues<Dim> values() const { return view_of_arrays(values_, any_); }
  SideValues<Dim> increments() const { return view_of_arrays(increments_, change_); }
  // Whether values change in time, in any side of the whole box.
  bool change() const { return change_; }

 private:
  using Arrays = std::array<std::array<linalg::Buffer<double, Space>, 2>, Dim>;

  static bool has_values(const Side& side) {
    return side.traits().is_open() && !side.pressure.is_zero();
  }
  static SideValues<Dim> view_of_arrays(const Arrays& arrays, bool in_box) {
    SideValues<Dim> view;
    view.in_box = in_box;
    for (const auto [axis, side] : sides_of_box(Dim))
      view.of[axis][side] = arrays[axis][side].size() > 0 ? arrays[axis][side].data() : nullptr;
    return view;
  }
  void evaluate_all(double from, double to) {
    for (const auto [axis, side] : sides_of_box(Dim))
      if (values_[axis][side].size() > 0) evaluate(axis, side, from, to);
  }
  void evaluate(int axis, int side, double from, double to) {
    auto &values = values_[axis][side], &increment = increments_[axis][side];
    const auto size = static_cast<int>(values.size());
    const bool grows = increment.size() > 0;
    if (grows) take_side_values<Space>(formulas_[axis][side].at(from), 0, size, increment.data());
    const double* const means = formulas_[axis][side].at(to);
    take_side_values<Space>(means, 0, size, values.data());
    if (grows) take_side_values<Space>(means, -1, size, increment.data());
  }

  GridView<Dim> grid_;
  BoxBounds<Dim> bounds_;
  Layout<Dim> layout_;
  std::array<std::array<SideFormula<Dim, Space>, 2>, Dim> formulas_;
  Arrays values_, increments_;
  bool any_ = false, change_ = false;  // in the whole box
};

}  // namespace hodge::sim
