// The incompressible Navier-Stokes equations with transported scalars, in time: the fields, and the
// verbs that the steps are made of. A step is in the file of its family:
//
//   implicit_step.hpp   bdf2, backward_euler
//   cn_ab2_step.hpp     explicit convection, implicit diffusion
//   rk3_step.hpp        explicit, a projection a stage
//
// Every step is an incremental pressure correction: with the pressure of the level before, a
// velocity u* that has a divergence; then phi with lap phi = (rho a0 / dt) div u*, and
// u = u* - dt / (rho a0) grad phi. Scalars go first, so that buoyancy is that of the new level;
// reactions are split off around the step (G. Strang, SIAM J. Numer. Anal. 5, 1968).
//
// Units are those of the case. Fields keep their ghosts filled (boundaries/ghosts.hpp). A step
// whose solve fails leaves velocity, scalars, pressure and clock as they were.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "sim/base/state_visitor.hpp"
#include "sim/discrete/boundaries/pressure_sides.hpp"
#include "sim/discrete/boundaries/velocity_boundary.hpp"
#include "sim/discrete/operators/correction.hpp"
#include "sim/discrete/operators/forcing.hpp"
#include "sim/discrete/reactions/reactions.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/deferred_convection.hpp"
#include "sim/time/fluid_domain.hpp"
#include "sim/time/pressure_projection.hpp"
#include "sim/time/runge_kutta.hpp"
#include "sim/time/scalar_state.hpp"
#include "sim/time/stability.hpp"
#include "sim/time/transport_solver.hpp"

namespace hodge::sim {

template <int Dim, class Space>
std::vector<int> rows_of(const std::vector<NumberedUnknowns<Dim, Space>>& unknowns) {
  std::vector<int> rows;
  for (const auto& u : unknowns) rows.push_back(u.rows());
  return rows;
}

// A divergence below this fraction of |u| / h is rounding, and no solve is asked to reduce it.
inline constexpr double round_off = 1e-14;

template <int Dim, class Space>
class NavierStokes {
 public:
  // Settings and problem are taken as checked (flow/checks.hpp). The fluid is at rest.
  NavierStokes(const Settings& settings, const Problem& problem, const Grid& grid,
               const FluidDomain& domain);

  // Starts from padded host values, of which the inner ones and the faces of the sides need be set,
  // and makes the velocity divergence-free: the report's only solve.
  [[nodiscard]] StepReport start(const std::array<std::vector<double>, Dim>& velocity,
                                 const std::vector<double>& pressure,
                                 const std::vector<std::vector<double>>& scalars);
  [[nodiscard]] StepReport advance(double dt);
  // Shown every system of the steps to come; null: none. It must outlive them.
  void observe_solves(SolveObserver<Space>* observer);

  const DeviceGrid<Dim, Space>& grid() const { return grid_; }
  const SideKinds<Dim>& sides() const { return boundary_.sides(); }
  VelocityClosures<Dim> closures() const { return boundary_.closures(); }
  BodyView<Dim> bodies() const { return bodies_.view(); }
  const VelocityField<Dim, Space>& velocity() const { return velocity_; }
  const VelocityField<Dim, Space>& previous_velocity() const { return previous_; }
  // At time(), as everything here.
  const Field<Dim, Space>& pressure() const {
    return pressure_lags_ ? published_pressure_ : pressure_;
  }
  const std::vector<ScalarState<Dim, Space>>& scalars() const { return scalars_; }
  Forcing<Dim> forcing(int d) const;  // of component d, by the present fields
  const InflowBalance<Dim, Space>& inflow_balance() const { return boundary_.balance(); }
  bool velocity_is_prescribed() const { return prescribed_.count() > 0; }
  std::vector<std::string> systems() const;  // of a step, in the order of its solves
  double time() const { return time_; }
  double last_dt() const { return last_dt_; }  // 0 before the first step
  long step() const { return step_; }
  void set_time(double t) { time_ = t; }
  void visit_state(StateVisitor& visitor);

