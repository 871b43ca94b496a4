// Holds the flow rates along periodic axes at given values by a uniform acceleration G, which is
// minus the mean pressure gradient over the density. A mean pressure gradient is the part of the
// pressure that is linear along a periodic axis, so G goes with the pressure through every step:
//
//   predictor   with the G of the pressure that drives the step
//   corrector   after the projection u += sum_d beta_d w_d, so that Q_d(u) = Q_d of its time
//               beta = M^-1 (Q L - integral of u),  M_de = integral of component d of w_e
//   G += a0 / dt beta,  P += rho a0 / dt sum_d beta_d chi_d      with w, chi of flow_rate.hpp
//
// A steady flow has beta = 0, so that G is what balances friction and drag, whatever the step. G
// belongs to the time of the pressure P; where that is not the end of the step, `published` is on
// the line through the last two G as p is (projection_verbs.hpp).
//
// Beside sharp solids w changes with the mobility of faces, that is where steps change by more than
// a half: it is found anew, and belongs to the state.
//
// G, beta and the integrals stay on the device: nothing waits for the host. Cost per projection: a
// reduction over the cells and a pass over the velocity; with solids one field for each held axis.
// Sources: J.-L. Guermond, P. Minev & J. Shen, Comput. Methods Appl. Mech. Engrg. 195, 2006
// (incremental pressure correction); P. Costa, Comput. Math. Appl. 76, 2018, Sec. 2.4 (bulk
// velocity forcing).
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"
#include "sim/base/state_visitor.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/discrete/operators/flow_rate.hpp"
#include "sim/model/problem.hpp"

namespace hodge::sim {

template <int Dim, class Space>
class FlowRateControl {
 public:
  FlowRateControl(const Problem& problem, const Grid& grid, const Layout<Dim>& layout,
                  bool has_solids) {
    for (int d = 0; d < Dim; ++d) {
      targets_[d] = problem.flow_rate[d];
      length_[d] = grid.axis(d).length();
      potentials_.emplace_back(has_solids && targets_[d] ? layout : Layout<Dim>{});
    }
    if (!any()) return;
    state_ = linalg::Vector<Space>(2 * Dim);
    state_.fill(0.0);
    measured_ = linalg::Buffer<double, Space>(2 * Dim);
  }

  bool any() const { return has_flow_rate(targets_); }
  bool holds(int axis) const { return targets_[axis].has_value(); }

  // The flows w. project(velocity) fills phi, ghosts too, with
  // lap phi = div velocity up to its tolerance, and says whether there was anything to solve for.
  // `scratch` is overwritten. Errors: ConfigError where solids block an axis.
  template <class Project>
  void prepare(const UnitFlow<Dim>& on, VelocityField<Dim, Space>& scratch,
               const Field<Dim, Space>& phi, const Project& project);

  // After a projection: u has the flow rates of `time`; `factor` is a0 / dt. Ghosts not filled.
  void correct(const UnitFlow<Dim>& box, double time, double factor,
               VelocityField<Dim, Space>& velocity);

  // The same of an acceleration at t = 0, whose flow rates become dQ/dt = (Q(2 s) - Q(s)) / s for a
  // short time s; s = 0: the flow rates do not change.
  void correct_acceleration(const UnitFlow<Dim>& box, double s,
                            VelocityField<Dim, Space>& acceleration);

  // G of the pressure `pressure`, which becomes that of the last correction.
  // `ahead`: of the published G, beyond that pressure's, in units of the last change.
  void accept(const UnitFlow<Dim>& box, double density, double ahead, Field<Dim, Space>& pressure);

  // G along an axis in the space, of the pressure that drives a step and of the end of the last
  // step; null where no flow rate is held.
  const double* driving(int axis) const { return holds(axis) ? state_.data() + axis : nullptr; }
  const double* published(int axis) const {
    return holds(axis) ? state_.data() + Dim + axis : nullptr;
  }
  // Of each axis.
  std::vector<double> published_to_host() const {
    const std::vector<double> state = state_.to_host();
    return {state.begin() + Dim, state.end()};
  }

  void visit_state(StateVisitor& visitor, const UnitFlow<Dim>& on,
                   VelocityField<Dim, Space>& scratch) {
    if (!any()) return;
    for (int d = 0; on.bodies.cuts_faces && d < Dim; ++d)
      if (holds(d))
        visit_field(visitor, std::string("flow_rate_potential/") + axis_names[d], potentials_[d]);
    if (on.bodies.cuts_faces && visitor.restores()) measure_flows(on, scratch);
    visit_values(visitor, "flow_rate_acceleration", state_);
    const std::vector<double> now = state_.to_host();
    for (int k = 0; k < 2 * Dim; ++k)
      if (!holds(k % Dim) && now[static_cast<std::size_t>(k)] != 0)
        visitor.refuse("flow_rate_acceleration", "has a value of an axis that is free");
  }

 private:
  using Matrix = std::array<std::array<double, Dim>, Dim>;

  UnitFlow<Dim> with_potentials(UnitFlow<Dim> on) const {
    for (int d = 0; d < Dim; ++d)
      if (potentials_[d].layout().cells[0] > 0) on.chi[d] = potentials_[d].view();
    return on;
  }
  void measure_flows(const UnitFlow<Dim>& on, VelocityField<Dim, Space>& scratch);
  void find_potential(UnitFlow<Dim> on, int axis, VelocityField<Dim, Space>& scratch,
                      const Field<Dim, Space>& phi, const auto& project);
  void invert(Matrix m, double volume);
  void add_impulses(const UnitFlow<Dim>& box, VelocityField<Dim, Space>& velocity);

