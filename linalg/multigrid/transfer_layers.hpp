// Which layers transfers between a level and its coarser one need, where processes share them
// (shared_layers.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "linalg/multigrid/halo.hpp"
#include "linalg/multigrid/transfer_weights.hpp"
#include "linalg/processes/layer_parts.hpp"

namespace hodge::linalg::multigrid {

inline std::vector<Layers> all_of(const LayerCuts& cuts) {
  std::vector<Layers> layers;
  for (int p = 0; p < cuts.processes(); ++p) layers.push_back(cuts.of(p));
  return layers;
}

// The layers with those that lie beside them; none beside none.
inline std::vector<Layers> widened(std::vector<Layers> layers) {
  for (Layers& own : layers)
    if (!own.empty()) own = {own.begin - 1, own.end + 1};
  return layers;
}

// The coarse layers of the processes that have these fine ones: the layers of their first children.
template <int Dim>
LayerCuts parents(const Coarsening<Dim>& to, const LayerCuts& fine) {
  LayerCuts coarse;
  int C = 0;
  for (const int first : fine.first) {
    while (C < to.coarse.extent[Dim - 1] && to.first_child(Dim - 1, C) < first) ++C;
    coarse.first.push_back(C);
  }
  return coarse;
}

// The coarse layer in which a fine one lies, which may be one of the next turn of a periodic axis.
template <int Dim>
int parent(const Coarsening<Dim>& to, int layer) {
  const int n = to.fine.extent[Dim - 1], turn = layer < 0 ? -1 : layer >= n ? 1 : 0;
  return axis_weights<float>(to, Dim - 1, layer - turn * n).parent +
         turn * to.coarse.extent[Dim - 1];
}

// The coarse layers in which these fine ones lie.
template <int Dim>
Layers parents(const Coarsening<Dim>& to, const Layers& fine) {
  if (fine.empty()) return {};
  return {parent(to, fine.begin), parent(to, fine.end - 1) + 1};
}

// The coarse layers from which these fine ones are interpolated.
template <int Dim>
Layers interpolated_from(const Coarsening<Dim>& to, const Layers& fine) {
  const Layers coarse = parents(to, fine);
  if (coarse.empty() || !to.axis[Dim - 1].coarsens()) return coarse;
  return {coarse.begin - 1, coarse.end + 1};
}
template <int Dim>
std::vector<Layers> interpolated_from(const Coarsening<Dim>& to, const LayerCuts& fine) {
  std::vector<Layers> coarse = all_of(fine);
  for (Layers& own : coarse) own = interpolated_from(to, own);
  return coarse;
}

// The fine layers of which these coarse ones are restricted.
template <int Dim>
std::vector<Layers> restricted_of(const Coarsening<Dim>& to, const LayerCuts& coarse) {
  std::vector<Layers> fine = all_of(coarse);
  for (Layers& own : fine) {
    if (own.empty()) continue;
    const int last = own.end - 1;
    own = {to.first_child(Dim - 1, own.begin),
           to.first_child(Dim - 1, last) + to.children(Dim - 1, last)};
  }
  return to.axis[Dim - 1].coarsens() ? widened(std::move(fine)) : fine;
}

// The halo in which some process reads `reads`.
inline Halo greatest_halo(const LayerCuts& computed, const std::vector<Layers>& reads) {
  Halo halo;
  for (int p = 0; p < computed.processes(); ++p) {
    const Layers own = computed.of(p), &read = reads[static_cast<std::size_t>(p)];
    if (read.empty()) continue;
    halo = {std::max(halo.below, own.begin - read.begin), std::max(halo.above, read.end - own.end)};
  }
  return halo;
}

// How far into their halo all processes can interpolate a level, by the halo of the coarser one.
class ProlongedHalo {
 public:
  ProlongedHalo() = default;
  // layers(p, halo): those of the fine level that process p computes, with this halo.
  template <int Dim, class LayersWith>
  ProlongedHalo(const Coarsening<Dim>& to, const LayerCuts& fine, const LayerCuts& coarse, int most,
                LayersWith layers) {
    for (int width = 0; width <= most; ++width) {
      std::vector<Layers> reads;
      for (int p = 0; p < fine.processes(); ++p)
        reads.push_back(interpolated_from(to, layers(p, Halo{width, width})));
      read_.push_back(greatest_halo(coarse, reads));
    }
  }

  // -1: not even the own layers.
  Halo from(const Halo& coarse) const {
    Halo halo{-1, -1};
    for (const Halo& read : read_) {
      if (read.below <= coarse.below) ++halo.below;
      if (read.above <= coarse.above) ++halo.above;
    }
    return halo;
  }

 private:
  std::vector<Halo> read_;  // of the coarser level, for a halo of 0, 1, ... layers
};

}  // namespace hodge::linalg::multigrid
