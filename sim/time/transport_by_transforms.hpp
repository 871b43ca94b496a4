// Transport equations of steps whose systems are separable (assembly/separable_transport.hpp), by
// the transforms of linalg/direct/direct_solver.hpp. A matrix is built only where an observer
// compares solvers.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "linalg/direct/direct_solver.hpp"
#include "sim/time/direct_solve.hpp"
#include "sim/time/transport_solve.hpp"

namespace hodge::sim {

template <int Dim, class Space>
class TransportByTransforms final : public TransportSolve<Dim, Space> {
  using Base = TransportSolve<Dim, Space>;
  using Base::rows_;
  using Base::separable_;

 public:
  TransportByTransforms(const SystemSettings& settings, const DeviceGrid<Dim, Space>& grid,
                        const TransportSystems<Dim, Space>& systems)
      : Base(settings, grid, systems) {
    for (std::size_t system = 0; system < separable_.size(); ++system) add_solver(system);
  }

  bool ends_by_tolerance() const override { return false; }
  void observe(SolveObserver<Space>* observer) override {
    Base::observe(observer);
    observer_ = observer;
  }
  void visit_state(StateVisitor&, const std::string&) override {}  // nothing is needed

 protected:
  bool takes_guess_of_scheme() const override { return false; }
  bool solve_system(const TransportTask& what, const TransportEquation<Dim>& equation,
                    const linalg::SolveOptions& options, Field<Dim, Space>& q,
                    Workspace<Space>& work, StepReport& report) override {
    LapTimer<Space> timer;
    const linalg::SharingRows sums(shared_rows(Base::unknowns(what.system)));
    linalg::DirectSolver<Space>& solver = solvers_[numbers_[static_cast<std::size_t>(what.system)]];
    solver.set_shift(equation.weights.a0 / equation.dt, Base::diffusion_of_step(equation));
    return by_transforms_.solve(
        {what.name, Base::relative_tolerance_, *options.absolute_tolerance}, work, timer,
        &StepReport::transport_seconds, report, std::nullopt, observer_,
        [&] { return Base::observed(what, equation, options, work); },
        [&] {
          solver.solve(work.right_side, work.solution);
          Base::finish(what, equation, work, q);
        });
  }

 private:
  // Systems that are alike have one solver in turn; one without unknowns has none.
  void add_solver(std::size_t system) {
    numbers_.push_back(solvers_.size());
    if (separable_[system]->axes.empty()) return;
    for (std::size_t before = 0; before < system; ++before)
      if (separable_[before]->axes == separable_[system]->axes &&
          shared_alike(rows_[before], rows_[system])) {
        numbers_.back() = numbers_[before];
        return;
      }
    solvers_.emplace_back(*separable_[system], shared_points(rows_[system]));
  }
  // Whether each process has the same rows of two systems that are alike.
  static bool shared_alike(const Unknowns<Dim>& a, const Unknowns<Dim>& b) {
    return a.among_processes == nullptr ||
           a.among_processes->blocks.has_the_rows_of(b.among_processes->blocks);
  }

  std::vector<linalg::DirectSolver<Space>> solvers_;
  std::vector<std::size_t> numbers_;  // of each system, in solvers_
  DirectSolve<Space> by_transforms_;
  SolveObserver<Space>* observer_ = nullptr;
};

}  // namespace hodge::sim
