// Makes a velocity divergence-free: solves for phi with div(u - grad(phi) / factor) = 0, where
// factor = rho a0 / dt.
//
// The matrix (assembly/pressure.hpp) does not depend on the step and is built once; the factor sits
// in the right side. With the method `direct` it is built only where an observer compares solvers,
// or its pattern where transport has the same: the transforms of linalg/direct/direct_solver.hpp
// solve the system to rounding, and a solve then promises what the tolerance would. Where fluid
// reaches no open side phi is determined up to a constant: in one region of fluid the constant null
// space is projected out, of several regions each has one value pinned, and so has a region that
// solids cut off from the open sides.
//
// The residual is factor V div u of the corrected velocity, cell by cell. `stop: residual` ends the
// solve by its norm; `stop: divergence` where max |div u| <= tolerance, 1/T, and asks no norm. So
// a solve promises max |div u| <= norm / (factor min V), or that tolerance.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "linalg/direct/direct_solver.hpp"
#include "linalg/processes/shared_sums.hpp"
#include "linalg/space/marks.hpp"
#include "sim/discrete/assembly/divergence_of_residual.hpp"
#include "sim/discrete/assembly/pressure.hpp"
#include "sim/discrete/assembly/transfer.hpp"
#include "sim/discrete/boundaries/ghosts.hpp"
#include "sim/discrete/operators/cell_increment.hpp"
#include "sim/time/direct_solve.hpp"
#include "sim/time/layers_beside.hpp"
#include "sim/time/sequence_solver.hpp"

namespace hodge::sim {

template <int Dim>
struct ProjectionRequest {
  double factor;                // rho a0 / dt
  double guess_scale;           // guess scheme: this times the phi passed in
  double divergence_tolerance;  // root mean square of div u that need not be reduced further, 1/T
  // The middle of the time in which phi grows, and that time: phi / scale is smooth. Absent for the
  // projection of an initial velocity, which belongs to no sequence.
  std::optional<Moment> moment;
  SideValues<Dim> in_sides{};  // phi in open sides: what the pressure given there grows by
  // Whether a direct solve looks for numbers that are none; else a later one of the step does.
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

// What the regions of fluid say of the matrix.
struct PressureRegions {
  std::vector<int> pinned;        // rows of the whole system, in regions without a level of phi
  bool has_level;                 // of phi is determined, by open sides or by the pinned rows
  linalg::SeparableSystem box{};  // of all cells; no axes: the velocity is prescribed, and nothing
                                  // is built
  bool is_box = false;            // no cell is missing: the matrix is that of the box
};

template <int Dim, class Space>
class PressureProjection {
 public:
  PressureProjection(const SystemSettings& settings, const DeviceGrid<Dim, Space>& grid,
                     const SideKinds<Dim>& sides, const Unknowns<Dim>& unknowns,
                     const PressureRegions& regions)
      : on_{grid.view(), unknowns, sides},
        settings_(by_maximum(settings)),
        volume_norm_(grid.volume_norm()),
        smallest_volume_(grid.smallest_volume()),
        null_space_(regions.has_level ? linalg::NullSpace::none : linalg::NullSpace::constant),
        pinned_(own_rows(unknowns, regions.pinned)) {
    if (!regions.box.axes.empty())
      box_ = std::make_shared<const linalg::SeparableSystem>(regions.box);
    if (regions.is_box) separable_ = box_;
    if (settings.stops_by_divergence()) stop_by_divergence(settings.tolerance);
    if (!box_) return;
    if (settings.method == "direct") {
      direct_.emplace(*separable_, shared_points(unknowns));
      norm_.emplace();
      if (unknowns.moved != nullptr)
        in_block_.emplace(grid.layout());
      else if (unknowns.among_processes != nullptr)
        beside_.emplace(*unknowns.among_processes);
      return;
    }
    (void)matrix();
    solver_.emplace(settings_, Projection::energy, rows(), 1, linalg::Choices::forgotten);
    solver_->add_sequence(rows());
  }

  int rows() const { return rows_of_system(on_.unknowns).rows; }
  // Whether solve() leaves phi not in its field but as the solution of the workspace: increment().
  bool is_direct() const { return direct_.has_value(); }
  CellIncrement<Dim> increment(const Workspace<Space>& work) const {
    const Index<Dim>& cells = on_.unknowns.box.upper;
    const double* const own = beside_ ? beside_->own() : work.solution.data();
    return {in_block_ ? std::as_const(*in_block_).view() : view_of_rows(own, cells), cells,
            on_.sides, in_sides_};
  }
  bool determines_level() const { return null_space_ == linalg::NullSpace::none; }
  // Built where it is first asked for.
  const std::shared_ptr<const linalg::CsrPattern<Space>>& pattern() {
    if (!pattern_) pattern_ = build_pattern<Dim, Space>(on_.unknowns);
    return pattern_;
  }

  void observe(SolveObserver<Space>* observer) {
    observer_ = observer;
    if (solver_) solver_->observe(observer);
    if (!observer || !(direct_ || solver_)) return;
    (void)matrix();
    if (largest_.size() == 0) largest_ = linalg::Buffer<double, Space>(1);
  }

