// A preconditioner that is not made of rows that processes share, on such rows: every process makes
// it of the gathered matrix, applies it to the gathered vector, and keeps its own part
// (matrices/whole_system.hpp). The bits are those of one process.
//
// This does not scale: each process does all of the work. Cost beside that of the preconditioner:
// setup gathers the pattern, setup and refresh the values, each application a vector. Nothing is
// gathered of a matrix of whose own rows it can be made all the same
// (Preconditioner::setup_of_own_rows).
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "linalg/matrices/transpose.hpp"
#include "linalg/matrices/whole_system.hpp"
#include "linalg/preconditioners/inverse_diagonal.hpp"
#include "linalg/preconditioners/preconditioner.hpp"

namespace hodge::linalg {

template <class Space, class T>
class Gathered : public Preconditioner<Space, T> {
 public:
  explicit Gathered(std::unique_ptr<Preconditioner<Space, T>> of_whole)
      : of_whole_(std::move(of_whole)) {}

  void setup(const LinearOperator<Space, T>& a) override {
    of_own_rows_ = of_whole_->setup_of_own_rows(a);
    is_made_ = !of_own_rows_ || of_whole_->failure().reason == Breakdown::none;
    if (of_own_rows_) return;
    a_ = &InverseDiagonal<Space, T>::entries(a, "of gathered rows");
    vectors_.setup(a);
    matrix_.setup(*a_);
    transposed_.reset();
    const SharingRows alone(shared_rows().whole());
    of_whole_->setup(matrix_.matrix());
  }
  void refresh(const LinearOperator<Space, T>& a) override {
    if (!is_made_) return setup(a);
    if (of_own_rows_) return of_whole_->refresh(a);
    take_values(a);
    const SharingRows alone(shared_rows().whole());
    of_whole_->refresh(matrix_.matrix());
  }
  void keep(const LinearOperator<Space, T>& a) override {
    if (of_own_rows_) return of_whole_->keep(a);
    take_values(a);
    const SharingRows alone(shared_rows().whole());
    of_whole_->keep(matrix_.matrix());
  }
  // The same on all processes.
  PreconditionerFailure failure() const override {
    const SharingRows alone(shared_rows().whole());
    return of_whole_->failure();
  }
  bool takes_shared_rows() const override { return true; }
  bool may_take_own_rows(const LinearOperator<Space, T>& a) const override {
    return of_whole_->may_take_own_rows(a);
  }

  const Vector<Space, T>& apply(const Vector<Space, T>& r, Vector<Space, T>& z) override {
    if (of_own_rows_) return of_whole_->apply(r, z);
    vectors_.apply(r, z, [&](const Vec& whole_r, Vec& whole_z) {
      copy(of_whole_->apply(whole_r, whole_z), whole_z);
    });
    return z;
  }
  void use_transpose(const LinearOperator<Space, T>& at) override {
    if (of_own_rows_) return of_whole_->use_transpose(at);
    const SharingRows alone(shared_rows().whole());
    if (at.csr() == a_) return of_whole_->use_transpose(matrix_.matrix());
    if (!transposed_) {
      transposed_ = std::make_unique<TransposedCsr<Space, T>>();
      transposed_->setup(matrix_.matrix());
    } else {
      transposed_->refresh(matrix_.matrix());
    }
    of_whole_->use_transpose(transposed_->matrix());
  }
  const Vector<Space, T>& apply_transposed(const Vector<Space, T>& r,
                                           Vector<Space, T>& z) override {
    if (of_own_rows_) return of_whole_->apply_transposed(r, z);
    vectors_.apply(r, z, [&](const Vec& whole_r, Vec& whole_z) {
      copy(of_whole_->apply_transposed(whole_r, whole_z), whole_z);
    });
    return z;
  }

  std::string made_text() const override { return of_whole_->made_text(); }
  std::string advice(Breakdown breakdown) const override { return of_whole_->advice(breakdown); }

 private:
  using Vec = Vector<Space, T>;

  void take_values(const LinearOperator<Space, T>& a) {
    a_ = &InverseDiagonal<Space, T>::entries(a, "of gathered rows");
    matrix_.refresh(*a_);
  }
  static void copy(const Vec& result, Vec& z) {
    if (&result != &z) z = result;
  }

  std::unique_ptr<Preconditioner<Space, T>> of_whole_;
  bool of_own_rows_ = false;  // of_whole_ is made of these alone
  bool is_made_ = true;       // the last setup() had no failure, or was of the gathered matrix
  const CsrMatrix<Space, T>* a_ = nullptr;
  WholeMatrix<Space, T> matrix_;
  WholeVectors<Space, T> vectors_;
  std::unique_ptr<TransposedCsr<Space, T>> transposed_;  // of matrix_
};

}  // namespace hodge::linalg
