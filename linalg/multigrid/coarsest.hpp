// The coarsest level: a dense matrix, factored by Gauss elimination and inverted, so that a solve
// is one product.
//
// If the rows sum to 0 (constants are in the null space), a multiple of the matrix of ones is
// added: A + mean(a_ii) / n 1 1^T is regular, and for a right-hand side of zero mean its solution
// has zero mean. Rows without an unknown get a 1 on the diagonal.
#pragma once

#include "linalg/dense/dense_lu.hpp"
#include "linalg/multigrid/stencil.hpp"
#include "linalg/space/traffic.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg::multigrid {

inline constexpr int most_coarsest_cells = 512;

// sums[0] = sum_i |a_ii|, sums[1] = the sum of all entries; in the memory of the space.
template <int Dim, class Space, class T>
void measure_rows(const StencilView<Dim, T>& a, const T* row_sums, double* sums) {
  reduce<Space, 2>(
      a.shape.box(), {Reduction::sum, Reduction::sum},
      [=] HODGE_LAMBDA(const Index<Dim>& c, double(&value)[2]) {
        const int p = a.shape.position(c);
        const double diagonal =
            a.inverse[p] == T(0) ? 0.0 : 1.0 / static_cast<double>(a.inverse[p]);
        value[0] = diagonal < 0.0 ? -diagonal : diagonal;
        value[1] = static_cast<double>(row_sums[p]);
      },
      sums);
}

// Starts the matrix, n x n by columns, with 0 or the multiple of ones; and the identity.
template <class Space>
void start_dense(int n, const double* sums, double* out, double* identity) {
  for_each<Space>(n * n, [=] HODGE_LAMBDA(int k) {
    const bool singular = sums[1] * sums[1] <= 1e-12 * sums[0] * sums[0];
    out[k] = singular ? sums[0] / (static_cast<double>(n) * n) : 0.0;
    identity[k] = k / n == k % n ? 1.0 : 0.0;
  });
}

template <int Dim, class Space, class T>
void fill_dense(const StencilView<Dim, T>& a, double* out) {
  const int n = a.shape.cells();
  for_each<Space>(a.shape.box(), [=] HODGE_LAMBDA(const Index<Dim>& c) {
    const int p = a.shape.position(c);
    const T inverse = a.inverse[p];
    out[p + n * p] += inverse == T(0) ? 1.0 : 1.0 / static_cast<double>(inverse);
    for (int d = 0; d < Dim; ++d) {
      if (a.shape.has_above(c, d)) {
        const int q = a.shape.above(c, d);
        out[p + n * q] += static_cast<double>(a.upper(d, p, q));
      }
      if (a.shape.has_below(c, d)) {
        const int q = a.shape.below(c, d);
        out[p + n * q] += static_cast<double>(a.lower(d, p, q));
      }
    }
  });
}

template <class Space, class T>
void measure_rows(const CsrView<T>& a, double* sums) {
  reduce<Space, 2>(
      Box<1>{{{0}}, {{a.rows}}}, {Reduction::sum, Reduction::sum},
      [=] HODGE_LAMBDA(const Index<1>& c, double(&value)[2]) {
        value[0] = value[1] = 0.0;
        for (int k = a.row_offsets[c[0]]; k < a.row_offsets[c[0] + 1]; ++k) {
          const double v = static_cast<double>(a.values[k]);
          if (a.columns[k] == c[0]) value[0] = v < 0.0 ? -v : v;
          value[1] += v;
        }
      },
      sums);
}

template <class Space, class T>
void fill_dense(const CsrView<T>& a, double* out) {
  const int n = a.rows;
  for_each<Space>(n, [=] HODGE_LAMBDA(int i) {
    for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      out[i + n * a.columns[k]] += static_cast<double>(a.values[k]);
  });
}

// z = inverse r or its transpose r, the inverse by columns.
template <class Space, class T>
void multiply_dense(int n, const T* inverse, bool transposed, const T* r, T* z) {
  const int down = transposed ? n : 1, along = transposed ? 1 : n;
  count_vectors<Space, T>(n + 2LL, n);
  for_each_guarded<Space>(n, [=] HODGE_LAMBDA(int i) {
    T sum = T(0);
    for (int j = 0; j < n; ++j) sum += inverse[down * i + along * j] * r[j];
    z[i] = sum;
  });
}

template <class Space, class T>
class Coarsest {
 public:
  explicit Coarsest(int cells)
      : n_(cells),
        sums_(2),
        lu_(cells, {.estimate_condition = false}),
        matrix_(cells, cells),
        columns_(cells, cells),
        inverse_(static_cast<std::size_t>(cells) * static_cast<std::size_t>(cells)) {}

  template <int Dim>
  void factor(const StencilView<Dim, T>& a, const T* row_sums) {
    measure_rows<Dim, Space>(a, row_sums, sums_.data());
    start_dense<Space>(n_, sums_.data(), matrix_.data(), columns_.data());
    fill_dense<Dim, Space>(a, matrix_.data());
    invert();
  }
  void factor(const CsrView<T>& a) {
    measure_rows<Space>(a, sums_.data());
    start_dense<Space>(n_, sums_.data(), matrix_.data(), columns_.data());
    fill_dense<Space>(a, matrix_.data());
    invert();
  }
  void solve(bool transposed, const T* r, T* z) const {
    multiply_dense<Space>(n_, inverse_.data(), transposed, r, z);
  }
  const T* inverse() const { return inverse_.data(); }  // by columns

 private:
  void invert() {
    (void)lu_.factor(matrix_);  // a singular matrix gives NaN, which the solver reports
    lu_.solve(columns_);
    Space::convert(n_ * n_, columns_.data(), inverse_.data());
  }

  int n_;
  Buffer<double, Space> sums_;
  DenseLu<Space, double> lu_;
  DenseMatrix<Space, double> matrix_, columns_;
  Buffer<T, Space> inverse_;
};

}  // namespace hodge::linalg::multigrid
