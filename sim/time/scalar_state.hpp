// A transported scalar: its levels, its conditions, what drives it.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/discrete/assembly/numbering.hpp"
#include "sim/discrete/bodies/scalar_bodies.hpp"
#include "sim/discrete/boundaries/field_boundary.hpp"
#include "sim/discrete/operators/formula_field.hpp"
#include "sim/discrete/processes/halo_exchange.hpp"
#include "sim/model/problem.hpp"
#include "sim/time/varying_coefficients.hpp"

namespace hodge::sim {

inline FieldSide scalar_side(const ScalarSide& condition, const SideTraits& side) {
  if (side.is_shared()) return {};
  if (side.takes_entering_value())
    return condition.traits().gives_value() ? FieldSide{side.scalars, condition.value}
                                            : FieldSide{Condition::flux};
  if (side.scalars != Condition::none) return {side.scalars};
  return {condition.traits().condition, condition.value, condition.coefficient};
}

inline FieldSides scalar_sides(const ScalarProblem& scalar, const Boundaries& boundaries) {
  FieldSides sides;
  for (const auto [axis, side] : sides_of_box(3))
    sides[axis][side] =
        scalar_side(scalar.sides[axis][side], boundaries.sides[axis][side].traits());
  return sides;
}

// Where a scalar is: the cells that are its unknowns, and what bodies are to it elsewhere.
template <int Dim>
struct ScalarDomain {
  Unknowns<Dim> cells;
  BodyView<Dim> bodies;
  FaceCoefficient<Dim> coefficient{};  // of the diffusivity, and the capacity
  FaceCoefficient<Dim> sides{};        // the same in sides of the box
};

// Of a scalar for which bodies have conditions or which they conduct: what is its own.
template <int Dim, class Space>
struct OwnDomain {
  ScalarBodies<Dim, Space> bodies;
  std::unique_ptr<NumberedUnknowns<Dim, Space>> cells{};  // null: those of the pressure
  double largest_conductivity = 0, largest_capacity = 1;

  ScalarDomain<Dim> view(const Unknowns<Dim>& of_pressure) const {
    return {cells ? cells->view() : of_pressure, bodies.view(), bodies.coefficient(),
            bodies.in_sides()};
  }
};

template <int Dim, class Space>
struct ScalarState {
  // `varies`: the problem's diffusivity_varies(); `eddy_share`: 1 over the turbulent Prandtl
  // number.
  ScalarState(const ScalarProblem& problem, bool varies, double eddy_share,
              const Boundaries& boundaries, const DeviceGrid<Dim, Space>& grid,
              const ScalarDomain<Dim>& of_fluid, std::unique_ptr<OwnDomain<Dim, Space>> own_domain,
              bool has_stages)
      : name(problem.name),
        own(std::move(own_domain)),
        domain(own ? own->view(of_fluid.cells) : of_fluid),
        varying(varies ? std::make_unique<VaryingCoefficient<Dim, Space>>(
                             problem.varying_diffusivity, problem.diffusivity, true, eddy_share,
                             grid.layout())
                       : nullptr),
        diffusivity(varying ? varying->reference() : problem.diffusivity),
        buoyancy(problem.buoyancy),
        neutral(problem.neutral),
        reacts(problem.reaction.has_value()),
        source(std::make_unique<FormulaField<Dim, Space>>(at_cells, problem.source, grid)),
        boundary(at_cells, scalar_sides(problem, sides_of_part(boundaries, grid.layout())),
                 diffusivity, grid, domain.bodies),
        now(grid.layout()),
        before(grid.layout()),
        next(grid.layout()),
        stage(has_stages ? grid.layout() : Layout<Dim>{}),
        rates(has_stages ? grid.layout() : Layout<Dim>{}) {
    if (varying) domain.coefficient = domain.sides = varying->view({});
  }

  std::string name;
  std::unique_ptr<OwnDomain<Dim, Space>> own;  // null: that of the pressure, without flux at bodies
  ScalarDomain<Dim> domain;
  std::unique_ptr<VaryingCoefficient<Dim, Space>> varying;  // null: a constant
  double diffusivity;                                       // of one that varies its reference
  std::array<double, 3> buoyancy;
  double neutral;
  bool reacts;
  std::unique_ptr<FormulaField<Dim, Space>> source;
  FieldBoundary<Dim, Space> boundary;
  Field<Dim, Space> now, before, next;  // c^n, c^{n-1}, c^{n+1}; ghosts filled
  Field<Dim, Space> stage, rates;       // with stages, else empty; of ab2 `stage` is the new rate
};

}  // namespace hodge::sim
