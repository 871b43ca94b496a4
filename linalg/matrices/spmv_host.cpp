// Host space: products with a sparse matrix and sweeps over its triangles, by the kernel that the
// matrix's plan names.
#include <array>

#include "linalg/base/choose.hpp"
#include "linalg/host/box_sums.hpp"
#include "linalg/host/ghost_rows.hpp"
#include "linalg/host/guard.hpp"
#include "linalg/host/row_sums.hpp"
#include "linalg/matrices/spmv.hpp"
#include "linalg/space/instantiate.hpp"
#include "linalg/space/traffic.hpp"

namespace hodge::linalg {

namespace {

// f(number of lanes) for a view with rows whose kernel is not csr_diagonals.
template <class T, class F>
void with_lanes(const CsrView<T>& a, F f) {
  const double mean = static_cast<double>(a.nonzeros) / a.rows;
  with_constant<2, 4, 8, 16, 32, 1>(a.plan.lanes > 0 ? a.plan.lanes : lanes_for<Host>(mean), f);
}

// Sums the entries range(row) of the rows first .. last-1, by diagonals or by lanes.
template <class T, class Rows, class Finish>
void sum_parts(const CsrView<T>& a, const T* x, int first, int last, Rows range, Finish finish) {
  if (a.plan.kernel == SpmvKernel::csr_diagonals)
    return host::sum_diagonals(a, x, first, last, range, finish);
  with_lanes(a, [&](auto count) { host::sum_rows<count.value>(a, x, first, last, range, finish); });
}

// The rows that are left out by blocks: long ones, and those that read ghosts, once these are
// there.
template <class T, class Rows, class Finish>
void sum_other_rows(const CsrView<T>& a, const T* x, Rows range, Finish finish) {
  if (a.ghosts.exchange == nullptr) return host::sum_long_rows(a, x, range, finish);
  const host::WithGhosts<T> all{x, a.ghosts.exchange->template finish<T>(), a.cols};
  if (a.plan.kernel == SpmvKernel::csr_diagonals) {
    host::sum_ghost_rows<1>(a, all, range, finish);
  } else if (a.ghosts.count > 0) {
    with_lanes(a, [&](auto count) { host::sum_ghost_rows<count.value>(a, all, range, finish); });
  }
  host::sum_long_rows(a, all, range, finish);
}

// The same of a product, which sums whole rows.
template <class T, class Finish>
void sum_other_whole_rows(const CsrView<T>& a, const T* x, Finish finish) {
  if (!a.multiplies_by_box())
    return sum_other_rows(
        a, x, [&a](int row) { return a.row(row); }, finish);
  if (a.ghosts.exchange == nullptr) return;
  host::sum_ghost_rows_of_box(
      a, host::WithGhosts<T>{x, a.ghosts.exchange->template finish<T>(), a.cols}, finish);
}

// Sums all rows: sum_block(first, last) those that neither are long nor read ghosts, sum_others()
// the others.
template <class T, class Block, class Others>
void sum_all_rows(const CsrView<T>& a, const T* x, Block sum_block, Others sum_others) {
  if (a.ghosts.exchange != nullptr) a.ghosts.exchange->start(x);
  host::for_each_row_block(
      a, [&](int first, int last) { host::for_each_own_run(a, first, last, sum_block); });
  sum_others();
}

// Sums the whole rows first .. last-1, except long ones.
template <class T, class Finish>
void sum_block(const CsrView<T>& a, const T* x, int first, int last, Finish finish) {
  const auto range = [&a](int row) { return a.row(row); };
  if (a.transposed) {
    host::sum_columns(a, x, first, last, ~0u, finish);
  } else if (a.multiplies_by_box()) {
    host::sum_box(a.box, x, x, first, last, finish);
  } else if (a.plan.kernel == SpmvKernel::csr_two_step) {
    host::sum_products(a, first, last, finish);
  } else {
    sum_parts(a, x, first, last, range, finish);
  }
}

// w . y, w . w and y . y, and, if there is a v, v . y and v . w.
using Dots = std::array<double, 5>;

// The dots of a whole piece, for 4 rows at once, each added as host::sum_of_whole does.
template <int Count, class T>
void dots_of_whole(int row, const T* w, const T* y, const T* v, double (&dots)[Count]) {
  double lane[Count][4];
#pragma omp simd
  for (int j = 0; j < 4; ++j) {
    double sum[2][Count];
    for (int half = 0; half < 2; ++half) {
      const int i = row + j + 4 * half, k = i + 8;
      const auto wi = static_cast<double>(w[i]), wk = static_cast<double>(w[k]);
      const auto yi = static_cast<double>(y[i]), yk = static_cast<double>(y[k]);
      sum[half][0] = wi * yi + wk * yk;
      sum[half][1] = wi * wi + wk * wk;
      sum[half][2] = yi * yi + yk * yk;
      if constexpr (Count == 5) {
        const auto vi = static_cast<double>(v[i]), vk = static_cast<double>(v[k]);
        sum[half][3] = vi * yi + vk * yk;
        sum[half][4] = vi * wi + vk * wk;
      }
    }
    for (int d = 0; d < Count; ++d) lane[d][j] = sum[0][d] + sum[1][d];
  }
  for (int d = 0; d < Count; ++d) dots[d] = (lane[d][0] + lane[d][2]) + (lane[d][1] + lane[d][3]);
}

// y = A x, or w - A x if FromW. With y_transposed also A^T w, for entries on few diagonals. The
// rows of a block are summed while they are in the cache.
template <bool Further, bool FromW, class T>
Dots multiply_and_dot(const CsrView<T>& a, const T* x, const T* w, T* y, const T* v,
                      T* y_transposed = nullptr) {
  constexpr int count = Further ? 5 : 3;
  constexpr int most_pieces = host::blocks_of_group * host::pieces_of_block;
  const T* const left[] = {w, w, y, v, v};
  const T* const right[] = {y, w, y, y, w};
  const SharedRows shared = shared_rows();
  const host::RowPieces pieces(a.rows, shared);
  const auto store = [=](int row, double sum) {
    y[row] = static_cast<T>(FromW ? static_cast<double>(w[row]) - sum : sum);
  };
  // Ghosts are waited for at once, so that a block is complete when its dot products are computed.
  if (a.ghosts.exchange != nullptr) a.ghosts.exchange->start(x);
  sum_other_whole_rows(a, x, store);
  host::ThreadSums sums(count, host::is_parallel(pieces));
  host::for_each_row_group(a, pieces, [&](int block, int end) {
    double dots[count][most_pieces];
    int filled = 0;
    for (; block < end; ++block) {
      const int first = host::first_row(pieces, block), last = host::first_row(pieces, block + 1);
      host::for_each_own_run(a, first, last,
                             [&](int begin, int behind) { sum_block(a, x, begin, behind, store); });
      if (y_transposed != nullptr)
        host::sum_columns(a, w, first, last, ~0u, [=](int row, double value) {
          y_transposed[row] = static_cast<T>(value);
        });
      pieces.for_each(
          first, last,
          [&](int row) {
            double piece[count];
            dots_of_whole(row, w, y, v, piece);
            for (int k = 0; k < count; ++k) dots[k][filled] = piece[k];
            ++filled;
          },
          [&](int row, int stop) {
            for (int k = 0; k < count; ++k)
              host::dot_pieces(pieces, left[k], right[k], row, stop, dots[k] + filled);
            ++filled;
          });
    }
    for (int k = 0; k < count; ++k)
      sums.own()[k].add(std::span<const double>(dots[k], static_cast<std::size_t>(filled)));
  });
  Dots totals{};
  std::size_t k = 0;
  for (const ExactSum& sum : sums.totals(shared)) totals[k++] = sum.value();
  return totals;
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
  sum_all_rows(
      a, x, [&](int first, int last) { sum_block(a, x, first, last, finish); },
      [&] { sum_other_whole_rows(a, x, finish); });
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
  const auto block = [&](int first, int last) {
    if (a.transposed) return host::sum_columns(a, x, first, last, wanted, finish);
    sum_parts(a, x, first, last, range, finish);
  };
  sum_all_rows(a, x, block, [&] { sum_other_rows(a, x, range, finish); });
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
