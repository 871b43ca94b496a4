// Sees every linear system of a step just before and just after it is solved: A, b, the starting
// guess and the stopping rule. It must change none of them, so that a run goes on as without it.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "linalg/matrices/csr.hpp"
#include "linalg/solve/solve.hpp"
#include "sim/model/system_settings.hpp"
#include "sim/time/starting_guess.hpp"

namespace hodge::sim {

template <class Space>
struct ObservedSystem {
  const std::string& name;  // u, v, w, pressure, a scalar
  SystemKind kind;
  const linalg::CsrMatrix<Space>& matrix;
  const linalg::Vector<Space>& right_side;
  const linalg::Vector<Space>& x;  // the starting guess before the solve, the solution after it
  const linalg::SolveOptions& options;
  const linalg::MaximumRule<Space>* maximum;  // null: none
  std::optional<Moment> moment;               // absent: the system belongs to no sequence in time
  bool matrix_is_constant;                    // the same in every step
  // max |div u|, 1/T, of the velocity that a solution with the residual b - A x leads to; of the
  // pressure alone, else empty.
  std::function<double(const linalg::Vector<Space>& residual)> max_divergence = {};
};

template <class Space>
class SolveObserver {
 public:
  virtual ~SolveObserver() = default;
  // The step that begins, from 1, and the time that it leads to.
  virtual void begin_step(long step, double time) = 0;
  virtual void before_solve(const ObservedSystem<Space>& system) = 0;
  virtual void after_solve(const ObservedSystem<Space>& system) = 0;  // that has converged
};

}  // namespace hodge::sim
