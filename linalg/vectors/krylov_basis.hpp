// A column-major n x k block of vectors, and the products that orthogonalisation needs; each takes
// one pass over the block.
#pragma once

#include "linalg/vectors/vector.hpp"

namespace hodge::linalg {

template <class Space, class T>
class KrylovBasis {
 public:
  void resize(int rows, int columns) {
    const auto needed = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    if (needed > memory_.size()) memory_ = Buffer<T, Space>(needed);
    rows_ = rows;
  }
  Vector<Space, T> column(int j) {
    return Vector<Space, T>::view(memory_.data() + static_cast<std::size_t>(j) * rows_, rows_);
  }
  // h_j = v_j . w for j < k
  void project(int k, const Vector<Space, T>& w, double* h) const {
    Space::basis_dots(rows_, k, memory_.data(), w.data(), h);
  }
  // w = w - sum_j h_j v_j
  void subtract(int k, const double* h, Vector<Space, T>& w) const {
    Space::basis_combine(rows_, k, memory_.data(), h, -1.0, 1.0, w.data());
  }
  // One round of w against the first k columns (space/orthogonalisation.hpp).
  void orthogonalise(int k, Vector<Space, T>& w, const OrthogonalisationRound& round) const {
    Space::basis_round(rows_, k, memory_.data(), w.data(), round);
  }
  // w = w + sum_j h_j v_j
  void add(int k, const double* h, Vector<Space, T>& w) const {
    Space::basis_combine(rows_, k, memory_.data(), h, 1.0, 1.0, w.data());
  }
  // w = sum_j h_j v_j
  void combine(int k, const double* h, Vector<Space, T>& w) const {
    Space::basis_combine(rows_, k, memory_.data(), h, 1.0, 0.0, w.data());
  }

 private:
  Buffer<T, Space> memory_;
  int rows_ = 0;
};

}  // namespace hodge::linalg
