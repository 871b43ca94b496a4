// Multi-indices and boxes of them: what a point function is called with and what a loop runs over.
#pragma once

#include "linalg/base/macros.hpp"

namespace hodge::linalg {

template <int Dim>
struct Index {
  int v[Dim];

  HODGE_HD int& operator[](int d) { return v[d]; }
  HODGE_HD int operator[](int d) const { return v[d]; }

  HODGE_HD static Index filled(int value) {
    Index index{};
    for (int d = 0; d < Dim; ++d) index.v[d] = value;
    return index;
  }
  // This index moved by `distance` along axis `d`.
  HODGE_HD Index shifted(int d, int distance) const {
    static_assert(Dim <=
                  3);  // without a loop, which would keep callers' loops from being vectorised
    Index index = *this;
    index.v[0] += d == 0 ? distance : 0;
    if constexpr (Dim > 1) index.v[1] += d == 1 ? distance : 0;
    if constexpr (Dim > 2) index.v[2] += d == 2 ? distance : 0;
    return index;
  }
  HODGE_HD friend bool operator==(const Index& a, const Index& b) {
    bool equal = true;
    for (int d = 0; d < Dim; ++d) equal = equal && a.v[d] == b.v[d];
    return equal;
  }
};

// All indices with lower[d] <= i[d] < upper[d]; axis 0 runs fastest.
template <int Dim>
struct Box {
  Index<Dim> lower, upper;

  HODGE_HD int extent(int d) const { return upper[d] > lower[d] ? upper[d] - lower[d] : 0; }
  HODGE_HD long long size() const {
    long long count = 1;
    for (int d = 0; d < Dim; ++d) count *= extent(d);
    return count;
  }
  HODGE_HD bool contains(const Index<Dim>& c) const {
    bool inside = true;
    for (int d = 0; d < Dim; ++d) inside = inside && c[d] >= lower[d] && c[d] < upper[d];
    return inside;
  }
  // Position of `c` in the box, axis 0 fastest.
  HODGE_HD int position(const Index<Dim>& c) const {
    int p = 0;
    for (int d = Dim - 1; d >= 0; --d) p = p * extent(d) + (c[d] - lower[d]);
    return p;
  }
};

// The least box around two; one of them may be empty.
template <int Dim>
Box<Dim> joined(const Box<Dim>& a, const Box<Dim>& b) {
  if (a.size() == 0 || b.size() == 0) return a.size() == 0 ? b : a;
  Box<Dim> box = a;
  for (int d = 0; d < Dim; ++d) {
    box.lower[d] = a.lower[d] < b.lower[d] ? a.lower[d] : b.lower[d];
    box.upper[d] = a.upper[d] > b.upper[d] ? a.upper[d] : b.upper[d];
  }
  return box;
}

// The indices that two boxes have in common.
template <int Dim>
Box<Dim> common_points(Box<Dim> a, const Box<Dim>& b) {
  for (int d = 0; d < Dim; ++d) {
    a.lower[d] = a.lower[d] > b.lower[d] ? a.lower[d] : b.lower[d];
    a.upper[d] = a.upper[d] < b.upper[d] ? a.upper[d] : b.upper[d];
    if (a.upper[d] < a.lower[d]) a.upper[d] = a.lower[d];
  }
  return a;
}

}  // namespace hodge::linalg
