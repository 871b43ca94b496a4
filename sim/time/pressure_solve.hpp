// Makes a velocity divergence-free: solves for phi with div(u - grad(phi) / factor) = 0, where
// factor = rho a0 / dt, and corrects velocity and pressure by it. Two ways:
//
//   pressure_by_transforms.hpp    to rounding, where the box is separable: method `direct`
//   pressure_by_iterations.hpp    to a tolerance: all others
//
// The residual is factor V div u of the corrected velocity, cell by cell. `stop: residual` ends the
// solve by its norm; `stop: divergence` where max |div u| <= tolerance, 1/T, and asks no norm. So
// a solve promises max |div u| <= norm / (factor min V), or that tolerance; transforms promise what
// iterations would.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "linalg/processes/shared_sums.hpp"
#include "sim/discrete/assembly/divergence_of_residual.hpp"
#include "sim/discrete/assembly/transfer.hpp"
#include "sim/discrete/operators/measured_correction.hpp"
#include "sim/time/pressure_system.hpp"
#include "sim/time/sequence_solver.hpp"

namespace hodge::sim {

template <int Dim>
struct ProjectionRequest {
  double factor;                // rho a0 / dt
  double guess_scale;           // guess scheme: this times the last phi
  double divergence_tolerance;  // root mean square of div u that need not be reduced further, 1/T
  // The middle of the time in which phi grows, and that time: phi / scale is smooth. Absent for the
  // projection of an initial velocity, which belongs to no sequence.
  std::optional<Moment> moment;
  SideValues<Dim> in_sides{};  // phi in open sides: what the pressure given there grows by
  // Whether a solve by transforms looks for numbers that are none; else a later one of the step
  // does.
  bool is_checked = true;
  double rounding = 0;  // root of the sum of squares of the net outflows (rounding.hpp)
};

// 1 / V of the cells of the own points, for `stop: divergence`.
template <int Dim, class Space>
void inverse_volumes(const GridView<Dim>& grid, const Unknowns<Dim>& unknowns,
                     linalg::Vector<Space>& weights) {
  double* const weight = weights.data();
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (unknowns.contains(c)) weight[unknowns.row(c)] = 1.0 / grid.cell_volume(c);
  });
}

// For a restart with a solver by iterations, which ignores the state of another one.
inline void visit_no_state(StateVisitor& visitor, const std::string& name) {
  std::string settings = "direct";
  StateGroup(visitor, name).visit("settings", settings);
}

template <int Dim, class Space>
class PressureSolve {
 public:
  PressureSolve(const SystemSettings& settings, PressureSystem<Dim, Space>& system)
      : system_(system), settings_(settings) {
    if (!settings.stops_by_divergence()) return;
    most_divergence_ = settings.tolerance;
    settings_.tolerance = 0;  // is not one on the norm
    weigh_by_volumes();
  }
  virtual ~PressureSolve() = default;
  PressureSolve(const PressureSolve&) = delete;
  PressureSolve& operator=(const PressureSolve&) = delete;

  // phi. Of the velocity's ghosts only the faces in sides are read. False where the solve failed;
  // the report's last summary says how.
  bool solve(const VelocityField<Dim, Space>& velocity, const ProjectionRequest<Dim>& request,
             Workspace<Space>& work, StepReport& report) {
    const linalg::SharingRows sums(shared_rows(system_.on.unknowns));
    work.resize(system_.rows());
    maximum_.limit = request.factor * most_divergence_;
    const linalg::SolveOptions options{
        .null_space = system_.null_space,
        .changed = changed_matrix(),
        .absolute_tolerance =
            request.factor *
            std::max(request.divergence_tolerance * system_.volume_norm, request.rounding)};
    const bool solved = solve_system(velocity, request, options, work, report);
    const linalg::SolveReport& last = report.solves.back().report;
    if (request.is_checked)
      report.promised_divergence =
          std::max(last.target / system_.smallest_volume, last.maximum_target) / request.factor;
    if (!request.moment) LapTimer<Space>::settle();
    return solved;
  }

