// The pressure in open sides (outflow, pressure): formulas of x, y, z, t, evaluated on the device.
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
#include "sim/model/boundaries.hpp"

namespace hodge::sim {

// value := formula(to); increment, where there is one, := formula(to) - formula(from)
template <int Dim, class Space>
void evaluate_side(const SidePoints<Dim>& on, const ProgramView& formula, const Box<Dim>& layer,
                   double from, double to, double* value, double* increment) {
  linalg::for_each<Space>(layer, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    const int position = layer_position(on.grid.cells, on.axis, c);
    const double now = on.evaluate_at(formula, to, c);
    value[position] = now;
    if (increment != nullptr) increment[position] = now - on.evaluate_at(formula, from, c);
  });
}

template <int Dim, class Space>
class PressureSides {
 public:
  PressureSides(const Boundaries& boundaries, const DeviceGrid<Dim, Space>& grid)
      : grid_(grid.view()), layout_(grid.layout()) {
    const Boundaries here = sides_of_part(boundaries, layout_);
    std::vector<std::span<const Instruction>> programs;
    for (const auto [axis, side] : sides_of_box(Dim)) {
      const Side& at = boundaries.sides[axis][side];
      if (!has_values(at)) continue;
      any_ = true;
      change_ = change_ || at.pressure.depends_on_time();
    }
    for (const auto [axis, side] : sides_of_box(Dim)) {
      const Side& at = here.sides[axis][side];
      programs.push_back(at.pressure.instructions());
      if (!has_values(at)) continue;
      const auto size = static_cast<std::size_t>(layer(layout_, axis).size());
      values_[axis][side] = linalg::Buffer<double, Space>(size);
      if (at.pressure.depends_on_time())
        increments_[axis][side] = linalg::Buffer<double, Space>(size);
    }
    programs_ = Programs<Space>(programs);
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
    auto& increment = increments_[axis][side];
    evaluate_side<Dim, Space>({grid_, at_cells, axis, SideIndices{layout_.cells[axis], side}},
                              programs_.view(2 * axis + side), layer(layout_, axis), from, to,
                              values_[axis][side].data(),
                              increment.size() > 0 ? increment.data() : nullptr);
  }

  GridView<Dim> grid_;
  Layout<Dim> layout_;
  Programs<Space> programs_;
  Arrays values_, increments_;
  bool any_ = false, change_ = false;  // in the whole box
};

}  // namespace hodge::sim
