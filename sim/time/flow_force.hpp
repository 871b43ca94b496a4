// Forces that depend on the flow (operators/flow_force.hpp), as fields beside those that depend on
// place and time alone. They are explicit in all schemes, at the time of the step's diffusion:
//
//   bdf2, backward_euler, cn_ab2   of u^n + a r (u^n - u^{n-1}), a = 1 or, of cn_ab2, 1/2
//   rk3, ab2                       of the level that a stage starts with, as its rate
//
// Second order (backward_euler first, rk3 third). Steps are bounded by ForceLimits
// (model/schemes.hpp, stability.hpp). Rotation is damped by -kappa dt (2 Omega)^2 (u^n - u^{n-1}),
// r for unequal steps, so that what turns does not grow; a steady flow does not depend on dt.
//
// Memory: a field for each component.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "sim/base/formulas/expression.hpp"
#include "sim/discrete/operators/flow_force.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

template <int Dim, class Space>
class FlowForce {
 public:
  FlowForce(const Problem& problem, const Layout<Dim>& layout)
      : rotation_(problem.rotation), values_(layout), rates_(2) {
    std::vector<Expression> formulas;
    for (int d = 0; d < Dim; ++d) {
      const auto& f = problem.flow_force[static_cast<std::size_t>(d)];
      first_[d] = static_cast<int>(formulas.size());
      if (!f) continue;
      has_formula_[d] = true;
      formulas.push_back(*f);
      for (int e = 0; e < Dim; ++e) formulas.push_back(f->derivative(first_extra_variable + e));
    }
    std::vector<std::span<const Instruction>> programs;
    for (const Expression& f : formulas) programs.push_back(f.instructions());
    if (!programs.empty()) programs_ = Programs<Space>(programs);
  }

  // Component d, with `given` of place and time; `damped`: kappa dt.
  void refresh(const Forcing<Dim>& given, const FlowAtFaces<Dim>& from, double damped) {
    const int d = given.location;
    evaluate_coriolis(coriolis_of<Dim>(rotation_, damped), given, from.u, values_[d]);
    if (has_formula_[d]) add_flow_formula(programs_.view(first_[d]), given, from, values_[d]);
  }

  ConstFieldView<Dim> view(int d) const { return values_[d].view(); }
  bool has_formula(int d) const { return has_formula_[d]; }

  // Of component d, as measure_flow_rates() has them. Waits.
  std::array<double, 2> rates(const Forcing<Dim>& place, const FlowAtFaces<Dim>& from) const {
    const int d = place.location;
    FlowDerivatives<Dim> derivatives;
    for (int e = 0; e < Dim; ++e) derivatives.of[e] = programs_.view(first_[d] + 1 + e);
    measure_flow_rates<Dim, Space>(derivatives, place, from, values_[d].layout().interior(),
                                   rates_.data());
    std::array<double, 2> found;
    rates_.download(found);
    return found;
  }

 private:
  Point rotation_;
  VelocityField<Dim, Space> values_;
  Programs<Space> programs_;  // of each component that has one: the formula and its derivatives
  std::array<int, Dim> first_{};
  std::array<bool, Dim> has_formula_{};
  mutable linalg::Buffer<double, Space> rates_;
};

}  // namespace hodge::sim
