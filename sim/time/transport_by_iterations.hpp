// Transport equations by one linear solver of linalg/solve, with a matrix for each system or for
// several in turn.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "sim/discrete/assembly/balance.hpp"
#include "sim/time/transport_solve.hpp"

namespace hodge::sim {

template <int Dim, class Space>
class TransportByIterations final : public TransportSolve<Dim, Space> {
  using Base = TransportSolve<Dim, Space>;
  using Base::rows_;

 public:
  TransportByIterations(const SystemSettings& settings, const DeviceGrid<Dim, Space>& grid,
                        const TransportSystems<Dim, Space>& systems)
      : Base(settings, grid, systems),
        // Earlier versions kept guesses of q itself.
        solver_(settings, Projection::residual, most_rows(), rows_.size(), choices(),
                " increments") {
    for (const Unknowns<Dim>& unknowns : rows_) solver_.add_sequence(unknowns.rows);
    Base::add_matrices();
  }

  bool ends_by_tolerance() const override { return true; }
  void observe(SolveObserver<Space>* observer) override {
    Base::observe(observer);
    solver_.observe(observer);
  }
  void visit_state(StateVisitor& visitor, const std::string& name) override {
    solver_.visit_state(visitor, name);
  }

 protected:
  bool takes_guess_of_scheme() const override { return solver_.takes_guess_of_scheme(); }
  bool solve_system(const TransportTask& what, const TransportEquation<Dim>& equation,
                    const linalg::SolveOptions& options, Field<Dim, Space>& q,
                    Workspace<Space>& work, StepReport& report) override {
    LapTimer<Space> timer;
    return solver_.solve(
        Base::observed(what, equation, options, work), work, timer, &StepReport::transport_seconds,
        report,
        [&] {
          if (Base::kind_ == SystemKind::scalars)
            balance(Base::unknowns(what.system), Base::matrix(what.system), solver_.last_residual(),
                    work.solution);
        },
        [&] { Base::finish(what, equation, work, q); });
  }

 private:
  int most_rows() const {
    int most = 0;
    for (const Unknowns<Dim>& unknowns : rows_) most = std::max(most, unknowns.rows);
    return most;
  }
  // A step whose first matrix is not the last one of the step before makes its preconditioners
  // anew.
  linalg::Choices choices() const {
    const bool shares = !rows_.empty() && same_rows(rows_.front(), rows_.back());
    return shares ? linalg::Choices::kept : linalg::Choices::forgotten;
  }

  SequenceSolver<Space> solver_;
};

}  // namespace hodge::sim