  static constexpr double scale = 1 << 27;  // of w in prepare(): absolute tolerances do not matter
  static constexpr int most_rounds = 8;
  static constexpr double least_flow = 1e-8;  // of a uniform one: less is none

  std::array<std::optional<Expression>, 3> targets_;
  double length_[Dim];
  std::vector<Field<Dim, Space>> potentials_;  // chi; empty without solids
  WantedFlow<Dim> wanted_;
  linalg::Vector<Space> state_;             // G that drives, then G published
  linalg::Buffer<double, Space> measured_;  // integrals of u, then beta
  double factor_ = 0;                       // of the last correction
};

// Each round takes out what the solve before it has left.
template <int Dim, class Space>
void FlowRateControl<Dim, Space>::find_potential(UnitFlow<Dim> on, int axis,
                                                 VelocityField<Dim, Space>& scratch,
                                                 const Field<Dim, Space>& phi,
                                                 const auto& project) {
  Field<Dim, Space>& chi = potentials_[axis];
  chi.values().fill(0.0);
  on.chi[axis] = std::as_const(chi).view();
  for (int round = 0; round < most_rounds; ++round) {
    set_unit_flow(on, axis, scale, scratch);
    if (!project(scratch)) return;
    chi.values() = chi.values() + (1.0 / scale) * phi.values();
  }
}

template <int Dim, class Space>
template <class Project>
void FlowRateControl<Dim, Space>::prepare(const UnitFlow<Dim>& on,
                                          VelocityField<Dim, Space>& scratch,
                                          const Field<Dim, Space>& phi, const Project& project) {
  for (int d = 0; d < Dim; ++d)
    if (holds(d) && on.bodies.any()) find_potential(on, d, scratch, phi, project);
  measure_flows(on, scratch);
}

// M^-1, of the potentials.
template <int Dim, class Space>
void FlowRateControl<Dim, Space>::measure_flows(const UnitFlow<Dim>& on,
                                                VelocityField<Dim, Space>& scratch) {
  Matrix flows{};
  double volume = 1;
  for (int d = 0; d < Dim; ++d) {
    volume *= length_[d];
    if (!holds(d)) continue;
    set_unit_flow(with_potentials(on), d, 1.0, scratch);
    integrate_velocity(on.grid, on.bodies, scratch, measured_.data());
    const std::vector<double> integrals = measured_.to_host();
    for (int e = 0; e < Dim; ++e) flows[e][d] = holds(e) ? integrals[e] : 0.0;
  }
  invert(flows, volume);
}

// Gauss-Jordan; M is symmetric and positive definite where fluid can flow along every held axis.
template <int Dim, class Space>
void FlowRateControl<Dim, Space>::invert(Matrix m, double volume) {
  Matrix inverse{};
  for (int d = 0; d < Dim; ++d) inverse[d][d] = holds(d) ? 1.0 : 0.0;
  for (int d = 0; d < Dim; ++d) {
    if (!holds(d)) continue;
    const double pivot = m[d][d];
    if (!(pivot > least_flow * volume))
      throw ConfigError(std::string("force.flow_rate: the solids let no fluid flow along ") +
                        axis_names[d] + " alone, expected a way through the box");
    for (int e = 0; e < Dim; ++e) {
      m[d][e] /= pivot;
      inverse[d][e] /= pivot;
    }
    for (int row = 0; row < Dim; ++row) {
      const double share = m[row][d];
      for (int e = 0; e < Dim && row != d; ++e) {
        m[row][e] -= share * m[d][e];
        inverse[row][e] -= share * inverse[d][e];
      }
    }
  }
  for (int d = 0; d < Dim; ++d)
    for (int e = 0; e < Dim; ++e) wanted_.inverse[d][e] = inverse[d][e];
}

template <int Dim, class Space>
void FlowRateControl<Dim, Space>::correct(const UnitFlow<Dim>& box, double time, double factor,
                                          VelocityField<Dim, Space>& velocity) {
  factor_ = factor;
  for (int d = 0; d < Dim; ++d)
    if (holds(d)) wanted_.targets[d] = (*targets_[d])({}, time) * length_[d];
  add_impulses(box, velocity);
}

template <int Dim, class Space>
void FlowRateControl<Dim, Space>::correct_acceleration(const UnitFlow<Dim>& box, double s,
                                                       VelocityField<Dim, Space>& acceleration) {
  factor_ = 1.0;
  for (int d = 0; d < Dim; ++d) {
    if (!holds(d)) continue;
    const Expression& q = *targets_[d];
    wanted_.targets[d] = s > 0 ? (q({}, 2 * s) - q({}, s)) / s * length_[d] : 0.0;
  }
  add_impulses(box, acceleration);
}

// What the flow misses of wanted_.targets.
template <int Dim, class Space>
void FlowRateControl<Dim, Space>::add_impulses(const UnitFlow<Dim>& box,
                                               VelocityField<Dim, Space>& velocity) {
  double* const integrals = measured_.data();
  double* const impulses = integrals + Dim;
  integrate_velocity(box.grid, box.bodies, velocity, integrals);
  find_impulses<Dim, Space>(wanted_, integrals, impulses);
  add_unit_flows(with_potentials(box), impulses, velocity);
}

template <int Dim, class Space>
void FlowRateControl<Dim, Space>::accept(const UnitFlow<Dim>& box, double density, double ahead,
                                         Field<Dim, Space>& pressure) {
  const double* const impulses = measured_.data() + Dim;
  accelerate<Dim, Space>(impulses, factor_, ahead, state_.data(), state_.data() + Dim);
  if (box.bodies.any())
    add_unit_potentials(with_potentials(box), impulses, density * factor_, pressure);
}

}  // namespace hodge::sim
