// Host space: the dense primitives around the panel of an LU factorisation.
#include <algorithm>
#include <cmath>
#include <string>

#include "linalg/host/blas.hpp"
#include "linalg/host/loops.hpp"
#include "linalg/host/multiply_subtract.hpp"
#include "linalg/space/instantiate.hpp"
#include "linalg/space/triangular_recursion.hpp"

namespace hodge::linalg {

namespace host {

namespace {

// Applies the permutation `e` to the rows of one column.
template <class T>
void exchange_column(const RowExchange& e, T* column) {
  T top[lu_panel_width];
  for (int i = 0; i < e.count; ++i) top[i] = column[e.source[i]];
  for (int i = 0; i < e.count; ++i) {
    if (e.destination[i] >= 0) column[e.destination[i]] = column[i];
  }
  std::copy(top, top + e.count, column);
}

// Whether the matrix is large enough for a parallel loop to pay.
[[maybe_unused]] bool is_large(int rows, int cols) {
  return static_cast<long long>(rows) * cols > 10 * parallel_threshold;
}

constexpr int thin = 4;        // up to so many columns memory limits a product
constexpr int leaf_rows = 64;  // largest triangle that is solved without recursion

// x <- op(F)^-1 x, column by column of F, whose entries are adjacent in memory.
template <class T>
void solve_leaf(const TriangleShape& shape, const DenseView<const T>& f, T* x) {
  const int n = f.rows;
  for (int step = 0; step < n; ++step) {
    const int k = shape.backward ? n - 1 - step : step;
    // The entries beside the diagonal in column k: below it in the lower factor, else above it.
    const int first = shape.unit ? k + 1 : 0, last = shape.unit ? n : k;
    if (shape.transposed) {
      for (int i = first; i < last; ++i) x[k] -= f(i, k) * x[i];
    }
    if (!shape.unit) x[k] /= f(k, k);
    if (!shape.transposed) {
      for (int i = first; i < last; ++i) x[i] -= f(i, k) * x[k];
    }
  }
}

template <class T>
void solve_leaf_columns(const TriangleShape& shape, const DenseView<const T>& f,
                        const DenseView<T>& b) {
  for (int j = 0; j < b.cols; ++j) solve_leaf(shape, f, &b(0, j));
}

template <class T>
void solve_columns(Factor factor, const DenseView<const T>& f, const DenseView<T>& b) {
#if HODGE_HAS_BLAS
  if (b.cols > thin) return blas_solve_triangular(factor, f, b);
#endif
  solve_by_halves<Host>(triangle_shape(factor), f, b, leaf_rows, solve_leaf_columns<T>);
}

template <class T>
double sum_of_magnitudes(const T* column, int n, double& most) {
  double sum = 0.0;
  for (int i = 0; i < n; ++i) {
    const double value = std::abs(static_cast<double>(column[i]));
    sum += value;
    most = std::max(most, value);
  }
  return sum;
}

}  // namespace

}  // namespace host

template <>
template <class T>
void DensePrimitives<Host>::exchange_rows(const RowExchange& exchanges, int width,
                                          const DenseView<T>& a) {
#pragma omp parallel for schedule(static) if (host::is_large(exchanges.count, a.cols))
  for (int j = 0; j < a.cols; ++j) {
    for (int first = 0; first < exchanges.count; first += width) {
      host::exchange_column(exchanges.from(first, std::min(width, exchanges.count - first)),
                            &a(first, j));
    }
  }
}

template <>
template <class T>
void DensePrimitives<Host>::solve_triangular(Factor factor, const DenseView<const T>& f,
                                             const DenseView<T>& b) {
  if (b.rows == 0 || b.cols == 0) return;
  if (b.cols <= host::thin) return host::solve_columns(factor, f, b);
  constexpr int strip = 64;
#pragma omp parallel for schedule(static) if (host::is_large(b.rows, b.cols))
  for (int j = 0; j < b.cols; j += strip) {
    host::solve_columns(factor, f, b.block(0, j, b.rows, std::min(strip, b.cols - j)));
  }
}

template <>
template <class T>
void DensePrimitives<Host>::multiply_subtract(bool transposed, const DenseView<const T>& a,
                                              const DenseView<const T>& b, const DenseView<T>& c) {
  if (c.rows == 0 || c.cols == 0 || b.rows == 0) return;
  if (c.cols <= host::thin) return host::multiply_subtract_thin(transposed, a, b, c);
#if HODGE_HAS_BLAS
  host::blas_multiply_subtract(transposed, a, b, c);
#else
  host::multiply_subtract_blocked(transposed, a, b, c);
#endif
}

template <>
std::string DensePrimitives<Host>::dense_product_name() {
  return host::has_blas ? "BLAS" : "a product of our own (built without a BLAS)";
}

template <>
void DensePrimitives<Host>::prepare_dense() {}

template <>
template <class T>
void DensePrimitives<Host>::measure_matrix(const DenseView<const T>& a, LuStatus* status) {
  double norm = 0.0, largest = 0.0;
  bool is_number = true;  // a maximum would lose a NaN
#pragma omp parallel for schedule(static) reduction(max : norm, largest) \
    reduction(&& : is_number) if (host::is_large(a.rows, a.cols))
  for (int j = 0; j < a.cols; ++j) {
    const double sum = host::sum_of_magnitudes(&a(0, j), a.rows, largest);
    norm = std::max(norm, sum);
    is_number = is_number && !std::isnan(sum);
  }
  status->norm = is_number ? norm : std::nan("");
  status->largest = largest;
}

template <>
template <class T>
void DensePrimitives<Host>::measure_factors(const DenseView<const T>& lu, LuStatus* status) {
  double largest = 0.0;
  [[maybe_unused]] const bool parallel = host::is_large(lu.rows, lu.cols);
#pragma omp parallel for schedule(static, 16) reduction(max : largest) if (parallel)
  for (int j = 0; j < lu.cols; ++j) host::sum_of_magnitudes(&lu(0, j), j + 1, largest);
  status->growth = status->largest > 0.0 ? largest / status->largest : 1.0;
  double smallest = HUGE_VAL;
  for (int j = 0; j < lu.cols; ++j) {
    const double u = std::abs(static_cast<double>(lu(j, j)));
    if (u < smallest) {
      smallest = u;
      status->weakest = j;
    }
  }
}

HODGE_FOR_BOTH_VALUES(HODGE_DENSE, Host)
HODGE_FOR_BOTH_VALUES(HODGE_MULTIPLY_SUBTRACT, Host)
template void DensePrimitives<Host>::exchange_rows(const RowExchange&, int, const DenseView<int>&);

}  // namespace hodge::linalg
