// Host space: sparse matrix primitives, one row after the other.
#include <array>
#include <cmath>
#include <vector>

#include "linalg/host/guard.hpp"
#include "linalg/host/loops.hpp"

namespace hodge::linalg {

namespace {

constexpr int block_rows = 1024;

template <class T>
double range_product(const CsrView<T>& a, const T* x, int first, int last) {
  double sum = 0.0;
  for (int k = first; k < last; ++k) {
    sum += static_cast<double>(a.values[k]) * static_cast<double>(x[a.columns[k]]);
  }
  return sum;
}

template <class T>
double row_product(const CsrView<T>& a, const T* x, int row) {
  return range_product(a, x, a.row_offsets[row], a.row_offsets[row + 1]);
}

}  // namespace

template <>
template <class T>
void Primitives<Host>::spmv(const CsrView<T>& a, double alpha, const T* x, double beta, T* y) {
  if (host::halted()) return;
#pragma omp parallel for schedule(static) if (a.rows > block_rows)
  for (int row = 0; row < a.rows; ++row) {
    const double product = alpha * row_product(a, x, row);
    y[row] = static_cast<T>(beta == 0.0 ? product : product + beta * static_cast<double>(y[row]));
  }
}

template <>
template <class T>
void Primitives<Host>::spmv_dots(const CsrView<T>& a, const T* x, T* y, const ProductDots& dots) {
  if (host::halted()) return;
  const int blocks = (a.rows + block_rows - 1) / block_rows;
  static thread_local std::vector<std::array<double, 3>> partial;
  partial.resize(static_cast<std::size_t>(blocks));
  std::array<double, 3>* sums = partial.data();
#pragma omp parallel for schedule(static) if (blocks > 1)
  for (int block = 0; block < blocks; ++block) {
    const int last = std::min(a.rows, (block + 1) * block_rows);
    std::array<double, 3> sum{};
    for (int row = block * block_rows; row < last; ++row) {
      y[row] = static_cast<T>(row_product(a, x, row));
      const auto xi = static_cast<double>(x[row]), yi = static_cast<double>(y[row]);
      sum[0] += xi * yi;
      sum[1] += xi * xi;
      sum[2] += yi * yi;
    }
    sums[block] = sum;
  }
  std::array<double, 3> total{};
  for (const auto& sum : partial) {
    for (std::size_t k = 0; k < 3; ++k) total[k] += sum[k];
  }
  *dots.xy = total[0];
  *dots.xx = total[1];
  *dots.yy = total[2];
}

template <>
template <class T>
void Primitives<Host>::sweep(const CsrView<T>& a, Triangle part, const T* d, const T* x, const T* b,
                             double factor, T* y) {
  if (host::halted()) return;
  const bool lower = part != Triangle::strictly_upper, upper = part != Triangle::strictly_lower;
#pragma omp parallel for schedule(static) if (a.rows > block_rows)
  for (int row = 0; row < a.rows; ++row) {
    // The diagonal entry exists: the inverse diagonal d has been taken of it.
    const int diagonal = a.diagonal[row];
    double product = 0.0;
    if (lower) product += range_product(a, x, a.row_offsets[row], diagonal);
    if (upper) product += range_product(a, x, diagonal + 1, a.row_offsets[row + 1]);
    y[row] = static_cast<T>(factor *
                            (static_cast<double>(b[row]) - static_cast<double>(d[row]) * product));
  }
}

template <>
template <class T>
void Primitives<Host>::invert_diagonal(const CsrView<T>& a, double factor, T* out, int* first_bad) {
  if (host::halted()) return;
  int bad = a.rows;
#pragma omp parallel for schedule(static) reduction(min : bad) if (a.rows > block_rows)
  for (int row = 0; row < a.rows; ++row) {
    const int k = a.diagonal[row];
    const bool present = k < a.row_offsets[row + 1] && a.columns[k] == row;
    const double inverse = present ? factor / static_cast<double>(a.values[k]) : 0.0;
    const bool good = present && std::isfinite(inverse) && inverse != 0.0;
    out[row] = good ? static_cast<T>(inverse) : T(0);
    if (!good) bad = std::min(bad, row);
  }
  *first_bad = bad;
}

template <>
void Primitives<Host>::find_diagonal(int rows, const int* row_offsets, const int* columns,
                                     int* diagonal) {
#pragma omp parallel for schedule(static) if (rows > block_rows)
  for (int row = 0; row < rows; ++row) {
    int k = row_offsets[row];
    while (k < row_offsets[row + 1] && columns[k] < row) ++k;
    diagonal[row] = k;
  }
}

#define HODGE_SPARSE(T)                                                                            \
  template void Primitives<Host>::spmv(const CsrView<T>&, double, const T*, double, T*);           \
  template void Primitives<Host>::spmv_dots(const CsrView<T>&, const T*, T*, const ProductDots&);  \
  template void Primitives<Host>::sweep(const CsrView<T>&, Triangle, const T*, const T*, const T*, \
                                        double, T*);                                               \
  template void Primitives<Host>::invert_diagonal(const CsrView<T>&, double, T*, int*);
HODGE_SPARSE(double)
HODGE_SPARSE(float)

}  // namespace hodge::linalg
