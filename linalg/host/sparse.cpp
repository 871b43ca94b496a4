// Host space: sparse matrix primitives, one row after the other.
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
void Primitives<Host>::spmv_dot(const CsrView<T>& a, const T* x, T* y, double* dot) {
  if (host::halted()) return;
  const int blocks = (a.rows + block_rows - 1) / block_rows;
  static thread_local std::vector<double> partial;
  partial.assign(static_cast<std::size_t>(blocks), 0.0);
  double* sums = partial.data();
#pragma omp parallel for schedule(static) if (blocks > 1)
  for (int block = 0; block < blocks; ++block) {
    const int last = std::min(a.rows, (block + 1) * block_rows);
    double sum = 0.0;
    for (int row = block * block_rows; row < last; ++row) {
      const double product = row_product(a, x, row);
      y[row] = static_cast<T>(product);
      sum += product * static_cast<double>(x[row]);
    }
    sums[block] = sum;
  }
  double total = 0.0;
  for (const double value : partial) total += value;
  *dot = total;
}

template <>
template <class T>
void Primitives<Host>::sweep(const CsrView<T>& a, Triangle part, const T* d, const T* x, const T* b,
                             double factor, T* y) {
  if (host::halted()) return;
  const bool lower = part == Triangle::strictly_lower;
#pragma omp parallel for schedule(static) if (a.rows > block_rows)
  for (int row = 0; row < a.rows; ++row) {
    // The diagonal entry exists: the inverse diagonal d has been taken of it.
    const int first = lower ? a.row_offsets[row] : a.diagonal[row] + 1;
    const int last = lower ? a.diagonal[row] : a.row_offsets[row + 1];
    const double product = range_product(a, x, first, last);
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
  template void Primitives<Host>::spmv_dot(const CsrView<T>&, const T*, T*, double*);              \
  template void Primitives<Host>::sweep(const CsrView<T>&, Triangle, const T*, const T*, const T*, \
                                        double, T*);                                               \
  template void Primitives<Host>::invert_diagonal(const CsrView<T>&, double, T*, int*);
HODGE_SPARSE(double)
HODGE_SPARSE(float)

}  // namespace hodge::linalg
