// All rows of a system on every process that shares it, for methods that are not written for shared
// rows: each process then computes the whole, and keeps its own part of the result.
//
// This does not scale: memory and work of each process are those of one process alone. For small
// systems, and to have all methods. Where the rows are not shared, nothing is copied.
#pragma once

#include <memory>
#include <vector>

#include "linalg/matrices/csr.hpp"

namespace hodge::linalg {

// Vectors of own rows and whole ones.
template <class Space, class T>
class WholeVectors {
 public:
  using Vec = Vector<Space, T>;

  // Collective.
  void setup(const SharedRows& rows, int own_rows);
  void setup(const LinearOperator<Space, T>& a) { setup(a.shared_rows(), a.rows()); }

  // solve(whole r, whole z) with vectors that are not shared, on every process alike; z gets the
  // own part. Collective; allocates the whole vectors in the first call.
  template <class Solve>
  void apply(const Vec& r, Vec& z, Solve solve) {
    if (!shared_.is_shared()) return solve(r, z);
    whole_r_.resize(static_cast<int>(shared_.total));
    whole_z_.resize(static_cast<int>(shared_.total));
    gather(r, whole_r_);
    {
      const SharingRows alone(shared_rows().whole());
      solve(std::as_const(whole_r_), whole_z_);
    }
    take(whole_z_, z);
  }

  void gather(const Vec& own, Vec& whole);
  void take(const Vec& whole, Vec& own) const;

 private:
  SharedRows shared_;
  std::vector<std::size_t> sizes_;  // bytes of the rows of each process
  Vec whole_r_, whole_z_;
};

// The matrix of all rows.
template <class Space, class T>
class WholeMatrix {
 public:
  // Collective; allocates. Without shared rows the matrix is `a` itself, which must live on.
  void setup(const CsrMatrix<Space, T>& a);
  // New values in the same pattern.
  void refresh(const CsrMatrix<Space, T>& a);
  const CsrMatrix<Space, T>& matrix() const { return *matrix_; }

 private:
  void gather_values(const CsrMatrix<Space, T>& a);

  std::vector<std::size_t> sizes_;  // bytes of the entries of each process
  std::unique_ptr<CsrMatrix<Space, T>> whole_;
  const CsrMatrix<Space, T>* matrix_ = nullptr;
};

}  // namespace hodge::linalg
