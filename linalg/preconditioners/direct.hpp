// The direct solver of a box (direct/direct_solver.hpp) as a preconditioner of the system that
// solids leave of it:
//
//   M^-1 = R B^-1 R^T
//
// B is the separable system of the box that the matrix names (CsrMatrix::box), R takes the points
// that have a row (GridRows::row_of_cell), R^T sets the others to 0. A matrix without missing
// points has R = 1.
//
// M is symmetric, and positive definite: (r, M^-1 r) = (R^T r, B^-1 R^T r). Of a singular B the
// inverse leaves out the constant (direct_solver.hpp); then this is 0 only for R^T r = c W 1, which
// no r is where points are missing, and which is no compatible right side where none are.
//
// M is a Schur complement, M = B_ff - B_fs B_ss^-1 B_sf (f: points with a row, s: without): (x, M
// x) is the least energy of all extensions of x into the solids. That is at least (x, A x), where
// nothing flows into the solids, and at most C (x, A x), where C depends on the shapes and not on
// the cells. So iterations do not grow with the grid; they grow where extensions cost: beside thin
// gaps between solids, thin walls and regions that solids cut off.
//
// Cost per application: the transforms along the axes and back. Memory: that of DirectSolver, and
// two vectors of the box where points are missing.
#pragma once

#include <cstddef>
#include <optional>

#include "linalg/cost/byte_model.hpp"
#include "linalg/direct/direct_solver.hpp"
#include "linalg/direct/points_of_rows.hpp"
#include "linalg/matrices/csr.hpp"
#include "linalg/preconditioners/box_rows.hpp"
#include "linalg/preconditioners/preconditioner.hpp"

namespace hodge::linalg {

template <class Space, class T>
class DirectOfBox : public Preconditioner<Space, T> {
 public:
  static constexpr bool needs_box = true;
  explicit DirectOfBox(const NoSettings&) {}
  static std::size_t memory(const NoSettings&, const SystemSize& size) {
    return size.transforms + 2 * points(size) * size.value_size;
  }
  // Each transform reads and writes a vector of the box, and so does the division; R and R^T read
  // the numbers of the rows.
  static double traffic(const NoSettings&, const SystemSize& size) {
    const double value = static_cast<double>(size.value_size),
                 box = static_cast<double>(points(size)) * value;
    const double transforms = (4 * size.dim + 2) * box;
    if (points(size) == size.rows) return transforms;
    return transforms + 2 * (box + box * sizeof(int) / value) + vectors_bytes(size, 2);
  }

  void setup(const LinearOperator<Space, T>& a) override {
    solver_.reset();
    cells_ = nullptr;
    if (a.csr() == nullptr) return;
    const auto of_rows = points_of_rows(*a.csr());
    if (!of_rows) return;
    box_ = *a.csr()->box();
    solver_.emplace(box_, of_rows->points);
    cells_ = of_rows->rows;
    if (cells_ == nullptr) return;
    right_side_.resize(solver_->rows());
    solution_.resize(solver_->rows());
  }
  // Allocates where the new values are those of another box, or of another shift of it.
  void refresh(const LinearOperator<Space, T>& a) override {
    const auto box = a.csr() != nullptr ? a.csr()->box() : nullptr;
    const bool is_same = solver_ && box && box->axes == box_.axes && box->shift == box_.shift &&
                         box->factor == box_.factor;
    if (!is_same) setup(a);
  }
  PreconditionerFailure failure() const override {
    return {solver_ ? Breakdown::none : Breakdown::no_box};
  }

  // Without a box (failure) M is the identity.
  const Vector<Space, T>& apply(const Vector<Space, T>& r, Vector<Space, T>& z) override {
    if (!solver_) return r;
    if (cells_ == nullptr) {
      solver_->solve(r, z);
      return z;
    }
    BoxRows<Space, T>::extend(*cells_, r, right_side_);
    solver_->solve(right_side_, solution_);
    BoxRows<Space, T>::take(*cells_, solution_, z);
    return z;
  }

 private:
  static std::size_t points(const SystemSize& size) {
    return size.box_points > 0 ? size.box_points : size.rows;
  }

  SeparableSystem box_;  // of the solver
  std::optional<DirectSolver<Space, T>> solver_;
  const Buffer<int, Space>* cells_ = nullptr;  // of the pattern; null: every point has a row
  Vector<Space, T> right_side_, solution_;     // of the own points, where points are missing
};

}  // namespace hodge::linalg
