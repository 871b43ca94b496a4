// Combines the exchanges "row c <-> row pivots[c]", c = 0, 1, ..., into one permutation of rows
// (RowExchange).
#pragma once

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "linalg/space/dense_view.hpp"

namespace hodge::linalg {

struct ComposedExchange {
  std::vector<int> source, destination;
};

// Cost: quadratic in the number of pivots, which is at most lu_panel_width.
inline ComposedExchange compose_exchanges(const std::vector<int>& pivots) {
  const auto count = static_cast<int>(pivots.size());
  std::vector<int> touched(pivots.size());
  std::iota(touched.begin(), touched.end(), 0);
  for (const int p : pivots) {
    if (std::find(touched.begin(), touched.end(), p) == touched.end()) touched.push_back(p);
  }
  std::vector<int> content = touched;  // the old row that now stands in row touched[s]
  for (int c = 0; c < count; ++c) {
    const auto place = std::find(touched.begin(), touched.end(), pivots[c]) - touched.begin();
    std::swap(content[c], content[place]);
  }
  ComposedExchange composed;
  composed.source.assign(content.begin(), content.begin() + count);
  composed.destination.assign(pivots.size(), -1);
  for (std::size_t s = pivots.size(); s < touched.size(); ++s) {
    if (content[s] < count) composed.destination[content[s]] = touched[s];
  }
  return composed;
}

}  // namespace hodge::linalg
