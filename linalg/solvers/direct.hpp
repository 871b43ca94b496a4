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
#include "linalg/matrices/csr.hpp"
#include "linalg/solvers/solver.hpp"

namespace hodge::linalg {

template <class Space, class T>
class Direct : public Solver<Space, T> {
 public:
  explicit Direct(const NoSettings&) {}
  // Without the eigenvectors, which depend on the lengths of the axes (direct_memory).
  static std::size_t memory(const NoSettings&, const SystemSize& size) { return size.vectors(3); }
  // Per iteration: the transforms and the division, x (3 vectors: x twice, d), the product, r (3),
  // its norm (1).
  static double traffic(const NoSettings&, const SystemSize& size, const CountedIterations& i) {
    const double transforms = size.direct_bytes > 0 ? size.direct_bytes : vectors_bytes(size, 14);
    return i.count * (product_bytes(size) + transforms + vectors_bytes(size, 7));
  }

  void resize(int rows) override {
    d_.resize(rows);
    q_.resize(rows);
  }

  void setup(const LinearOperator<Space, T>& a, Changed changed, NullSpace) override {
    const SeparableSystem& system = *a.csr()->separable();
    const SharedPoints points = own_points(*a.csr());
    if (!solver_ || points_ != points || (changed != Changed::nothing && axes_ != system.axes)) {
      solver_.emplace(system, points);
      axes_ = system.axes;
      points_ = points;
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

  static SharedPoints own_points(const CsrMatrix<Space, T>& a) {
    const auto& sharing = a.pattern().sharing();
    if (sharing == nullptr) return {};
    return points_of(sharing->processes(), sharing->blocks());
  }

  std::optional<DirectSolver<Space, T>> solver_;
  std::vector<SeparableAxis> axes_;  // of solver_
  SharedPoints points_;
  Vector<Space, T> d_, q_;
};

}  // namespace hodge::linalg