  // phi, ghosts filled, or is_direct(). Of the velocity's ghosts only the faces in sides are read.
  // False where the solve failed; the report's last summary says how.
  bool solve(const VelocityField<Dim, Space>& velocity, const ProjectionRequest<Dim>& request,
             Field<Dim, Space>& phi, Workspace<Space>& work, StepReport& report) {
    LapTimer<Space> timer;
    const linalg::SharingRows sums(shared_rows(on_.unknowns));
    work.resize(rows());
    std::optional<linalg::Scalar<Space>> norm_of_source;
    assemble_source(velocity, request, work, norm_of_source);
    if (!direct_ && (!request.moment || solver_->takes_guess_of_scheme()))
      write_rows(on_.unknowns, work.at_points, work.solution, [&](linalg::Vector<Space>& x) {
        gather(on_.unknowns, phi, request.guess_scale, x);
      });
    if (direct_)
      timer.count([&report](double seconds) { report.assembly_seconds += seconds; });
    else
      report.assembly_seconds += timer.lap();

    maximum_.limit = request.factor * most_divergence_;
    const linalg::SolveOptions options{
        .null_space = null_space_,
        .changed = matrix_seen_ ? linalg::Changed::nothing : linalg::Changed::pattern,
        .absolute_tolerance = request.factor * std::max(request.divergence_tolerance * volume_norm_,
                                                        request.rounding)};
    matrix_seen_ = true;
    in_sides_ = request.in_sides;
    const auto finish = [&] {
      scatter_solution(work, phi);
      fill_pressure_ghosts(phi, on_.sides, request.in_sides);
    };
    const bool solved = direct_
                            ? solve_directly(request, options, norm_of_source, work, timer, report)
                            : solver_->solve(
                                  system_of(request, options, work), work, timer,
                                  &StepReport::pressure_seconds, report, [] {}, finish);
    if (request.is_checked)
      report.promised_divergence = promised_divergence(report.solves.back().report, request.factor);
    if (!request.moment) LapTimer<Space>::settle();
    return solved;
  }

  void visit_state(StateVisitor& visitor, const std::string& name) {
    if (solver_) return solver_->visit_state(visitor, name);
    if (visitor.restores()) return;  // nothing is needed
    // For a restart with another solver, which ignores the state of this one.
    std::string settings = settings_.method;
    StateGroup(visitor, name).visit("settings", settings);
  }

 private:
  const linalg::CsrMatrix<Space>& matrix() {
    if (matrix_) return *matrix_;
    matrix_.emplace(pattern(), linalg::Symmetry::symmetric);
    assemble_pressure(on_, *matrix_);
    if (!pinned_.empty()) pin(linalg::Buffer<int, Space>(std::span<const int>(pinned_)), *matrix_);
    if (separable_ || total_rows(on_.unknowns) < box_->rows()) matrix_->describe_as(box_);
    return *matrix_;
  }

  ObservedSystem<Space> system_of(const ProjectionRequest<Dim>& request,
                                  const linalg::SolveOptions& options,
                                  const Workspace<Space>& work) {
    return {name_,
            SystemKind::pressure,
            matrix(),
            work.right_side,
            work.solution,
            options,
            maximum_.weights != nullptr ? &maximum_ : nullptr,
            request.moment,
            true,
            [this, factor = request.factor](const linalg::Vector<Space>& residual) {
              double divergence = 0;
              read_rows(on_.unknowns, residual, residual_at_points_,
                        [&](const linalg::Vector<Space>& r) {
                          divergence =
                              divergence_of_residual(on_.grid, on_.unknowns, factor, r, largest_);
                        });
              return divergence;
            }};
  }

  // norm: of the right side, where it comes with the pass that assembles it.
  void assemble_source(const VelocityField<Dim, Space>& velocity,
                       const ProjectionRequest<Dim>& request, Workspace<Space>& work,
                       std::optional<linalg::Scalar<Space>>& norm) {
    const bool takes_norm =
        direct_ && request.is_checked && !request.in_sides.any() && on_.unknowns.moved == nullptr;
    write_rows(on_.unknowns, work.at_points, work.right_side, [&](linalg::Vector<Space>& b) {
      if (takes_norm)
        norm.emplace(assemble_pressure_source_and_norm(on_, velocity.view(), request.factor, b));
      else
        assemble_pressure_source(on_, velocity.view(), request.factor, b);
      add_values_in_open_sides(on_, request.in_sides, b);
    });
  }

  void scatter_solution(Workspace<Space>& work, Field<Dim, Space>& phi) const {
    read_rows(on_.unknowns, work.solution, work.at_points,
              [&](const linalg::Vector<Space>& x) { scatter(on_.unknowns, x, phi); });
  }

