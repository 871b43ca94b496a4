// Aggregates of the rows of any square matrix: pairs of strongly coupled rows, found twice, so that
// most aggregates have four.
//
// Row i proposes to the unmatched neighbour j with the largest -a_ij, if that is at least a quarter
// of max_k -a_ik; a hash of the two rows decides between equal ones. Rows that propose to each
// other become a pair. Rows that are left after six rounds join the aggregate of their strongest
// neighbour. The result depends only on the matrix.
// Source: Y. Notay, Electron. Trans. Numer. Anal. 37, 2010 (pairwise aggregation done twice).
#pragma once

#include <utility>

#include "linalg/vectors/buffer.hpp"
#include "linalg/vectors/parallel.hpp"

namespace hodge::linalg::multigrid {

inline constexpr double strong_coupling = 0.25;
inline constexpr int matching_rounds = 6;

HODGE_HD inline unsigned hash_of_pair(int i, int j) {
  const unsigned low = static_cast<unsigned>(i < j ? i : j);
  const unsigned high = static_cast<unsigned>(i < j ? j : i);
  unsigned h = low * 2654435761u ^ high * 2246822519u;
  h = (h ^ (h >> 15)) * 2654435761u;
  return h ^ (h >> 13);
}

// The most strongly coupled neighbour j of row i with counts(j); -1: none.
template <class T, class Counts>
HODGE_HD int strongest_neighbour(const CsrView<T>& a, int i, Counts counts) {
  double largest = 0.0;
  for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
    const double strength = -static_cast<double>(a.values[k]);
    if (a.columns[k] != i && strength > largest) largest = strength;
  }
  int best = -1;
  double best_strength = 0.0;
  for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
    const int j = a.columns[k];
    const double strength = -static_cast<double>(a.values[k]);
    if (j == i || !(strength > 0.0) || strength < strong_coupling * largest || !counts(j)) continue;
    const bool better = best < 0 || strength > best_strength ||
                        (strength == best_strength && hash_of_pair(i, j) > hash_of_pair(i, best));
    if (!better) continue;
    best = j;
    best_strength = strength;
  }
  return best;
}

template <class Space, class T>
void match_pairs(const CsrView<T>& a, int* partner, int* proposal) {
  for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) { partner[i] = -1; });
  for (int round = 0; round < matching_rounds; ++round) {
    for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) {
      proposal[i] =
          partner[i] >= 0 ? -1 : strongest_neighbour(a, i, [&](int j) { return partner[j] < 0; });
    });
    for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) {
      const int j = proposal[i];
      if (j >= 0 && proposal[j] == i) partner[i] = j;
    });
  }
}

// The root of each row: the row that represents its aggregate, the smaller of a pair.
template <class Space, class T>
void choose_roots(const CsrView<T>& a, const int* partner, int* root) {
  for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) {
    int member = i;
    if (partner[i] < 0) {
      const int j = strongest_neighbour(a, i, [&](int k) { return partner[k] >= 0; });
      if (j >= 0) member = j;
    }
    root[i] = partner[member] >= 0 && partner[member] < member ? partner[member] : member;
  });
}

// Writes the number of every row's aggregate and returns how many aggregates there are.
template <class Space, class T>
int aggregate_pairs(const CsrView<T>& a, int* aggregate) {
  const auto rows = static_cast<std::size_t>(a.rows);
  Buffer<int, Space> partner(rows), root(rows), numbers(rows + 1);
  match_pairs<Space>(a, partner.data(), root.data());
  choose_roots<Space>(a, std::as_const(partner).data(), root.data());
  const int* const roots = root.data();
  int* const number = numbers.data();
  for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) { number[i] = roots[i] == i ? 1 : 0; });
  const auto count = static_cast<int>(Space::sum(a.rows, number));
  Space::exclusive_scan(a.rows + 1, number, number);
  for_each<Space>(a.rows, [=] HODGE_LAMBDA(int i) { aggregate[i] = number[roots[i]]; });
  return count;
}

}  // namespace hodge::linalg::multigrid
