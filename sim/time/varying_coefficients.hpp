// A viscosity and diffusivities that vary, as fields: each is reference * r, with r at the places
// where diffusion reads it (fields/face_coefficient.hpp). They are evaluated at the cells, from a
// velocity and scalars that may be extrapolated from two levels, and brought to edges and faces
// (operators/coefficient_fields.hpp).
//
// Memory per cell: the viscosity 2 fields in 2D, 4 in 3D, an eddy viscosity one; each diffusivity
// Dim, all of them one more.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/base/formulas/expression.hpp"
#include "sim/base/formulas/program.hpp"
#include "sim/discrete/fields/face_coefficient.hpp"
#include "sim/discrete/operators/coefficient_fields.hpp"
#include "sim/discrete/operators/eddy_viscosity.hpp"
#include "sim/discrete/operators/resolved_gradient.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

// What coefficients are evaluated from: weights e0, e1 of the two levels of velocity and scalars.
template <int Dim>
struct CoefficientLevels {
  ResolvedVelocity<Dim> velocity;
  ConstFieldView<Dim> scalars[most_scalars_in_coefficients][2] = {};
  int scalar_count = 0;
  double time = 0;
};

// What a coefficient is made of in a cell, times a factor.
template <int Dim>
struct CoefficientTerms {
  ProgramView formula{};  // without instructions: none
  bool has_shear_rate = false;
  double constant = 0;         // in its place
  ConstFieldView<Dim> eddy{};  // a share of it is added; null: none
  double eddy_share = 0, factor = 1;
};

template <int Dim>
HODGE_HD double formula_in_cell(const CoefficientTerms<Dim>& of, const CoefficientLevels<Dim>& from,
                                const Index<Dim>& c) {
  constexpr int scalars = first_extra_variable + 1;
  double variables[scalars + static_cast<int>(most_scalars_in_coefficients)] = {};
  const ResistingVelocity<Dim>& u = from.velocity.u;
  for (int d = 0; d < Dim; ++d) variables[d] = from.velocity.grid.centre(d, c[d]);
  variables[time_variable] = from.time;
  if (of.has_shear_rate)
    variables[first_extra_variable] = resolved_gradient(from.velocity, c).shear_rate();
  for (int k = 0; k < from.scalar_count; ++k) {
    variables[scalars + k] = u.e0 * from.scalars[k][0](c);
    if (u.e1 != 0.0) variables[scalars + k] += u.e1 * from.scalars[k][1](c);
  }
  return evaluate(of.formula, variables, variables);
}

template <int Dim, class Space>
void evaluate_coefficient(const CoefficientTerms<Dim>& of, const CoefficientLevels<Dim>& from,
                          Field<Dim, Space>& result) {
  const FieldView<Dim> to = result.view();
  linalg::for_each<Space>(result.layout().interior(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    double value = of.formula.size > 0 ? formula_in_cell(of, from, c) : of.constant;
    if (of.eddy.origin != nullptr) value += of.eddy_share * of.eddy(c);
    to(c) = of.factor * value;
  });
}

// What a coefficient that varies is a multiple of: its largest value at t = 0, where that is known.
inline double reference_of(double largest) {
  return largest > 0 ? largest : 1.0;
}

// `of_scalar`: read at faces; else of the velocity, read at cells and on edges. Without a formula
// it is the constant and what eddies add.
template <int Dim, class Space>
class VaryingCoefficient {
 public:
  VaryingCoefficient(const std::optional<Expression>& formula, double largest, bool of_scalar,
                     double eddy_share, const Layout<Dim>& layout)
      : reference_(reference_of(largest)), of_scalar_(of_scalar), results_(4) {
    terms_.constant = largest;
    terms_.eddy_share = eddy_share;
    terms_.factor = 1.0 / reference_;
    if (formula) {
      terms_.has_shear_rate = formula->depends_on(first_extra_variable);
      program_ = Programs<Space>({formula->instructions()});
      terms_.formula = program_.view(0);
    }
    const int count = of_scalar ? Dim : Dim == 2 ? 1 : 3;
    for (int k = 0; k < count; ++k) faces_.emplace_back(layout);
  }

