// phi by the transforms of linalg/direct/direct_solver.hpp, in a box that is separable. It stays
// where the solver leaves it, one value per cell (operators/cell_increment.hpp): no field of phi is
// needed. Whether the velocity is divergence-free is checked after the step.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "linalg/direct/direct_solver.hpp"
#include "sim/time/direct_solve.hpp"
#include "sim/time/layers_beside.hpp"
#include "sim/time/pressure_solve.hpp"

namespace hodge::sim {

template <int Dim, class Space>
class PressureByTransforms final : public PressureSolve<Dim, Space> {
  using Base = PressureSolve<Dim, Space>;
  using Base::system_;

 public:
  PressureByTransforms(const SystemSettings& settings, PressureSystem<Dim, Space>& system)
      : Base(settings, system), solver_(*system.box, shared_points(system.on.unknowns)) {
    const SharedUnknowns<Dim>* const shared = system.on.unknowns.among_processes;
    if (shared != nullptr) beside_.emplace(*shared);
  }

  void correct(double scale, VelocityField<Dim, Space>& velocity,
               const PressureUpdate<Dim>& update) const override {
    correct_by_increment(system_.on.grid, phi_, scale, velocity, update);
  }
  bool correct_and_measure(double scale, const VelocityField<Dim, Space>& velocity,
                           const ConstVelocityView<Dim>& before, const VelocityView<Dim>& corrected,
                           const PressureUpdate<Dim>& update,
                           MeasuredCells<Space>& measured) const override {
    sim::correct_and_measure<Dim>(
        {system_.on.grid, phi_, scale, velocity.view(), before, corrected, update, measured.level},
        measured);
    return true;
  }
  void add_phi(double dynamic_viscosity, const VelocityField<Dim, Space>* u,
               const Field<Dim, Space>& old_pressure, Field<Dim, Space>& pressure) const override {
    Base::add_to_pressure(phi_, dynamic_viscosity, u, old_pressure, pressure);
  }
  bool ends_by_tolerance() const override { return false; }
  bool has_no_mean() const override { return true; }
  void observe(SolveObserver<Space>* observer) override {
    Base::observe(observer);
    observer_ = observer;
  }
  void visit_state(StateVisitor& visitor, const std::string& name) override {
    if (!visitor.restores()) visit_no_state(visitor, name);  // nothing is needed
  }

 protected:
  bool solve_system(const VelocityField<Dim, Space>& velocity,
                    const ProjectionRequest<Dim>& request, const linalg::SolveOptions& options,
                    Workspace<Space>& work, StepReport& report) override {
    LapTimer<Space> timer;
    std::optional<linalg::Scalar<Space>> norm = assemble_source(velocity, request, work);
    timer.count([&report](double seconds) { report.assembly_seconds += seconds; });
    phi_ = {{}, system_.on.unknowns.box.upper, system_.on.sides, request.in_sides};
    return by_transforms_.solve(
        {Base::name_, Base::settings_.tolerance, *options.absolute_tolerance, Base::maximum_.limit,
         request.is_checked},
        work, timer, &StepReport::pressure_seconds, report, std::move(norm), observer_,
        [&] { return Base::observed(request, options, work); }, [&] { fill_phi(work); });
  }

 private:
  // The norm of the right side, where it comes with the pass that assembles it.
  std::optional<linalg::Scalar<Space>> assemble_source(const VelocityField<Dim, Space>& velocity,
                                                       const ProjectionRequest<Dim>& request,
                                                       Workspace<Space>& work) {
    const PressureOperator<Dim>& on = system_.on;
    linalg::Vector<Space>& b = work.right_side;
    std::optional<linalg::Scalar<Space>> norm;
    if (request.is_checked && !request.in_sides.any())
      norm.emplace(assemble_pressure_source_and_norm(on, velocity.view(), request.factor, b));
    else
      assemble_pressure_source(on, velocity.view(), request.factor, b);
    add_values_in_open_sides(on, system_.conductance, request.in_sides, b);
    return norm;
  }

  // Among processes the solution is where the cells of others belong beside it; work.solution has
  // it, too, if somebody observes the solve.
  void fill_phi(Workspace<Space>& work) {
    if (!beside_) {
      solver_.solve(work.right_side, work.solution);
      phi_.values = view_of_rows(work.solution.data(), phi_.cells);
      return;
    }
    linalg::Vector<Space> own = beside_->rows();
    solver_.solve(work.right_side, own);
    beside_->fill();
    if (observer_ != nullptr) work.solution = own;
    phi_.values = view_of_rows(beside_->own(), phi_.cells);
  }

  linalg::DirectSolver<Space> solver_;
  DirectSolve<Space> by_transforms_;
  CellIncrement<Dim> phi_;                          // of the last solve
  std::optional<LayersBeside<Dim, Space>> beside_;  // among processes that share it
  SolveObserver<Space>* observer_ = nullptr;
};

}  // namespace hodge::sim
