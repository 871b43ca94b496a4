// A X = B for a dense A, by Gaussian elimination with partial pivoting: P A = L U once, then any
// number of right-hand sides.
//
// The method is the blocked right-looking one (J. J. Dongarra, J. Du Croz, S. Hammarling and I.
// Duff, ACM TOMS 16, 1990, 1), with two levels: panels of up to 32 columns, in blocks of some
// hundred columns. After each panel its row exchanges and its update are applied to the rest of its
// block; after the last panel of a block, to all columns to the right. So all but a fraction block
// / n of the 2/3 n^3 operations are products of large matrices, C <- C - A B:
//
//   Host   by a BLAS where CMake finds one (linalg/host/blas.hpp), else by a blocked product of our
//          own, which is a few times slower but needs no installation.
//   Cuda   by cuBLAS, opened at run time; without it by a tiled kernel of our own.
//
// The search for pivots is sequential and determines the time of a panel. `fused` keeps a panel in
// registers from its first column to its last, with one message between thread blocks per column
// (linalg/cuda/dense/lu_panel.cuh). `thrust` calls thrust::max_element for every pivot: on CUDA
// that is a handful of launches and a wait of the host per column, 10 to 30 us against 1 to 2, for
// 10 000 unknowns more than the rest of the factorisation. It is kept for comparison, and is used
// when a panel is taller than the GPU can hold at once. Both find the same pivots.
//
// After the constructor nothing but Thrust allocates, and the host does not wait before the report
// at the end of factor(). solve() does not wait at all. Cost: 2/3 n^3 operations, n^2 values and 3
// n integers of memory; a solve 2 n^2 operations per right-hand side; the condition estimate 4 to
// 11 solves.
#pragma once

#include <string>

#include "linalg/dense/dense.hpp"
#include "linalg/vectors/vector.hpp"

namespace hodge::linalg {

struct LuSettings {
  std::string pivot_search = "fused";  // or thrust
  bool estimate_condition = true;      // else reciprocal_condition stays at 1 for a regular matrix
  int panel = 0;  // columns that are factored at once, 1 to 32; 0: the default of the space
  int block = 0;  // columns between two updates of the rest, a multiple of panel; 0: the default
};

// Columns count from 0.
struct LuReport {
  int singular_column = -1;  // the first whose candidates for a pivot are all exactly zero
  int invalid_column = -1;   // the first whose largest candidate is infinite or not a number
  int weakest_column = -1;   // of the smallest pivot: in a near-singular matrix likely the cause
  double reciprocal_condition = 1.0;  // about 1 / (|| A ||_1 || A^-1 ||_1); 0: singular or invalid
  double pivot_growth = 1.0;          // max |u_ij| / max |a_ij|; beyond about 1e6 digits are lost
  double norm = 0.0;                  // || A ||_1

  // Whether solve() gives finite numbers.
  bool regular() const { return singular_column < 0 && invalid_column < 0; }
  // Whether the solution has no correct digit in T: rounding A changes it completely.
  template <class T>
  bool near_singular() const {
    return regular() && !(reciprocal_condition > epsilon<T>());
  }

 private:
  template <class T>
  static double epsilon() {
    return sizeof(T) == 8 ? 2.220446049250313e-16 : 1.1920928955078125e-07;
  }
};

template <class Space, class T = double>
class DenseLu {
 public:
  // For matrices up to max_n x max_n. ConfigError for settings out of range.
  explicit DenseLu(int max_n, const LuSettings& settings = {});
  // Takes over the memory of `a` and factors the matrix in place; see report().
  explicit DenseLu(DenseMatrix<Space, T>&& a, const LuSettings& settings = {});

  // Factors a copy of A, n x n with n <= max_n (ShapeError).
  [[nodiscard]] LuReport factor(const DenseMatrix<Space, T>& a);
  // Factors what fill(values) writes: n x n entries by columns, in the memory of the space.
  template <class Fill>
  [[nodiscard]] LuReport factor(int n, Fill fill) {
    check_size(n, n);
    fill(factors_.data());
    return report_ = factor_in_place(n);
  }
  const LuReport& report() const { return report_; }
  int size() const { return n_; }

  // With the last matrix factored; ShapeError where the rows are not n. The entries of x are not
  // finite where the report says that the matrix is not regular.
  void solve(const Vector<Space, T>& b, Vector<Space, T>& x) const;
  void solve(Vector<Space, T>& b) const;       // in place
  void solve(DenseMatrix<Space, T>& b) const;  // in place, all columns

  // Bytes for n unknowns.
  static std::size_t memory(int n);

 private:
  void check_settings() const;
  void prepare(int max_n);
  LuReport factor_in_place(int n);
  double estimate_reciprocal_condition(double norm);
  DenseView<const T> factors() const { return {factors_.data(), n_, n_, n_}; }
  RowExchange exchanges() const { return {n_, exchanges_.source, exchanges_.destination}; }
  void check_rows(int rows) const;
  void check_size(int rows, int cols) const;

  LuSettings settings_;
  LuBlocking blocking_;
  int n_ = 0;
  LuReport report_;
  Buffer<T, Space> factors_;                 // L below the diagonal, U on and above it; stride n
  Buffer<int, Space> source_, destination_;  // memory of exchanges_
  RowExchange exchanges_;                    // of all panels
  Buffer<int, Space> identity_, order_;      // row order_[i] of A is row i of L U
  mutable Vector<Space, T> scratch_;
  Buffer<LuStatus, Space> fresh_status_, status_;
};

}  // namespace hodge::linalg