 private:
  using Velocity = VelocityField<Dim, Space>;
  using Scalar = ScalarState<Dim, Space>;
  using ScalarLevel = Field<Dim, Space> Scalar::*;

  // The families of steps; each leaves the new level in `next_` and the scalars' `next`.
  bool implicit_step(double dt, StepReport& report);
  bool implicit_scalars(const TimeWeights& w, double dt, StepReport& report);
  bool implicit_scalar(Scalar& scalar, const TimeWeights& w, double dt, StepReport& report);
  bool one_step_scalar(Scalar& scalar, double dt, StepReport& report);
  bool implicit_velocity(const TimeWeights& w, double dt, StepReport& report);
  bool solve_transport(Scalar& scalar, TransportEquation<Dim>& equation,
                       const Field<Dim, Space>& level, StepReport& report);
  bool solve_transport(int d, TransportEquation<Dim>& equation, StepReport& report);
  bool cn_ab2_step(double dt, StepReport& report);
  bool cn_ab2_scalars(const TimeWeights& w, double dt, StepReport& report);
  bool cn_ab2_velocity(const TimeWeights& w, double dt, StepReport& report);
  bool rk3_step(double dt, StepReport& report);
  void rk3_scalar_stage(const RungeKuttaStage& stage, double dt, const Velocity& velocity,
                        Scalar& scalar, Field<Dim, Space>& from, Field<Dim, Space>& to);
  void rk3_velocity_stage(const RungeKuttaStage& stage, double dt, ScalarLevel scalars,
                          Velocity& from, Velocity& to);

  void add_matrix(int d, linalg::Symmetry symmetry);

  // The verbs.
  TimeWeights weights(double dt) const { return scheme_.weights(step_ > 0 ? dt / last_dt_ : 0.0); }
  void extrapolate_convecting_velocity(const TimeWeights& w, double new_time);
  bool refresh_velocity_boundary(const TimeWeights& w, double new_time, double dt,
                                 const Velocity& convecting, const Velocity& level,
                                 const Velocity& level_before, StepReport& report);
  bool inflow_balances(StepReport& report) const;
  void refresh_scalar_boundary(Scalar& scalar, const TimeWeights& w, double new_time, double dt,
                               const Velocity& convecting, const Field<Dim, Space>& level,
                               const Field<Dim, Space>& level_before);
  TransportOperator<Dim> transport_at(int location, double diffusivity) const {
    return {grid_.view(),           sides(), bodies(), location, diffusivity, convection_.kind,
            boundary_.mean_speeds()};
  }
  TransportEquation<Dim> equation_of(int location, double diffusivity,
                                     const ClosureView<Dim>& closure, const TimeWeights& w,
                                     double dt) const;
  // The forcing of component d at a time, buoyancy by these scalar levels with their weights.
  ConstFieldView<Dim> velocity_forcing(
      int d, double time, std::initializer_list<std::pair<ScalarLevel, double>> levels);
  ConstFieldView<Dim> source(const Scalar& scalar, double time);
  bool react_first(ScalarLevel level, double dt, StepReport& report);
  bool react(ScalarLevel level, double time, double dt, StepReport& report);
  bool solve_component(int d, const TransportEquation<Dim>& equation, StepReport& report);
  bool solve_scalar(Scalar& scalar, const TransportEquation<Dim>& equation, StepReport& report);
  // Solves again until q, the deferred part's field, changes no more; `level` is q^n.
  template <class Solve>
  bool converge_deferred(const Unknowns<Dim>& unknowns, const Field<Dim, Space>& level,
                         Field<Dim, Space>& q, const DeferredRule& rule, double new_time,
                         StepReport& report, Solve solve);
  bool project(Velocity& velocity, double dt, double guess_scale, double factor,
               const Moment& phi_at, StepReport& report);
  void correct_pressure(const Velocity& predicted, double implicit_diffusion);
  void publish_pressure(double dt);
  void correct_velocity(double factor, Velocity& velocity);
  void prescribe(Velocity& velocity, double time);
  void accept_step(double dt);
  double initial_rate(const std::array<std::vector<double>, Dim>& velocity) const;

