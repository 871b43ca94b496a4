// Colours the unknowns of a matrix +1 and -1 so that coupled unknowns have different colours.
#pragma once

#include <vector>

#include "linalg/matrices/csr.hpp"

namespace hodge::linalg {

// Empty if there is no such colouring. Breadth first over the pattern, which is assumed to be
// symmetric, on the host: O(rows + nonzeros).
template <class T, class Space>
std::vector<T> two_colouring(const CsrPattern<Space>& pattern) {
  const std::vector<int> offsets = pattern.row_offsets().to_host();
  const std::vector<int> columns = pattern.columns().to_host();
  std::vector<T> colour(static_cast<std::size_t>(pattern.rows()), T(0));
  std::vector<int> queue;
  for (int start = 0; start < pattern.rows(); ++start) {
    if (colour[start] != T(0)) continue;
    colour[start] = T(1);
    queue.assign(1, start);
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const int i = queue[next];
      for (int k = offsets[i]; k < offsets[i + 1]; ++k) {
        const int j = columns[k];
        if (j == i) continue;
        if (colour[j] == colour[i]) return {};
        if (colour[j] != T(0)) continue;
        colour[j] = -colour[i];
        queue.push_back(j);
      }
    }
  }
  return colour;
}

}  // namespace hodge::linalg
