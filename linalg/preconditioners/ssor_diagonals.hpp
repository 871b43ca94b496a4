// The truncated SSOR inverse of order 2 of a matrix on few diagonals, for SsorProduct.
//
// With x_ia = d_i A_i,i+o, o being the offset of diagonal a of A, and for W the same of A^T,
//
//   V_is = [s = 0] - sum_{o_a = s} x_ia + sum_{o_a + o_b = s} x_ia x_kb,              k = i + o_a
//   P_ij = (2-omega) sum_{s - t = j - i} V_is d_{i+s} W_jt
//
// The factors are stored by diagonals, with zeros where a row has no entry, so that a GPU reads and
// writes neighbouring rows together. Terms are added in the order of ssor_second_order.hpp. No
// transpose of A is needed. For 7 points a row of V has 10 entries and a row of P 34 products.
#pragma once

#include <bit>

#include "linalg/preconditioners/factor_diagonals.hpp"
#include "linalg/preconditioners/ssor_product.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg::sai {

HODGE_HD inline int bits_set(unsigned mask) {
#ifdef __CUDA_ARCH__
  return __popc(mask);
#else
  return std::popcount(mask);
#endif
}

// The entry of A on diagonal d of row i, or its mirror image, which is in row i + away.
template <class T>
HODGE_HD T entry_on(const CsrView<T>& a, int side, int i, int away, int d) {
  const int row = side > 0 ? i : i + away;
  const unsigned mask = a.diagonals.mask[row];
  if ((mask >> d & 1u) == 0) return T(0);
  return a.values[a.row_offsets[row] + bits_set(mask & ((1u << d) - 1u))];
}

// A factor by diagonals: its own but the main one, whose entries are 1, and x for each diagonal of
// A to its side.
template <class T>
struct DiagonalFactorView {
  const T* values;
  std::size_t rows;

  // s counts the diagonals of the factor from the main one.
  HODGE_HD T at(int s, int i) const { return s == 0 ? T(1) : values[(s - 1) * rows + i]; }
};

// x[u * rows + i] = x_ia for the u-th of A's diagonals to the side of the factor.
template <class Space, class T>
void fill_steps(const CsrView<T>& a, const FactorDiagonals& f, const T* d, T* x) {
  for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) {
    for (int u = 0; u < f.steps; ++u) {
      const bool inside = i + f.step[u] < a.rows;
      x[u * static_cast<std::size_t>(a.rows) + i] =
          inside ? d[i] * entry_on(a, f.side, i, f.step[u], f.diagonal_of_a[u]) : T(0);
    }
  });
}

// values[(s - 1) * rows + i] = V_is
template <class Space, class T>
void fill_factor_diagonals(int n, const FactorDiagonals& f, const T* x, T* values) {
  for_each<Space>(n, [=] HODGE_LAMBDA(int i) {
    const auto rows = static_cast<std::size_t>(n);
    for (int s = 1; s < f.count; ++s) {
      T sum = T(0);
      for (int w = f.way_begin[s]; w < f.way_begin[s + 1]; ++w) {
        const int first = f.way[w].first, second = f.way[w].second;
        const int k = i + f.step[first];
        const T next = second < 0 ? T(-1) : k < n ? x[second * rows + k] : T(0);
        sum += x[first * rows + i] * next;
      }
      values[(s - 1) * rows + i] = sum;
    }
  });
}

// The entries of row i of P, in `run`; returns how many there are.
template <class T>
HODGE_HD int sum_product_row(const CsrView<T>& p, double factor, const ProductTerms& terms,
                             const DiagonalFactorView<T>& v, const DiagonalFactorView<T>& w,
                             const T* d, int i, T* run) {
  const unsigned mask = p.diagonals.mask[i];
  int count = 0;
  for (int e = 0; e < p.diagonals.count; ++e) {
    if ((mask >> e & 1u) == 0) continue;
    const int j = i + p.diagonals.offset[e];
    double sum = 0.0;
    for (int n = terms.begin[e]; n < terms.begin[e + 1]; ++n) {
      const int s = terms.pair[n].v, t = terms.pair[n].w, between = i + terms.offset_of_v[s];
      const T weight = between < p.rows ? d[between] : T(0);
      sum += static_cast<double>(weight) *
             (static_cast<double>(v.at(s, i)) * static_cast<double>(w.at(t, j)));
    }
    run[count++] = static_cast<T>(factor * sum);
  }
  return count;
}

// The rows are taken as lines of a box, which fill_runs divides among threads.
template <int Most, class Space, class T>
void fill_product_rows(const CsrView<T>& p, double factor, const ProductTerms& terms,
                       const DiagonalFactorView<T>& v, const DiagonalFactorView<T>& w, const T* d,
                       T* values) {
  constexpr int line = 1024;
  const Box<2> box{{{0, 0}}, {{line, (p.rows + line - 1) / line}}};
  fill_runs<Space, Most>(
      box, values,
      [=] HODGE_LAMBDA(const Index<2>& c) {
        const int i = c[1] * line + c[0];
        return i < p.rows ? p.row_offsets[i] : -1;
      },
      [=] HODGE_LAMBDA(const Index<2>& c, T* run) {
        return sum_product_row(p, factor, terms, v, w, d, c[1] * line + c[0], run);
      });
}

template <class Space, class T>
void fill_product_diagonals(const CsrView<T>& p, int longest_row, double factor,
                            const ProductTerms& terms, const DiagonalFactorView<T>& v,
                            const DiagonalFactorView<T>& w, const T* d, T* values) {
  if (longest_row <= 7)  // the less shared memory, the more threads run at once
    return fill_product_rows<7, Space>(p, factor, terms, v, w, d, values);
  fill_product_rows<DiagonalsView::most, Space>(p, factor, terms, v, w, d, values);
}

}  // namespace hodge::linalg::sai