  // With phi of the last solve, ghosts not filled: velocity -= scale grad phi, and the update of
  // the pressure.
  virtual void correct(double scale, VelocityField<Dim, Space>& velocity,
                       const PressureUpdate<Dim>& update = {}) const = 0;
  // The same with an update that publishes, and what diagnostics measure; the corrected velocity
  // goes to `corrected`, `before` is u^n. Not all can: false.
  virtual bool correct_and_measure(double, const VelocityField<Dim, Space>&,
                                   const ConstVelocityView<Dim>&, const VelocityView<Dim>&,
                                   const PressureUpdate<Dim>&, MeasuredCells<Space>&) const {
    return false;
  }
  // p := old p + phi - dynamic_viscosity div u in the fluid; u null: without that term.
  virtual void add_phi(double dynamic_viscosity, const VelocityField<Dim, Space>* u,
                       const Field<Dim, Space>& old_pressure,
                       Field<Dim, Space>& pressure) const = 0;

  // Whether a solve reduces its residual to a tolerance, and not to rounding.
  virtual bool ends_by_tolerance() const = 0;
  // Whether phi has no part along the constant, where its level is not determined.
  virtual bool has_no_mean() const = 0;

  // Shown every system before and after it is solved; null: none.
  virtual void observe(SolveObserver<Space>* observer) {
    if (observer == nullptr) return;
    (void)system_.matrix();
    if (largest_.size() == 0) largest_ = linalg::Buffer<double, Space>(1);
  }
  virtual void visit_state(StateVisitor& visitor, const std::string& name) = 0;

 protected:
  // As solve(), with entry and seconds in the report.
  virtual bool solve_system(const VelocityField<Dim, Space>& velocity,
                            const ProjectionRequest<Dim>& request,
                            const linalg::SolveOptions& options, Workspace<Space>& work,
                            StepReport& report) = 0;

  ObservedSystem<Space> observed(const ProjectionRequest<Dim>& request,
                                 const linalg::SolveOptions& options,
                                 const Workspace<Space>& work) {
    return {name_,
            SystemKind::pressure,
            system_.matrix(),
            work.right_side,
            work.solution,
            options,
            maximum_.weights != nullptr ? &maximum_ : nullptr,
            request.moment,
            true,
            [this, factor = request.factor](const linalg::Vector<Space>& residual) {
              return divergence_of_residual(system_.on.grid, system_.on.unknowns, factor, residual,
                                            largest_);
            }};
  }

  // add_phi() of a phi in some form.
  template <class Increment>
  void add_to_pressure(const Increment& phi, double dynamic_viscosity,
                       const VelocityField<Dim, Space>* u, const Field<Dim, Space>& old_pressure,
                       Field<Dim, Space>& pressure) const {
    if (u != nullptr)
      update_pressure(system_.on.grid, system_.on.bodies, phi, dynamic_viscosity, *u, old_pressure,
                      pressure);
    else
      update_pressure(system_.on.bodies, phi, old_pressure, pressure);
  }

  const std::string name_ = "pressure";
  PressureSystem<Dim, Space>& system_;
  SystemSettings settings_;  // with `stop: divergence` without the tolerance
  linalg::MaximumRule<Space> maximum_;

 private:
  // Since the solver has seen it.
  linalg::Changed changed_matrix() {
    const bool has_changed = system_.take_new_values();
    if (!std::exchange(matrix_seen_, true)) return linalg::Changed::pattern;
    return has_changed ? linalg::Changed::values : linalg::Changed::nothing;
  }

  void weigh_by_volumes() {
    inverse_volumes_.resize(system_.rows());
    inverse_volumes(system_.on.grid, system_.on.unknowns, inverse_volumes_);
    double largest_negative = -std::numeric_limits<double>::infinity();
    for (const double weight : inverse_volumes_.to_host())
      largest_negative = std::max(largest_negative, -weight);
    linalg::maximum_over_processes(shared_rows(system_.on.unknowns),
                                   std::span(&largest_negative, 1));
    maximum_ = {&inverse_volumes_, -largest_negative, 0};
  }

  bool matrix_seen_ = false;  // by the solver's preconditioner
  double most_divergence_ = 0;
  linalg::Vector<Space> inverse_volumes_;  // of stop: divergence; else empty
  linalg::Buffer<double, Space> largest_;  // scratch of the observer's measure
};

}  // namespace hodge::sim
