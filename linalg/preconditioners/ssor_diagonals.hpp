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

// values[s * rows + i] = V_is
template <class Space, class T>
void fill_factor_diagonals(const CsrView<T>& a, const FactorDiagonals& f, const T* d, T* values) {
  for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) {
    const auto rows = static_cast<std::size_t>(a.rows);
    const auto away = [&](int diagonal) { return f.side * a.diagonals.offset[diagonal]; };
    values[i] = T(1);
    for (int s = 1; s < f.count; ++s) {
      T sum = T(0);
      for (int w = f.way_begin[s]; w < f.way_begin[s + 1]; ++w) {
        const int first = f.way[w].first, second = f.way[w].second;
        const int k = i + away(first);
        if (k >= a.rows || i + f.offset[s] >= a.rows) continue;
        const T x = d[i] * entry_on(a, f.side, i, away(first), first);
        if (second < 0) {
          sum -= x;
        } else {
          sum += x * d[k] * entry_on(a, f.side, k, away(second), second);
        }
      }
      values[s * rows + i] = sum;
    }
  });
}

template <class Space, class T>
void fill_product_diagonals(const CsrView<T>& p, double factor, const ProductTerms& terms,
                            const T* v, const T* w, const T* d, T* values) {
  for_each<Space>(p.rows, [=] HODGE_LAMBDA(int i) {
    const auto rows = static_cast<std::size_t>(p.rows);
    const unsigned mask = p.diagonals.mask[i];
    int k = p.row_offsets[i];
    for (int e = 0; e < p.diagonals.count; ++e) {
      if ((mask >> e & 1u) == 0) continue;
      const int j = i + p.diagonals.offset[e];
      double sum = 0.0;
      for (int n = terms.begin[e]; n < terms.begin[e + 1]; ++n) {
        const int s = terms.pair[n].v, t = terms.pair[n].w;
        const int between = i + terms.offset_of_v[s];
        const T weight = between < p.rows ? d[between] : T(0);
        sum += static_cast<double>(weight) *
               (static_cast<double>(v[s * rows + i]) * static_cast<double>(w[t * rows + j]));
      }
      values[k++] = static_cast<T>(factor * sum);
    }
  });
}

}  // namespace hodge::linalg::sai