  const TimeScheme& scheme_;
  const ConvectionScheme& convection_;
  bool keeps_bounds_;  // of scalars, by iterating the deferred part closely
  std::array<SystemSettings, 3> solvers_;  // pressure, transport, scalars
  double density_, viscosity_, fluid_volume_;
  double divergence_tolerance_;  // root mean square of dt div u that need not be reduced
  bool has_force_, has_buoyancy_;
  bool pressure_lags_;  // pressure_ is not that of the end of the step

  DeviceGrid<Dim, Space> grid_;
  Bodies<Dim, Space> bodies_;
  VelocityBoundary<Dim, Space> boundary_;
  PressureSides<Dim, Space> pressure_sides_;
  Programs<Space> force_, prescribed_;
  bool prescribed_changes_ = false;
  Velocity velocity_;                     // u^n
  Velocity previous_;                     // u^{n-1}
  Velocity convecting_;                   // u^; a stage of rk3
  Velocity next_;                         // u*, then u^{n+1}
  Field<Dim, Space> pressure_;            // P: p at the time that pressure_at(family) says
  Field<Dim, Space> published_pressure_;  // p^n where P lags; else empty
  Field<Dim, Space> increment_;           // phi of the last solve
  Field<Dim, Space> forcing_;             // of the component or scalar at hand; empty without any
  std::vector<Field<Dim, Space>> rates_;  // of rk3: of each component
  Field<Dim, Space> iterate_;             // of a deferred scheme in implicit steps; else empty
  linalg::Buffer<double, Space> changes_{iterate_change_count};
  std::vector<Scalar> scalars_;

  std::vector<NumberedUnknowns<Dim, Space>> faces_;  // of each component
  NumberedUnknowns<Dim, Space> cells_;
  PressureProjection<Dim, Space> projection_;
  // The components whose rows are the same, those of a periodic box say, have one matrix in turn;
  // none for rk3.
  std::vector<linalg::CsrMatrix<Space>> matrices_;
  std::array<std::size_t, Dim> matrix_of_{};  // of a component, its position in matrices_
  bool equal_locations_ = false;              // equal cells in a periodic box
  std::vector<linalg::CsrMatrix<Space>> scalar_matrix_;  // shared by the scalars; none for rk3
  std::unique_ptr<TransportSolver<Dim, Space>> momentum_solver_, scalar_solver_;
  Workspace<Space> work_;
  std::unique_ptr<Reactions<Dim, Space>> reactions_;  // null without any

  SolveObserver<Space>* observer_ = nullptr;