  // cells := r there, ghosts filled; `eddy`: an eddy viscosity, or null.
  void refresh(const CoefficientLevels<Dim>& from, const ConstFieldView<Dim>& eddy,
               Field<Dim, Space>& cells) {
    const ResolvedVelocity<Dim>& on = from.velocity;
    terms_.eddy = eddy;
    evaluate_coefficient(terms_, from, cells);
    fill_coefficient_ghosts(on.sides, cells);
    const CoefficientOfCells<Dim> of{on.grid,   on.sides,
                                     on.bodies, std::as_const(cells).view(),
                                     eddy,      terms_.eddy_share * terms_.factor,
                                     of_scalar_};
    fill_between_cells(of, faces_);
    const bool may_vanish = of_scalar_ || terms_.formula.size == 0;
    range_ = range_of(on.bodies, cells, may_vanish, results_);
    range_.least *= reference_;
    range_.largest *= reference_;
    range_.worst *= reference_;
  }

  double reference() const { return reference_; }
  const CoefficientRange& range() const { return range_; }  // of the last refresh
  // cells: those of the last refresh, where it is of the velocity
  FaceCoefficient<Dim> view(const ConstFieldView<Dim>& cells) const {
    FaceCoefficient<Dim> view{cells, {}, {}};
    for (std::size_t k = 0; k < faces_.size(); ++k) view.faces[k] = faces_[k].view();
    return view;
  }

 private:
  double reference_;
  bool of_scalar_;
  Programs<Space> program_;
  CoefficientTerms<Dim> terms_;
  std::vector<Field<Dim, Space>> faces_;  // at faces, or on edges
  linalg::Buffer<double, Space> results_;
  CoefficientRange range_{};
};

// Those of a flow, but the scalars' (time/scalar_state.hpp).
template <int Dim, class Space>
struct VaryingCoefficients {
  VaryingCoefficients(const Problem& problem, const Grid& box, const Layout<Dim>& layout) {
    if (!diffusion_varies(problem)) return;
    any = true;
    at_cells.emplace(layout);
    const auto changes = [](const auto& f) { return f && f->depends_on_time(); };
    change_in_time = changes(problem.varying_viscosity);
    for (const ScalarProblem& scalar : problem.scalars)
      change_in_time = change_in_time || changes(scalar.varying_diffusivity);
    if (problem.prescribed_velocity || !viscosity_varies(problem)) return;
    viscosity.emplace(problem.varying_viscosity, problem.viscosity, false, 1.0, layout);
    for (const ScalarProblem& scalar : problem.scalars)
      if (diffusivity_varies(problem, scalar) && !for_scalars) for_scalars.emplace(layout);
    if (problem.turbulence)
      eddy.emplace(*problem.turbulence, problem.varying_viscosity ? 0.0 : problem.viscosity, box,
                   side_kinds<Dim>(problem.boundaries), layout);
  }

  FaceCoefficient<Dim> of_velocity() const {
    return viscosity ? viscosity->view(std::as_const(*at_cells).view()) : FaceCoefficient<Dim>{};
  }
  ConstFieldView<Dim> eddy_view() const { return eddy ? eddy->view() : ConstFieldView<Dim>{}; }
  Field<Dim, Space>& scratch() { return for_scalars ? *for_scalars : *at_cells; }

  bool any = false;
  std::optional<VaryingCoefficient<Dim, Space>> viscosity;
  std::optional<EddyViscosity<Dim, Space>> eddy;
  std::optional<Field<Dim, Space>> at_cells;     // r of the viscosity
  std::optional<Field<Dim, Space>> for_scalars;  // of the scalar at hand
  bool is_present = false;                       // they are those of the present level
  bool change_in_time = false;                   // a formula has t in it
};

}  // namespace hodge::sim
