// Host space: products with a sparse matrix and sweeps over its triangles, by the kernel that the
// matrix's plan names.
#include <array>
#include <vector>

#include "linalg/base/choose.hpp"
#include "linalg/host/box_sums.hpp"
#include "linalg/host/guard.hpp"
#include "linalg/host/row_sums.hpp"
#include "linalg/matrices/spmv.hpp"
#include "linalg/space/instantiate.hpp"
#include "linalg/space/traffic.hpp"

namespace hodge::linalg {

namespace {

// Sums the entries range(row) of the rows first .. last-1, by diagonals or by lanes.
template <class T, class Rows, class Finish>
void sum_parts(const CsrView<T>& a, const T* x, int first, int last, Rows range, Finish finish) {
  if (a.plan.kernel == SpmvKernel::csr_diagonals)
    return host::sum_diagonals(a, x, first, last, range, finish);
  const double mean = static_cast<double>(a.nonzeros) / a.rows;  // there is a row at least
  const int lanes = a.plan.lanes > 0 ? a.plan.lanes : lanes_for<Host>(mean);
  with_constant<2, 4, 8, 16, 32, 1>(
      lanes, [&](auto count) { host::sum_rows<count.value>(a, x, first, last, range, finish); });
}

// Sums the whole rows first .. last-1, except long ones.
template <class T, class Finish>
void sum_block(const CsrView<T>& a, const T* x, int first, int last, Finish finish) {
  const auto range = [&a](int row) { return a.row(row); };
  if (a.transposed) {
    host::sum_columns(a, x, first, last, ~0u, finish);
  } else if (a.multiplies_by_box()) {
    host::sum_box(a.box, x, first, last, finish);
  } else if (a.plan.kernel == SpmvKernel::csr_two_step) {
    host::sum_products(a, first, last, finish);
  } else {
    sum_parts(a, x, first, last, range, finish);
  }
}

// What a row adds to w . y, w . w and y . y, and, if there is a v, to v . y and v . w.
using Dots = std::array<double, 5>;

template <bool Further, class T>
void add_row(const T* w, const T* y, const T* v, int row, Dots& dots) {
  const auto wi = static_cast<double>(w[row]), yi = static_cast<double>(y[row]);
  dots[0] += wi * yi;
  dots[1] += wi * wi;
  dots[2] += yi * yi;
  if constexpr (Further) {
    dots[3] += static_cast<double>(v[row]) * yi;
    dots[4] += static_cast<double>(v[row]) * wi;
  }
}

// y = A x, or w - A x if FromW. With y_transposed also A^T w, for entries on few diagonals.
template <bool Further, bool FromW, class T>
Dots multiply_and_dot(const CsrView<T>& a, const T* x, const T* w, T* y, const T* v,
                      T* y_transposed = nullptr) {
  const auto store = [=](int row, double sum) {
    y[row] = static_cast<T>(FromW ? static_cast<double>(w[row]) - sum : sum);
  };
  static thread_local std::vector<Dots> partial;  // of each block of rows; kept from call to call
  partial.resize(static_cast<std::size_t>(host::row_blocks(a)));
  Dots* const sums = partial.data();  // of the calling thread; every thread writes to it
  host::for_each_row_block(a, [&](int block, int first, int last) {
    Dots sum{};
    sum_block(a, x, first, last, [&](int row, double value) {
      store(row, value);
      add_row<Further>(w, y, v, row, sum);
    });
    if (y_transposed != nullptr)
      host::sum_columns(a, w, first, last, ~0u,
                        [=](int row, double value) { y_transposed[row] = static_cast<T>(value); });
    sums[block] = sum;
  });
  Dots total{};
  for (const Dots& sum : partial) {
    for (std::size_t k = 0; k < total.size(); ++k) total[k] += sum[k];
  }
  host::sum_long_rows(
      a, x, [&a](int row) { return a.row(row); },
      [&](int row, double value) {
        store(row, value);
        add_row<Further>(w, y, v, row, total);
      });
  return total;
}

}  // namespace

template <>
template <class T>
void SparsePrimitives<Host>::spmv(const CsrView<T>& a, double alpha, const T* x, double beta,
                                  const T* b, T* y) {
  if (host::halted()) return;
  count_product<Host>(a, beta);
  if (a.plan.kernel == SpmvKernel::csr_two_step) host::store_products(a, x);
  const auto finish = [=](int row, double sum) {
    const double product = alpha * sum;
    y[row] = static_cast<T>(beta == 0.0 ? product : product + beta * static_cast<double>(b[row]));
  };
  host::for_each_row_block(a,
                           [&](int, int first, int last) { sum_block(a, x, first, last, finish); });
  host::sum_long_rows(
      a, x, [&a](int row) { return a.row(row); }, finish);
}

template <>
template <class T>
void SparsePrimitives<Host>::spmv_dots(const CsrView<T>& a, const T* x, const T* w, T* y,
                                       const ProductDots& dots, const T* v) {
  if (host::halted()) return;
  count_product_and_dots<Host>(a, x, w, v);
  if (a.plan.kernel == SpmvKernel::csr_two_step) host::store_products(a, x);
  const Dots total = dots.vy != nullptr ? multiply_and_dot<true, false>(a, x, w, y, v)
                                        : multiply_and_dot<false, false>(a, x, w, y, v);
  *dots.wy = total[0];
  *dots.ww = total[1];
  *dots.yy = total[2];
  if (dots.vy == nullptr) return;
  *dots.vy = total[3];
  *dots.vw = total[4];
}

template <>
template <class T>
void SparsePrimitives<Host>::residual_dots(const CsrView<T>& a, const T* x, const T* b, T* r,
                                           const ProductDots& dots) {
  if (host::halted()) return;
  count_product_and_dots<Host, T>(a, x, b, nullptr);
  if (a.plan.kernel == SpmvKernel::csr_two_step) host::store_products(a, x);
  const Dots total = multiply_and_dot<false, true, T>(a, x, b, r, nullptr);
  *dots.wy = total[0];
  *dots.ww = total[1];
  *dots.yy = total[2];
}

template <>
template <class T>
void SparsePrimitives<Host>::spmv_both(const CsrView<T>& a, const T* x, const T* w, T* y,
                                       T* y_transposed, const ProductDots& dots) {
  if (host::halted()) return;
  count_both_products<Host>(a, x, w);
  const Dots total =
      multiply_and_dot<false, false, T>(a.by_entries(), x, w, y, nullptr, y_transposed);
  *dots.wy = total[0];
  *dots.ww = total[1];
  *dots.yy = total[2];
}

namespace {

// The part is a template parameter, so that no row tests it.
template <Triangle Part, class T>
void sweep_part(const CsrView<T> a, const T* d, const T* x, const T* b, double factor, T* y) {
  // The diagonal entry exists, since d is the inverse diagonal.
  const auto range = [=](int row) {
    if constexpr (Part == Triangle::strictly_lower)
      return RowRange{a.row_offsets[row], a.diagonal[row]};
    if constexpr (Part == Triangle::strictly_upper)
      return RowRange{a.diagonal[row] + 1, a.row_offsets[row + 1]};
    return a.row(row);
  };
  const unsigned wanted = Part == Triangle::strictly_lower   ? a.diagonals.lower_bits
                          : Part == Triangle::strictly_upper ? a.diagonals.upper_bits
                                                             : ~0u;
  const auto finish = [=](int row, double sum) {
    if constexpr (Part == Triangle::both)
      sum -= static_cast<double>(a.values[a.diagonal[row]]) * static_cast<double>(x[row]);
    y[row] =
        static_cast<T>(factor * (static_cast<double>(b[row]) - static_cast<double>(d[row]) * sum));
  };
  host::for_each_row_block(a, [&](int, int first, int last) {
    if (a.transposed) return host::sum_columns(a, x, first, last, wanted, finish);
    sum_parts(a, x, first, last, range, finish);
  });
  host::sum_long_rows(a, x, range, finish);
}

}  // namespace

template <>
template <class T>
void SparsePrimitives<Host>::sweep(const CsrView<T>& a, Triangle part, const T* d, const T* x,
                                   const T* b, double factor, T* y) {
  using enum Triangle;
  if (host::halted()) return;
  count_sweep<Host>(a, part, b == x);
  if (part == strictly_lower) return sweep_part<strictly_lower>(a, d, x, b, factor, y);
  if (part == strictly_upper) return sweep_part<strictly_upper>(a, d, x, b, factor, y);
  sweep_part<both>(a, d, x, b, factor, y);
}

HODGE_FOR_BOTH_VALUES(HODGE_SPMV, Host)

}  // namespace hodge::linalg
