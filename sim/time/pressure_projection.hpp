// Makes a velocity divergence-free: solves for phi with div(u - grad(phi) / factor) = 0, where
// factor = rho a0 / dt.
//
// The matrix (assembly/pressure.hpp) does not depend on the step and is built once; the factor sits
// in the right side. Where fluid reaches no open side phi is determined up to a constant: in one
// region of fluid the constant null space is projected out, of several regions each has one value
// pinned, and so has a region that solids cut off from the open sides.
//
// The residual is factor V div u of the corrected velocity, cell by cell. `stop: residual` ends the
// solve by its norm; `stop: divergence` where max |div u| <= tolerance, 1/T, and asks no norm. So
// a solve promises max |div u| <= norm / (factor min V), or that tolerance.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "sim/discrete/assembly/divergence_of_residual.hpp"
#include "sim/discrete/assembly/pressure.hpp"
#include "sim/discrete/assembly/transfer.hpp"
#include "sim/discrete/boundaries/ghosts.hpp"
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
};

// 1 / V of the cell of each row, for `stop: divergence`.
template <int Dim, class Space>
linalg::Vector<Space> inverse_volumes(const GridView<Dim>& grid, const Unknowns<Dim>& unknowns,
                                      int rows) {
  linalg::Vector<Space> weights(rows);
  double* const weight = weights.data();
  linalg::for_each<Space>(unknowns.box, [=] HODGE_LAMBDA(const Index<Dim>& c) {
    if (unknowns.contains(c)) weight[unknowns.row(c)] = 1.0 / grid.cell_volume(c);
  });
  return weights;
}

template <int Dim, class Space>
class PressureProjection {
 public:
  // `pinned`: rows, of regions where phi has no level of its own; none for a single region.
  // `has_level`: the level of phi is determined, by open sides or by the pinned rows.
  PressureProjection(const SystemSettings& settings, const DeviceGrid<Dim, Space>& grid,
                     const SideKinds<Dim>& sides, const Unknowns<Dim>& unknowns,
                     const std::vector<int>& pinned, bool has_level)
      : on_{grid.view(), unknowns, sides},
        volume_norm_(grid.volume_norm()),
        smallest_volume_(grid.smallest_volume()),
        null_space_(has_level ? linalg::NullSpace::none : linalg::NullSpace::constant),
        matrix_(build_pattern<Dim, Space>(unknowns), linalg::Symmetry::symmetric),
        solver_(by_maximum(settings), Projection::energy, matrix_.rows(), 1) {
    solver_.add_sequence(matrix_.rows());
    assemble_pressure(on_, matrix_);
    if (!pinned.empty()) pin(linalg::Buffer<int, Space>(std::span<const int>(pinned)), matrix_);
    if (settings.stops_by_divergence()) stop_by_divergence(settings.tolerance);
  }

  int rows() const { return matrix_.rows(); }
  bool determines_level() const { return null_space_ == linalg::NullSpace::none; }
  const std::shared_ptr<const linalg::CsrPattern<Space>>& pattern() const {
    return matrix_.shared_pattern();
  }

  void observe(SolveObserver<Space>* observer) {
    solver_.observe(observer);
    if (observer && largest_.size() == 0) largest_ = linalg::Buffer<double, Space>(1);
  }

  // phi, ghosts filled. False where the solve failed; the report's last summary says how.
  bool solve(const VelocityField<Dim, Space>& velocity, const ProjectionRequest<Dim>& request,
             Field<Dim, Space>& phi, Workspace<Space>& work, StepReport& report) {
    LapTimer<Space> timer;
    work.resize(matrix_.rows());
    assemble_pressure_source(on_, velocity.view(), request.factor, work.right_side);
    add_values_in_open_sides(on_, request.in_sides, work.right_side);
    if (!request.moment || solver_.takes_guess_of_scheme())
      gather(on_.unknowns, phi, request.guess_scale, work.solution);
    report.assembly_seconds += timer.lap();

    maximum_.limit = request.factor * most_divergence_;
    const linalg::SolveOptions options{
        .null_space = null_space_,
        .changed = matrix_seen_ ? linalg::Changed::nothing : linalg::Changed::pattern,
        .absolute_tolerance = request.factor * request.divergence_tolerance * volume_norm_};
    matrix_seen_ = true;
    const std::string name = "pressure";
    const ObservedSystem<Space> system{
        name,
        SystemKind::pressure,
        matrix_,
        work.right_side,
        work.solution,
        options,
        maximum_.weights != nullptr ? &maximum_ : nullptr,
        request.moment,
        true,
        [this, factor = request.factor](const linalg::Vector<Space>& residual) {
          return divergence_of_residual(on_.grid, on_.unknowns, factor, residual, largest_);
        }};
    const bool solved = solver_.solve(
        system, work, timer, &StepReport::pressure_seconds, report, [] {},
        [&] {
          scatter(on_.unknowns, work.solution, phi);
          fill_pressure_ghosts(phi, on_.sides, request.in_sides);
        });
    report.promised_divergence = promised_divergence(report.solves.back().report, request.factor);
    return solved;
  }

  void visit_state(StateVisitor& visitor, const std::string& name) {
    solver_.visit_state(visitor, name);
  }

 private:
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
    inverse_volumes_ = inverse_volumes<Dim, Space>(on_.grid, on_.unknowns, matrix_.rows());
    const std::vector<double> weights = inverse_volumes_.to_host();
    maximum_ = {&inverse_volumes_, *std::min_element(weights.begin(), weights.end()), 0};
  }

  PressureOperator<Dim> on_;
  double volume_norm_, smallest_volume_;
  linalg::NullSpace null_space_;
  linalg::CsrMatrix<Space> matrix_;
  SequenceSolver<Space> solver_;
  bool matrix_seen_ = false;  // by the solver's preconditioner
  double most_divergence_ = 0;
  linalg::Vector<Space> inverse_volumes_;  // of stop: divergence; else empty
  linalg::MaximumRule<Space> maximum_;
  linalg::Buffer<double, Space> largest_;  // scratch of the observer's measure
};

}  // namespace hodge::sim
