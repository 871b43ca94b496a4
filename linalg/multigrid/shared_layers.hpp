// How processes share the work on the levels of a grid (grid_cycle.hpp).
//
// Each process computes consecutive layers across the last axis: on the finest level those of its
// rows, on a coarser one the parents of these, of which each has one owner, that of its first
// child. What a pass reads beside them, the processes send each other before. A level too small to
// be worth its messages is computed by all processes, each of which has the whole of it, and so are
// the levels below: its right side is brought together once.
//
// A cell is computed by the same operations as on one process, from the same values.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "linalg/multigrid/layer_exchange.hpp"
#include "linalg/multigrid/transfer_weights.hpp"

namespace hodge::linalg::multigrid {

// A level of fewer cells is computed by all processes.
inline constexpr int least_shared_cells = 4096;

// What a process does on one level. Alone, it computes all layers, and nothing is sent.
template <class Space>
struct SharedLayers {
  explicit SharedLayers(const Layers& all = {}) : own(all), part(all), inner(all) {}

  Layers own;                   // computed by the passes
  Layers part;                  // computed by restriction to this level, before `gather`
  Layers inner, ends[2];        // the own ones that read no layer of others, and the rest
  Layers above;                 // read by the second sweep of ssor_sai, where others compute it
  LayerExchange<Space> beside;  // the layers below and above the own ones
  LayerExchange<Space> for_restriction;   // of this level's residual
  LayerExchange<Space> for_prolongation;  // of the correction on the coarser level
  // Of the right side of a level that all compute, below the last one that they share.
  LayerGather<Space> gather;
};

// The coarse layers of the processes that have these fine ones.
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

// The coarse layers from which these fine ones are interpolated.
template <int Dim>
std::vector<Layers> interpolated_from(const Coarsening<Dim>& to, const LayerCuts& fine) {
  std::vector<Layers> coarse = all_of(fine);
  for (Layers& own : coarse)
    if (!own.empty())
      own = {axis_weights<float>(to, Dim - 1, own.begin).parent,
             axis_weights<float>(to, Dim - 1, own.end - 1).parent + 1};
  return to.axis[Dim - 1].coarsens() ? widened(std::move(coarse)) : coarse;
}

// The passes of this process are those of its own layers.
template <class Space>
void take_own_layers(SharedLayers<Space>& layers, const Layers& own, int all, bool periodic) {
  layers.own = own;
  layers.ends[0] = {own.begin, std::min(own.begin + 1, own.end)};
  layers.ends[1] = {std::max(layers.ends[0].end, own.end - 1), own.end};
  layers.inner = {layers.ends[0].end, layers.ends[1].begin};
  if (own.empty() || own.count() == all) return;
  if (own.end < all) layers.above = {own.end, own.end + 1};
  if (own.end == all && periodic) layers.above = {0, 1};
}

// The levels from the finest one on that are shared.
template <class Levels>
std::size_t shared_levels(Levels& levels) {
  std::size_t count = 0;
  while (count + 1 < levels.size() && levels[count].cells() >= least_shared_cells) ++count;
  return count;
}

// cuts: the layers of the finest level. Every process calls it; nothing is sent.
template <int Dim, class Space, class Levels>
void share_levels(Communicator& processes, LayerCuts cuts, Levels& levels) {
  const std::size_t count = shared_levels(levels);
  const auto exchange = [&](const LayerCuts& computed, const std::vector<Layers>& reads,
                            const LevelShape<Dim>& shape) {
    return LayerExchange<Space>(processes, computed, reads, shape.periodic[Dim - 1]);
  };
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const LevelShape<Dim>& shape = levels[l].stencil.shape();
    SharedLayers<Space>& layers = levels[l].layers;
    layers = SharedLayers<Space>(shape.layers());
    if (l > count) continue;
    layers.part = cuts.of(processes.rank());
    if (l == count) {
      layers.gather = LayerGather<Space>(processes, cuts);
      continue;
    }
    take_own_layers(layers, layers.part, shape.extent[Dim - 1], shape.periodic[Dim - 1]);
    const Coarsening<Dim>& to = levels[l].to_coarser;
    const LayerCuts coarse = parents(to, cuts);
    layers.beside = exchange(cuts, widened(all_of(cuts)), shape);
    layers.for_restriction = exchange(cuts, restricted_of(to, coarse), shape);
    if (l + 1 < count)
      layers.for_prolongation = exchange(coarse, interpolated_from(to, cuts), to.coarse);
    cuts = coarse;
  }
}

}  // namespace hodge::linalg::multigrid
