// phi by a linear solver of linalg/solve, from the last phi or a starting guess, in a field.
#pragma once

#include <string>

#include "sim/time/pressure_solve.hpp"

namespace hodge::sim {

template <int Dim, class Space>
class PressureByIterations final : public PressureSolve<Dim, Space> {
  using Base = PressureSolve<Dim, Space>;
  using Base::system_;

 public:
  // phi: of the last solve, with its ghosts; whoever sets it sets the guess of the scheme.
  PressureByIterations(const SystemSettings& settings, PressureSystem<Dim, Space>& system,
                       Field<Dim, Space>& phi)
      : Base(settings, system),
        phi_(phi),
        solver_(Base::settings_, system.has_mobility() ? Projection::residual : Projection::energy,
                system.rows(), 1, linalg::Choices::forgotten) {
    (void)system.matrix();
    solver_.add_sequence(system.rows());
  }

  void correct(double scale, VelocityField<Dim, Space>& velocity,
               const PressureUpdate<Dim>& update) const override {
    subtract_gradient(system_, scale, phi_, velocity);
    update_pressure(system_.on.bodies, phi_, update);
  }
  void add_phi(double dynamic_viscosity, const VelocityField<Dim, Space>* u,
               const Field<Dim, Space>& old_pressure, Field<Dim, Space>& pressure) const override {
    Base::add_to_pressure(std::as_const(phi_).view(), dynamic_viscosity, u, old_pressure, pressure);
  }
  bool ends_by_tolerance() const override { return true; }
  bool has_no_mean() const override { return false; }
  void observe(SolveObserver<Space>* observer) override {
    Base::observe(observer);
    solver_.observe(observer);
  }
  void visit_state(StateVisitor& visitor, const std::string& name) override {
    solver_.visit_state(visitor, name);
  }

 protected:
  bool solve_system(const VelocityField<Dim, Space>& velocity,
                    const ProjectionRequest<Dim>& request, const linalg::SolveOptions& options,
                    Workspace<Space>& work, StepReport& report) override {
    LapTimer<Space> timer;
    const PressureOperator<Dim>& on = system_.on;
    assemble_pressure_source(on, velocity.view(), request.factor, work.right_side);
    add_values_in_open_sides(on, system_.conductance, request.in_sides, work.right_side);
    if (!request.moment || solver_.takes_guess_of_scheme())
      gather(on.unknowns, phi_, request.guess_scale, work.solution);
    report.assembly_seconds += timer.lap();
    return solver_.solve(
        Base::observed(request, options, work), work, timer, &StepReport::pressure_seconds, report,
        [] {},
        [&] {
          scatter(on.unknowns, work.solution, phi_);
          fill_pressure_ghosts(phi_, on.sides, request.in_sides);
        });
  }

 private:
  Field<Dim, Space>& phi_;
  SequenceSolver<Space> solver_;
};

}  // namespace hodge::sim
