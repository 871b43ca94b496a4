// The direct solver of separable systems (direct/direct_solver.hpp) as a method of LinearSolver,
// for matrices that say which separable system they are (CsrMatrix::describe_as).
//
// r = b - A x, d by the transforms, x = x + d: iterative refinement as with gauss. Each step counts
// as an iteration, and the first one solves the system to rounding. The preconditioner is not used.
// Cost per iteration: the transforms and 1 product; 3 vectors, and the eigenvectors.
#pragma once

#include <optional>
#include <vector>

#include "linalg/cost/byte_model.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

template <class Space, class T>
class Direct : public Solver<Space, T> {
 public:
  explicit Direct(const NoSettings&) {}
  // Without the eigenvectors, which depend on the lengths of the axes (direct_memory).
  static std::size_t memory(const NoSettings&, const SystemSize& size) { return size.vectors(3); }
  // Per iteration: six transforms, each read and written (12 vectors), the division (2), x (3: x
  // twice, d), the product, r (3), its norm (1). Of a system in 2D four vectors fewer.
  static double traffic(const NoSettings&, const SystemSize& size, const CountedIterations& i) {
    return i.count * (product_bytes(size) + vectors_bytes(size, 21));
  }

  void resize(int rows) override {
    d_.resize(rows);
    q_.resize(rows);
  }

  void setup(const LinearOperator<Space, T>& a, Changed changed, NullSpace) override {
    const SeparableSystem& system = *a.csr()->separable();
    if (!solver_ || (changed != Changed::nothing && axes_ != system.axes)) {
      solver_.emplace(system);
      axes_ = system.axes;
    }
    solver_->set_shift(system.shift, system.factor);
  }

  void improve(const LinearSystem<Space, T>& system, Vector<Space, T>& x, Vector<Space, T>& r,
               Monitor<Space>& monitor) override {
    const auto& A = system.A;
    for (int step = 0; step < refinements && monitor.running(); ++step) {
      solver_->solve(r, d_);
      x = x + 1.0 * d_;
      multiply(A, d_, q_);
      r = r - 1.0 * q_;
      monitor.iteration(dot(r, r), r);
    }
  }

 private:
  static constexpr int refinements = 5;  // per pass; more do not help

  std::optional<DirectSolver<Space, T>> solver_;
  std::vector<SeparableAxis> axes_;  // of solver_
  Vector<Space, T> d_, q_;
};

}  // namespace hodge::linalg