  double time_ = 0, last_dt_ = 0;
  long step_ = 0;
};

template <int Dim, class Space>
NavierStokes<Dim, Space>::NavierStokes(const Settings& settings, const Problem& problem,
                                       const Grid& grid, const FluidDomain& domain)
    : scheme_(find_time_scheme(settings.time.scheme)),
      convection_(find_convection_scheme(settings.convection_scheme)),
      keeps_bounds_(convection_.is_deferred() && keeps_bounds(settings)),
      solvers_{settings.pressure, settings.transport, for_bounds(settings.scalars, keeps_bounds_)},
      density_(problem.density),
      viscosity_(problem.viscosity),
      fluid_volume_(domain.volume),
      divergence_tolerance_(std::max(settings.pressure.absolute_tolerance, round_off)),
      has_force_(!std::all_of(problem.force.begin(), problem.force.begin() + Dim,
                              [](const Expression& f) { return f.is_zero(); })),
      has_buoyancy_(false),
      pressure_lags_(pressure_lags(scheme_.family, problem.prescribed_velocity.has_value())),
      grid_(grid, problem.boundaries),
      bodies_(grid_.layout(), domain.bodies, problem.boundaries),
      boundary_(problem.boundaries, grid_, bodies_.view(), domain.inflow),
      pressure_sides_(problem.boundaries, grid_),
      velocity_(grid_.layout()),
      previous_(grid_.layout()),
      convecting_(grid_.layout()),
      next_(grid_.layout()),
      pressure_(grid_.layout()),
      published_pressure_(pressure_lags_ ? grid_.layout() : Layout<Dim>{}),
      increment_(grid_.layout()),
      forcing_(has_forcing(problem) ? grid_.layout() : Layout<Dim>{}),
      iterate_(scheme_.family == TimeFamily::implicit && convection_.is_deferred() ? grid_.layout()
                                                                                   : Layout<Dim>{}),
      cells_(at_cells, grid_.layout(), boundary_.sides(), bodies_.view()),
      projection_(settings.pressure, grid_, boundary_.sides(), cells_.view(), domain.pinned,
                  domain.has_level) {
  const bool has_stages = scheme_.family == TimeFamily::rk3;
  const linalg::Symmetry symmetry = scheme_.family == TimeFamily::cn_ab2
                                        ? linalg::Symmetry::symmetric
                                        : linalg::Symmetry::nonsymmetric;
  std::vector<std::span<const Instruction>> force;
  for (const Expression& f : problem.force) force.push_back(f.instructions());
  force_ = Programs<Space>(force);
  if (problem.prescribed_velocity) {
    std::vector<std::span<const Instruction>> formulas;
    for (const Expression& u : *problem.prescribed_velocity) {
      formulas.push_back(u.instructions());
      prescribed_changes_ = prescribed_changes_ || u.depends_on_time();
    }
    prescribed_ = Programs<Space>(formulas);
  }
  for (const ScalarProblem& scalar : problem.scalars) {
    scalars_.emplace_back(scalar, problem.boundaries, grid_, bodies_.view(), has_stages);
    has_buoyancy_ = has_buoyancy_ || scalars_.back().is_buoyant();
  }
  int largest = cells_.rows();
  for (int d = 0; d < Dim; ++d) {
    faces_.emplace_back(d, grid_.layout(), boundary_.sides(), bodies_.view());
    largest = std::max(largest, faces_[d].rows());
    if (has_stages) {
      rates_.emplace_back(grid_.layout());
    } else if (!problem.prescribed_velocity) {
      add_matrix(d, symmetry);
    }
  }
  equal_locations_ = grid_.uniform() && !bodies_.any() && is_periodic(boundary_.sides());
  work_.resize(largest);
  if (has_reactions(problem))
    reactions_ = std::make_unique<Reactions<Dim, Space>>(
        grid, grid_.layout(), reaction_rates(problem), scalar_names(problem), bodies_.data());
  if (has_stages) return;
  if (!problem.prescribed_velocity)
    momentum_solver_ =
        std::make_unique<TransportSolver<Dim, Space>>(settings.transport, grid_, rows_of(faces_));
  if (scalars_.empty()) return;
  scalar_matrix_.emplace_back(projection_.pattern(), symmetry);
  scalar_solver_ = std::make_unique<TransportSolver<Dim, Space>>(
      solvers_[2], grid_, std::vector<int>(scalars_.size(), cells_.rows()), SumOfRows::exact);
}

// The matrix of a component: that of one before it with the same rows, else a new one.
template <int Dim, class Space>
void NavierStokes<Dim, Space>::add_matrix(int d, linalg::Symmetry symmetry) {
  const Unknowns<Dim>& rows = faces_[d].view();
  for (int e = 0; e < d; ++e)
    if (same_rows(rows, faces_[e].view())) {
      matrix_of_[d] = matrix_of_[e];
      return;
    }
  matrix_of_[d] = matrices_.size();
  matrices_.emplace_back(
      same_rows(rows, cells_.view()) ? projection_.pattern() : build_pattern<Dim, Space>(rows),
      symmetry);
}

template <int Dim, class Space>
StepReport NavierStokes<Dim, Space>::advance(double dt) {
  LapTimer<Space> timer;
  StepReport report;
  report.dt = dt;
  if (observer_) observer_->begin_step(step_ + 1, time_ + dt);
  switch (scheme_.family) {
    case TimeFamily::implicit:
      report.ok = implicit_step(dt, report);
      break;
    case TimeFamily::cn_ab2:
      report.ok = cn_ab2_step(dt, report);
      break;
    case TimeFamily::rk3:
      report.ok = rk3_step(dt, report);
      break;
  }
  if (report.ok)
    accept_step(dt);
  else
    increment_.values().fill(0.0);  // what a failed solve leaves is no guess
  if (!report.ok && report.failure.empty())
    report.failure = solve_failure(report.solves.back(), step_ + 1, time_ + dt);
  report.other_seconds = timer.lap() - report.assembly_seconds - report.transport_seconds -
                         report.pressure_seconds - report.comparison_seconds;
  return report;
}

template <int Dim, class Space>
void NavierStokes<Dim, Space>::observe_solves(SolveObserver<Space>* observer) {
  observer_ = observer;
  projection_.observe(observer);
  if (momentum_solver_) momentum_solver_->observe(observer, SystemKind::transport);
  if (scalar_solver_) scalar_solver_->observe(observer, SystemKind::scalars);
}

// What the state that a solver carries is of.
inline std::string identity(const SystemSettings& solver) {
  return solver.method + " " + solver.preconditioner.kind + " " + solver.refresh + " " +
         solver.guess + " " + std::to_string(solver.guess_vectors);
}

// Earlier versions left solutions for guesses of the whole of u and c, which are none of
// increments.
inline constexpr const char* of_increments = " increments";

// The levels with their ghosts, phi as the next first guess, the closures of the sides (constant
// ones have been filled once), the clock. Everything else is made anew in every step.
template <int Dim, class Space>
void NavierStokes<Dim, Space>::visit_state(StateVisitor& visitor) {
  visitor.visit("time", time_);
  visitor.visit("step", step_);
  visitor.visit("last_dt", last_dt_);
  for (int d = 0; d < Dim; ++d) {
    const std::string name = std::string("velocity/") + velocity_names[d];
    visit_values(visitor, name + "/now", velocity_[d].values());
    visit_values(visitor, name + "/before", previous_[d].values());
  }
  visit_values(visitor, "pressure", (pressure_lags_ ? published_pressure_ : pressure_).values());
  if (pressure_lags_) visit_values(visitor, "driving_pressure", pressure_.values());
  visit_values(visitor, "pressure_increment", increment_.values());
  boundary_.visit_state(visitor);
  visit_solver(visitor, "solvers/pressure", identity(solvers_[0]), projection_);
  if (momentum_solver_)
    visit_solver(visitor, "solvers/transport", identity(solvers_[1]) + of_increments,
                 *momentum_solver_);
  if (scalar_solver_)
    visit_solver(visitor, "solvers/scalars", identity(solvers_[2]) + of_increments,
                 *scalar_solver_);
  for (Scalar& scalar : scalars_) {
    const std::string name = "scalars/" + scalar.name;
    visit_values(visitor, name + "/now", scalar.now.values());
    visit_values(visitor, name + "/before", scalar.before.values());
    scalar.boundary.visit_state(visitor, name + "/sides");
  }
}

}  // namespace hodge::sim

#include "sim/time/start.hpp"
#include "sim/time/step_verbs.hpp"
// The families of steps.
#include "sim/time/cn_ab2_step.hpp"
#include "sim/time/implicit_step.hpp"
#include "sim/time/rk3_step.hpp"
