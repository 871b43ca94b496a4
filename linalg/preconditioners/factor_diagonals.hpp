// The diagonals on which the factors V and W of the SSOR inverse of order 2 lie, if A lies on few
// (matrices/diagonals.hpp): 0, A's offsets to one side, and the sums of two of these. And the pairs
// of diagonals whose products are entries of P. Small tables, made on the host from the offsets.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "linalg/space/spmv_plan.hpp"

namespace hodge::linalg::sai {

// The diagonals of V (`side` 1) or W (`side` -1), ascending from 0, and the ways to each: one step
// along a diagonal of A to that side, or two.
struct FactorDiagonals {
  static constexpr int most = 32, most_ways = 256;
  struct Way {
    std::int8_t first, second;  // steps; second < 0: none
  };
  int count = 0, side = 1;
  int offset[most] = {};
  int way_begin[most + 1] = {};
  Way way[most_ways] = {};
  int steps = 0;
  int step[DiagonalsView::most] = {};           // offsets, ascending
  int diagonal_of_a[DiagonalsView::most] = {};  // which of A's diagonals that is
};

// count = 0 if there are more than `most` diagonals.
inline FactorDiagonals factor_diagonals(const DiagonalsView& a, int side) {
  FactorDiagonals f;
  f.side = side;
  for (int n = 0; n < a.count; ++n) {
    const int d = side > 0 ? n : a.count - 1 - n;
    if (side * a.offset[d] <= 0) continue;
    f.step[f.steps] = side * a.offset[d];
    f.diagonal_of_a[f.steps++] = d;
  }
  std::vector<std::array<int, 3>> ways;  // offset, first, second
  for (int first = 0; first < f.steps; ++first) {
    ways.push_back({f.step[first], first, -1});
    for (int second = 0; second < f.steps; ++second)
      ways.push_back({f.step[first] + f.step[second], first, second});
  }
  std::sort(ways.begin(), ways.end());
  std::vector<int> offsets{0};
  for (const auto& way : ways)
    if (way[0] != offsets.back()) offsets.push_back(way[0]);
  if (offsets.size() > f.most || ways.size() > f.most_ways) return f;
  f.count = static_cast<int>(offsets.size());
  std::copy(offsets.begin(), offsets.end(), f.offset);
  std::size_t w = 0;
  for (int s = 0; s < f.count; ++s) {
    f.way_begin[s] = static_cast<int>(w);
    for (; w < ways.size() && ways[w][0] == f.offset[s]; ++w)
      f.way[w] = {static_cast<std::int8_t>(ways[w][1]), static_cast<std::int8_t>(ways[w][2])};
  }
  f.way_begin[f.count] = static_cast<int>(w);
  return f;
}

// The pairs of diagonals of V and W that meet in an entry of P, for each diagonal of P.
struct ProductTerms {
  static constexpr int most = DiagonalsView::most * FactorDiagonals::most;
  struct Pair {
    std::uint8_t v, w;
  };
  int offset_of_v[FactorDiagonals::most] = {};
  int begin[DiagonalsView::most + 1] = {};
  Pair pair[most] = {};
};

inline ProductTerms product_terms(const DiagonalsView& p, const FactorDiagonals& v,
                                  const FactorDiagonals& w) {
  ProductTerms terms;
  std::copy(v.offset, v.offset + v.count, terms.offset_of_v);
  int n = 0;
  for (int e = 0; e < p.count; ++e) {
    terms.begin[e] = n;
    for (int s = 0; s < v.count; ++s)
      for (int t = 0; t < w.count; ++t)
        if (v.offset[s] - w.offset[t] == p.offset[e])
          terms.pair[n++] = {static_cast<std::uint8_t>(s), static_cast<std::uint8_t>(t)};
  }
  terms.begin[p.count] = n;
  return terms;
}

}  // namespace hodge::linalg::sai
