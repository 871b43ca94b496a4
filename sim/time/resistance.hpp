// The resistance of a flow (operators/resistance.hpp): its coefficients, found once on the host as
// means over the control volumes, and what the present step has of it. Porous bodies also hold back
// what the gradient of the pressure moves in a projection; the pressure's matrix then changes with
// the step.
//
// Memory: 8 B a padded value for each coefficient that is not 0, for the implicit part of each
// component and scalar, and with porous bodies for the mobility of each component.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "sim/discrete/bodies/covered_part.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/discrete/operators/resistance.hpp"
#include "sim/model/problem.hpp"
#include "sim/time/resisting_regions.hpp"

namespace hodge::sim {

template <int Dim, class Space>
class Resistance {
 public:
  Resistance() = default;
  Resistance(const Problem& problem, const Grid& box, const Layout<Dim>& layout) {
    const ResistingRegions regions(problem, box);
    if (!regions.any()) return;
    periodic_ = problem.boundaries.periodic_axes();
    has_quadratic_ = has_quadratic(problem.resistances);
    for (int d = 0; d < Dim; ++d) add(regions, -1, d, box, layout);
    for (std::size_t k = 0; k < problem.scalars.size(); ++k)
      add(regions, static_cast<int>(k), at_cells, box, layout);
    if (!regions.has_porous()) return;
    mobility_.emplace(layout);
    for (int d = 0; d < Dim; ++d) (*mobility_)[d].values().fill(1.0);
  }

  bool resists(int slot) const {
    return static_cast<std::size_t>(slot) < fields_.size() && fields_[slot].linear.has_value();
  }
  static int of_scalar(std::size_t number) { return Dim + static_cast<int>(number); }

  ResistanceView<Dim> view(int slot) const {
    ResistanceView<Dim> view{slot < Dim ? slot : at_cells, {}, {}, {}};
    if (!resists(slot)) return view;
    const Coefficients& of = fields_[slot];
    view.linear = std::as_const(*of.linear).view();
    if (of.quadratic) view.quadratic = std::as_const(*of.quadratic).view();
    if (of.given) view.given = std::as_const(*of.given).view();
    return view;
  }

  // The implicit part of a step of dt; null where nothing resists.
  ConstFieldView<Dim> implicit(int slot, const ResistingVelocity<Dim>& u, double dt,
                               bool is_fitted) {
    if (!resists(slot)) return {};
    find_implicit_resistance(view(slot), u, dt, is_fitted, *fields_[slot].implicit);
    return std::as_const(*fields_[slot].implicit).view();
  }

  // Of the components; null without porous bodies.
  ConstVelocityView<Dim> mobility() const {
    return mobility_ ? std::as_const(*mobility_).view() : ConstVelocityView<Dim>{};
  }
  bool has_mobility() const { return mobility_.has_value(); }
  // Makes the mobility that of a projection over dt / a0, with the implicit parts of the step.
  // False where it is that already.
  bool set_mobility(double dt, const BodyView<Dim>& bodies) {
    if (!mobility_) return false;
    const std::array<double, 2> over{dt, bodies.implicit_friction};
    if (!has_quadratic_ && mobility_over_ == over) return false;
    mobility_over_ = over;
    for (int d = 0; d < Dim; ++d)
      find_mobility(d, *fields_[d].implicit, dt, bodies, (*mobility_)[d]);
    return true;
  }

 private:
  using Values = std::optional<Field<Dim, Space>>;
  struct Coefficients {
    Values linear, quadratic, given, implicit;
  };

  // Scalar `number`, or with -1 a component.
  void add(const ResistingRegions& regions, int number, int location, const Grid& box,
           const Layout<Dim>& layout) {
    Coefficients& of = fields_.emplace_back();
    if (!regions.resists(number)) return;
    const auto values = [&](const auto& f) { return sampled(regions, box, layout, location, f); };
    of.linear = values([&](const MeanBox& at) { return regions.linear(number, at); });
    if (number < 0 && has_quadratic_)
      of.quadratic = values([&](const MeanBox& at) { return regions.quadratic(at); });
    const int component = number < 0 ? location : 0;
    if (regions.gives(number))
      of.given = values([&](const MeanBox& at) { return regions.given(number, component, at); });
    of.implicit.emplace(layout);
  }

  // The mean over the control volume of c in the whole box: of a face, half of each cell beside it
  // that is in the box, as much of them as is fluid.
  template <class Function>
  double over_control_volume(const ResistingRegions& regions, const Grid& box, int d,
                             const Index<Dim>& c, const Function& f) const {
    if (d == at_cells) return f(mean_box(box, d, c));
    const int n = box.cells(d);
    double sum = 0, fluid = 0;
    for (int side = 0; side < 2; ++side) {
      int cell = c[d] - 1 + side;
      if (periodic_[d]) cell = (cell + n) % n;
      if (cell < 0 || cell >= n) continue;
      Index<Dim> at = c;
      at[d] = cell;
      MeanBox half = mean_box(box, at_cells, at);
      (side == 0 ? half.lower : half.upper)[d] = box.axis(d).centre(cell);
      half.place[d] = 0.5 * (half.lower[d] + half.upper[d]);
      const double part = (half.upper[d] - half.lower[d]) * regions.fluid_part(half);
      if (part > 0) sum += part * f(half);
      fluid += part;
    }
    return fluid > 0 ? sum / fluid : 0.0;
  }

  template <class Function>
  Values sampled(const ResistingRegions& regions, const Grid& box, const Layout<Dim>& layout,
                 int location, const Function& f) const {
    std::vector<double> padded(layout.size());
    const FieldView<Dim> values = view_of(layout, padded.data());
    for_each_by_threads(points_of(layout, location), [&](const Index<Dim>& c) {
      values(c) = over_control_volume(regions, box, location, layout.in_whole(c), f);
    });
    Values field(std::in_place, layout);
    field->values().upload(padded);
    return field;
  }

  std::array<bool, 3> periodic_{};
  bool has_quadratic_ = false;
  std::vector<Coefficients> fields_;  // of the components, then of the scalars; or none at all
  std::optional<VelocityField<Dim, Space>> mobility_;
  std::array<double, 2> mobility_over_{};  // the time; friction beside sharp solids
};

}  // namespace hodge::sim
