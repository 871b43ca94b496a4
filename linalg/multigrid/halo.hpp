// The layers beside those that a process computes of a level, in which its arrays have values.
//
// Neighbours send each other several layers at once, and then each of them computes what the next
// passes read there too, by the same operations. A pass that reads a layer on either side of a cell
// leaves its result one layer narrower; there is a message only where the own layers would go short
// (grid_level.hpp). Numbers of layers are the same on all processes.
#pragma once

#include <algorithm>

#include "linalg/base/layers.hpp"
#include "linalg/base/macros.hpp"

namespace hodge::linalg::multigrid {

// So many layers below the own ones, and above.
struct Halo {
  int below = 0, above = 0;

  bool covers(const Halo& other) const { return below >= other.below && above >= other.above; }
  // What a pass leaves of it that reads so many layers below a cell, and above.
  Halo without(const Halo& read) const { return {below - read.below, above - read.above}; }
  Halo within(const Halo& other) const {
    return {std::min(below, other.below), std::min(above, other.above)};
  }
};

// An array of a level, with the halo in which it has values; a vector of the solver has none.
template <class T>
struct HaloArray {
  T* values = nullptr;
  Halo* of_level = nullptr;  // null: a vector of the solver

  Halo halo() const { return of_level == nullptr ? Halo{} : *of_level; }
  void set(const Halo& halo) const {
    if (of_level != nullptr) *of_level = halo;
  }
  bool operator==(const HaloArray&) const = default;
};
// As it is read.
template <class T>
HaloArray<const T> reading(const HaloArray<T>& array) {
  return {array.values, array.of_level};
}
template <class T>
const T* reading(T* values) {
  return values;
}

// Of a grid of n layers: these ones and those of a halo. On a periodic axis they go on beyond the
// ends of the grid, but no layer comes twice.
inline Layers layers_with(const Layers& own, const Halo& halo, int n, bool periodic) {
  const Layers wide{own.begin - halo.below, own.end + halo.above};
  if (!periodic) return {std::max(wide.begin, 0), std::min(wide.end, n)};
  return {wide.begin, std::min(wide.end, wide.begin + n)};
}

// Calls use(part) for the parts of `layers`, each inside of a grid of n layers: on a periodic axis
// `layers` may begin up to n layers before the first one, and end up to n behind the last.
template <class Use>
void for_each_part(const Layers& layers, int n, Use use) {
  for (const int turn : {-n, 0, n}) {
    const Layers part{std::max(0, layers.begin + turn), std::min(n, layers.end + turn)};
    if (!part.empty()) use(part);
  }
}

// The layer of the grid itself that `layer` is.
HODGE_HD inline int turned(int layer, int n) {
  return layer < 0 ? layer + n : layer >= n ? layer - n : layer;
}

}  // namespace hodge::linalg::multigrid
