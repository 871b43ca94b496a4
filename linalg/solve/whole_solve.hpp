// A solve with rows that processes share, by every process for itself: each gathers the whole
// system, solves it as one process does, and keeps its own part of x (matrices/whole_system.hpp).
// The bits are those of one process.
//
// A preconditioner that is kept is that of the whole system, on every process; checkpoints have it
// through the solver whose work is done here (hand_state_to).
//
// For small systems, whose iterations take less time than messages between them, and where a space
// has no other way. Work and memory of each process are those of one process alone.
#pragma once

#include <map>
#include <memory>
#include <span>

#include "linalg/matrices/whole_system.hpp"
#include "linalg/settings/settings.hpp"
#include "linalg/solve/kept_preconditioner.hpp"
#include "linalg/solve/solve_report.hpp"

namespace hodge::linalg {

template <class Space, class T>
class LinearSolver;
template <class Space>
struct MaximumRule;
struct SolveOptions;

template <class Space, class T>
class WholeSolve {
 public:
  using Vec = Vector<Space, T>;

  // max_seconds and most_seconds are left out: by their own clocks processes would end after
  // different iterations.
  WholeSolve(const SolverSettings& settings, int systems, Choices choices);
  ~WholeSolve();

  using Kept = std::span<KeptPreconditioner<Space, T>>;

  // As LinearSolver::solve(); residual: of the own rows. `kept`: the preconditioners of the solver
  // whose work is done here, one or one per system; the first solve begins with their state.
  // Collective. Errors: ShapeError for an A without entries, or with more rows than 32-bit indices
  // can tell apart.
  SolveReport solve(const LinearOperator<Space, T>& a, const Vec& b, Vec& x,
                    const SolveOptions& options, const MaximumRule<Space>* maximum, Kept kept,
                    Vec& residual);
  // Gives that solver the state of what is kept here.
  void hand_state_to(Kept kept) const;

 private:
  struct System;  // a gathered one

  System& system(const LinearOperator<Space, T>& a, const SolveOptions& options);

  SolverSettings settings_;
  int systems_;
  Choices choices_;
  SharedRows shared_;  // of the last solve
  std::map<const CsrPattern<Space>*, std::unique_ptr<System>> gathered_;
  std::unique_ptr<LinearSolver<Space, T>> solver_;  // of whole systems
};

}  // namespace hodge::linalg
