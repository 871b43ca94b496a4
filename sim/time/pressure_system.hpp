// The system of the pressure increment phi (assembly/pressure.hpp), whose matrix does not depend on
// the step but beside sharp bodies and in porous ones: it is built once, where somebody first asks
// for it, because transforms need none.
//
// Where fluid reaches no open side phi is determined up to a constant: in one region of fluid the
// constant null space is projected out, of several regions each has one value pinned, and so has a
// region that solids cut off from the open sides.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "linalg/matrices/separable_system.hpp"
#include "linalg/solve/solve.hpp"
#include "sim/discrete/assembly/pressure.hpp"
#include "sim/discrete/operators/correction.hpp"

namespace hodge::sim {

// What the regions of fluid say of the matrix.
struct PressureRegions {
  std::vector<int> pinned;        // rows of the whole system, in regions without a level of phi
  bool has_level;                 // of phi is determined, by open sides or by the pinned rows
  linalg::SeparableSystem box{};  // of all cells; no axes: the velocity is prescribed, and nothing
                                  // is solved
  bool is_box = false;            // no cell is missing: the matrix is that of the box
};

template <int Dim, class Space>
class PressureSystem {
 public:
  PressureSystem(const DeviceGrid<Dim, Space>& grid, const SideKinds<Dim>& sides,
                 const Unknowns<Dim>& unknowns, const BodyView<Dim>& bodies_in_box,
                 const PressureRegions& regions, const ConstVelocityView<Dim>& mobility = {})
      : on{grid.view(), unknowns, sides, bodies_in_box},
        conductance{grid.view(), mobility},
        volume_norm(grid.volume_norm()),
        smallest_volume(grid.smallest_volume()),
        null_space(regions.has_level ? linalg::NullSpace::none : linalg::NullSpace::constant),
        box(std::make_shared<const linalg::SeparableSystem>(regions.box)),
        is_box_(regions.is_box),
        pinned_(std::span<const int>(own_rows(unknowns, regions.pinned))) {}

  PressureOperator<Dim> on;
  const PressureConductance<Dim> conductance;
  const double volume_norm, smallest_volume;
  const linalg::NullSpace null_space;
  const std::shared_ptr<const linalg::SeparableSystem> box;  // with all cells, solid ones too

  int rows() const { return on.unknowns.rows; }
  bool has_mobility() const { return conductance.mobility.component[0].origin != nullptr; }
  bool determines_level() const { return null_space == linalg::NullSpace::none; }

  // Of faces beside sharp bodies (bodies/body_view.hpp); with another one the matrix has new
  // values.
  void set_implicit_friction(double value) {
    if (value == on.bodies.implicit_friction) return;
    on.bodies.implicit_friction = value;
    refresh();
  }

  const std::shared_ptr<const linalg::CsrPattern<Space>>& pattern() {
    if (!pattern_) pattern_ = build_pattern<Dim, Space>(on.unknowns);
    return pattern_;
  }
  const linalg::CsrMatrix<Space>& matrix() {
    if (matrix_) return *matrix_;
    matrix_.emplace(pattern(), linalg::Symmetry::symmetric);
    fill_matrix();
    if (has_mobility()) return *matrix_;
    if (on.bodies.cuts_faces)
      matrix_->place_in(box);
    else if (is_box_ || total_rows(on.unknowns) < box->rows())
      matrix_->describe_as(box);
    return *matrix_;
  }

  // With the mobility of now.
  void refresh() {
    if (!matrix_) return;
    fill_matrix();
    has_new_values_ = true;
  }
  // Since the last call.
  bool take_new_values() { return std::exchange(has_new_values_, false); }

 private:
  void fill_matrix() {
    assemble_pressure(on, conductance, *matrix_);
    if (pinned_.size() > 0) pin(pinned_, *matrix_);
  }

  bool is_box_, has_new_values_ = false;
  linalg::Buffer<int, Space> pinned_;                         // of the own rows
  std::shared_ptr<const linalg::CsrPattern<Space>> pattern_;  // both built
  std::optional<linalg::CsrMatrix<Space>> matrix_;            // when first asked for
};

// velocity -= factor m grad phi
template <int Dim, class Space>
void subtract_gradient(const PressureSystem<Dim, Space>& system, double factor,
                       const Field<Dim, Space>& phi, VelocityField<Dim, Space>& velocity) {
  const PressureOperator<Dim>& on = system.on;
  if (system.has_mobility())
    subtract_gradient(on.grid, on.bodies, on.sides, factor, phi, velocity,
                      MobilityOfFaces<Dim>{system.conductance.mobility});
  else
    subtract_gradient(on.grid, on.bodies, on.sides, factor, phi, velocity);
}

}  // namespace hodge::sim