  // One iteration of no guess. The residual is that of rounding and is not computed; whether the
  // velocity is divergence-free is checked after the step. A number that is none makes all of phi
  // such numbers, so one solve of a step is enough to find it. The host waits for the norm of the
  // right side alone, while the space transforms.
  bool solve_directly(const ProjectionRequest<Dim>& request, const linalg::SolveOptions& options,
                      std::optional<linalg::Scalar<Space>>& norm_of_source, Workspace<Space>& work,
                      LapTimer<Space>& timer, StepReport& report) {
    const auto tell = [&](auto event) {
      if (observer_ == nullptr) return;
      (observer_->*event)(system_of(request, options, work));
      timer.count([&report](double seconds) { report.comparison_seconds += seconds; });
    };
    if (observer_ != nullptr) work.solution.fill(0.0);
    tell(&SolveObserver<Space>::before_solve);
    if (request.is_checked && !norm_of_source) norm_of_source.emplace(norm(work.right_side));
    const int norm_is_here = request.is_checked ? bring_norm(*norm_of_source) : -1;
    solve_and_fill(work);
    const std::size_t entry = report.solves.size();
    timer.count([&report, entry](double seconds) {
      report.pressure_seconds += seconds;
      report.solves[entry].seconds = report.solves[entry].report.solve_seconds = seconds;
    });
    if (request.is_checked) linalg::Marks<Space>::wait(norm_is_here);
    linalg::SolveReport solve =
        report_of_direct({name_, settings_.tolerance, *options.absolute_tolerance, maximum_.limit},
                         request.is_checked ? std::optional(*norm_->get()) : std::nullopt);
    const bool solved = solve.converged();
    report.solves.push_back({name_, solve.iterations, 0, std::move(solve)});
    if (solved) tell(&SolveObserver<Space>::after_solve);
    return solved;
  }

  // Among processes the solution is where the cells of others belong beside it; work.solution has
  // it, too, if somebody observes the solve.
  void solve_and_fill(Workspace<Space>& work) {
    if (!beside_) {
      direct_->solve(work.right_side, work.solution);
      if (in_block_) fill_block(work);
      return;
    }
    linalg::Vector<Space> own = beside_->rows();
    direct_->solve(work.right_side, own);
    beside_->fill();
    if (observer_ != nullptr) work.solution = own;
  }

  void fill_block(Workspace<Space>& work) {
    scatter_solution(work, *in_block_);
    const FieldView<Dim> phi = in_block_->view();
    for (int axis = 0; axis < Dim; ++axis)
      fill_ghosts_beyond_cuts<Space>(in_block_->layout(), axis,
                                     std::span<const FieldView<Dim>>(&phi, 1));
  }

  // Returns the mark behind which the norm is in *norm_.
  int bring_norm(const linalg::Scalar<Space>& norm) {
    linalg::Marks<Space>::bring(norm.data(), norm_->get());
    return linalg::Marks<Space>::set();
  }

  double promised_divergence(const linalg::SolveReport& solve, double factor) const {
    return std::max(solve.target / smallest_volume_, solve.maximum_target) / factor;
  }
  // With `stop: divergence` the tolerance is not one on the norm.
  static SystemSettings by_maximum(SystemSettings settings) {
    if (settings.stops_by_divergence()) settings.tolerance = 0;
    return settings;
  }
  void stop_by_divergence(double tolerance) {
    most_divergence_ = tolerance;
    inverse_volumes_.resize(rows());
    write_rows(
        on_.unknowns, residual_at_points_, inverse_volumes_,
        [&](linalg::Vector<Space>& weights) { inverse_volumes(on_.grid, on_.unknowns, weights); });
    double largest_negative = -std::numeric_limits<double>::infinity();
    for (const double weight : inverse_volumes_.to_host())
      largest_negative = std::max(largest_negative, -weight);
    linalg::maximum_over_processes(shared_rows(on_.unknowns), std::span(&largest_negative, 1));
    maximum_ = {&inverse_volumes_, -largest_negative, 0};
  }

  const std::string name_ = "pressure";
  PressureOperator<Dim> on_;
  SystemSettings settings_;
  double volume_norm_, smallest_volume_;
  linalg::NullSpace null_space_;
  std::vector<int> pinned_;                                         // of the own rows
  std::shared_ptr<const linalg::SeparableSystem> box_, separable_;  // separable_ null: not the box
  std::shared_ptr<const linalg::CsrPattern<Space>> pattern_;        // built when first asked for,
  std::optional<linalg::CsrMatrix<Space>> matrix_;                  // and so is the matrix
  std::optional<linalg::DirectSolver<Space>> direct_;               // this one, or
  std::optional<SequenceSolver<Space>> solver_;                     // this one
  std::optional<LayersBeside<Dim, Space>> beside_;                  // of direct_, among processes,
  std::optional<Field<Dim, Space>> in_block_;                       // or of blocks
  SideValues<Dim> in_sides_{};                                      // of the last solve
  std::optional<linalg::Shared<double, Space>> norm_;               // of a right side, for direct
  SolveObserver<Space>* observer_ = nullptr;
  bool matrix_seen_ = false;  // by the solver's preconditioner
  double most_divergence_ = 0;
  linalg::Vector<Space> inverse_volumes_;  // of stop: divergence; else empty
  linalg::MaximumRule<Space> maximum_;
  linalg::Buffer<double, Space> largest_;     // scratch of the observer's measure,
  linalg::Vector<Space> residual_at_points_;  // and of what moves for it
};

}  // namespace hodge::sim
