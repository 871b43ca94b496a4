// The eddy viscosity of a closure (closures/) in every cell, L^2/T.
//
// Smagorinsky's is damped beside walls, y the distance of a cell from a side whose velocity is
// given:
//
//   D = 1 - exp(-y+ / 26),   y+ = y u_tau / nu,   u_tau^2 = the mean over the side of |friction| /
//   rho
//
// by the least D of all such sides. The means are over the whole box: one reduction per side, and
// no wait.
#pragma once

#include <optional>
#include <string>

#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/parallel.hpp"
#include "sim/discrete/fields/layers.hpp"
#include "sim/discrete/operators/closures/closures.hpp"
#include "sim/discrete/operators/dynamic_constant.hpp"
#include "sim/discrete/operators/resolved_gradient.hpp"
#include "sim/model/turbulence.hpp"

namespace hodge::sim {

// Sums over the walls of a box: friction / (rho nu) and the area of each.
template <int Dim>
struct WallFriction {
  const double* sums = nullptr;   // [axis][side][2]; null: no damping
  double lower[Dim], upper[Dim];  // of the box
  bool is_wall[Dim][2];
  double viscosity = 0;
};

// The slopes of the velocity along a side, from the cells beside it.
template <int Dim, class Space>
void measure_wall_friction(const ResolvedVelocity<Dim>& on, const Layout<Dim>& part, int axis,
                           int side, double* sums) {
  Box<Dim> cells = part.interior();
  const bool is_here = on.sides.velocity_along[axis][side] && !on.sides.continues[axis][side];
  if (side == 0)
    cells.upper[axis] = 1;
  else
    cells.lower[axis] = cells.upper[axis] - 1;
  linalg::reduce<Space>(
      cells, linalg::Sums<2>(),
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[2]) {
        value[0] = value[1] = 0.0;
        if (!is_here) return;
        double squares = 0.0;
        for (int d = 0; d < Dim; ++d) {
          double distance;
          const double slope = d == axis ? 0.0 : slope_towards(on, d, axis, side, c, &distance);
          squares += slope * slope;
        }
        value[1] = on.grid.face_area(axis, c);
        value[0] = value[1] * std::sqrt(squares);
      },
      sums);
}

template <int Dim>
HODGE_HD double damping(const WallFriction<Dim>& walls, const GridView<Dim>& grid,
                        const Index<Dim>& c) {
  constexpr double of_layer = 26.0;
  double least = 1.0;
  for (int axis = 0; axis < Dim; ++axis)
    for (int side = 0; side < 2; ++side) {
      if (!walls.is_wall[axis][side]) continue;
      const double* const sums = walls.sums + 2 * (2 * axis + side);
      const double x = grid.centre(axis, c[axis]);
      const double y = side == 0 ? x - walls.lower[axis] : walls.upper[axis] - x;
      const double in_wall_units = y * std::sqrt(sums[0] / sums[1] / walls.viscosity);
      const double here = 1.0 - std::exp(-in_wall_units / of_layer);
      least = here < least ? here : least;
    }
  return least;
}

// `squares`: of the constants of a dynamic closure.
template <class Kind, class Space>
void evaluate_closure(const ResolvedVelocity<3>& on, const WallFriction<3>& walls,
                      double constant_everywhere, const ConstantView& squares,
                      Field<3, Space>& eddy) {
  const FieldView<3> to = eddy.view();
  linalg::for_each<Space>(eddy.layout().interior(), [=] HODGE_LAMBDA(const Index<3>& c) {
    const VelocityGradient<3> gradient = resolved_gradient(on, c);
    ClosureInput at;
    for (int d = 0; d < 3; ++d) {
      at.width[d] = on.grid.width(d, c[d]);
      for (int e = 0; e < 3; ++e) at.g[d][e] = gradient.of[d][e];
    }
    constexpr bool is_damped = Kind::row.is_damped, finds_constant = Kind::row.is_dynamic;
    double constant = constant_everywhere;
    if (finds_constant) constant = std::sqrt(squares(c));
    double value = Kind::eddy_viscosity(at, constant);
    if (is_damped && walls.sums != nullptr) {
      const double factor = damping(walls, on.grid, c);
      value *= factor * factor;
    }
    to(c) = on.bodies.excludes(at_cells, c) ? 0.0 : value;
  });
}

// Closures are of flows in three dimensions (flow/checks.hpp).
template <int Dim, class Space>
class EddyViscosity {
 public:
  // `viscosity`: of the molecules, where it is a constant; `box`: its sides.
  EddyViscosity(const Turbulence& turbulence, double viscosity, const Grid& box,
                const SideKinds<Dim>& sides_of_box, const Layout<Dim>& layout)
      : turbulence_(turbulence), eddy_(layout) {
    with_closure(turbulence.model, [this](auto closure) { damps_ = closure.row.is_damped; });
    if (!(viscosity > 0)) damps_ = false;  // y+ is infinite
    walls_.viscosity = viscosity;
    bool any = false;
    for (int d = 0; d < Dim; ++d) {
      walls_.lower[d] = box.edges(d).front();
      walls_.upper[d] = box.edges(d).back();
      for (int side = 0; side < 2; ++side) {
        walls_.is_wall[d][side] =
            sides_of_box.velocity_along[d][side] && !sides_of_box.continues[d][side];
        any = any || walls_.is_wall[d][side];
      }
    }
    damps_ = damps_ && any;
    if (damps_) sums_ = linalg::Buffer<double, Space>(4 * Dim);
    if constexpr (Dim == 3)
      if (is_dynamic(turbulence.model)) dynamic_.emplace(turbulence, sides_of_box, layout);
  }

  // The constants of a dynamic closure, from a level of the velocity.
  void find_constants(const ResolvedVelocity<Dim>& velocity) {
    if constexpr (Dim == 3)
      if (dynamic_) dynamic_->find(velocity);
  }

  void refresh(const ResolvedVelocity<Dim>& velocity) {
    if (damps_)
      for (const auto [axis, side] : sides_of_box(Dim))
        if (walls_.is_wall[axis][side])
          measure_wall_friction<Dim, Space>(velocity, eddy_.layout(), axis, side,
                                            sums_.data() + 2 * (2 * axis + side));
    walls_.sums = damps_ ? sums_.data() : nullptr;
    if constexpr (Dim == 3)
      with_closure(turbulence_.model, [&](auto closure) {
        evaluate_closure<decltype(closure)>(velocity, walls_, turbulence_.constant,
                                            dynamic_ ? dynamic_->view() : ConstantView{}, eddy_);
      });
    fill_coefficient_ghosts(velocity.sides, eddy_);
  }

  ConstFieldView<Dim> view() const { return eddy_.view(); }
  double prandtl() const { return turbulence_.prandtl; }

 private:
  Turbulence turbulence_;
  Field<Dim, Space> eddy_;
  WallFriction<Dim> walls_{};
  linalg::Buffer<double, Space> sums_;  // as WallFriction::sums
  bool damps_ = false;
  std::optional<DynamicConstant<Space>> dynamic_;
};

}  // namespace hodge::sim
