// How processes share the levels of a grid (grid_cycle.hpp), their set-up and the work of a cycle.
//
// Each process computes consecutive layers across the last axis: on the finest level those of its
// rows, on a coarser one the parents of these, of which each has one owner, that of its first
// child. What a pass or the set-up reads beside them, the processes send each other before. A level
// too small to be worth its messages is computed by all processes, each of which has the whole of
// it, and so are the levels below: its stencil is brought together in the set-up, and its right
// side once in each cycle.
//
// A cell is computed by the same operations as on one process, from the same values. Arrays have
// the indices of all layers, but memory only for those that the process computes or reads
// (vectors/part_buffer.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <type_traits>
#include <utility>
#include <vector>

#include "linalg/multigrid/layer_exchange.hpp"
#include "linalg/multigrid/transfer_weights.hpp"
#include "linalg/processes/lists.hpp"

namespace hodge::linalg::multigrid {

inline constexpr int least_shareable_cells = 4096;
// A level of fewer cells is computed by all processes: on a GPU, messages would take longer than
// the cells. HODGE_SHARED_LEVELS=N in the environment of process 0: N cells, but no fewer than
// above.
template <class Space>
int least_shared_cells() {
  constexpr int usual = std::is_same_v<Space, Host> ? least_shareable_cells : 1 << 20;
  const char* const wanted = std::getenv("HODGE_SHARED_LEVELS");
  return wanted == nullptr ? usual : std::max(std::atoi(wanted), least_shareable_cells);
}

// What a process does on one level. Alone, it computes all layers, and nothing is sent.
template <class Space>
struct SharedLayers {
  explicit SharedLayers(const Layers& all = {}) : own(all), part(all), inner(all) {}

  Communicator* processes = nullptr;  // that share the level; null: each has all of it
  Layers own;                         // computed by the passes
  Layers part;     // computed by the set-up, and by restriction to this level, before `gather`
  Layers parents;  // of the own layers on the coarser level, where processes share this one
  Layers inner, ends[2];        // the own ones that read no layer of others, and the rest
  Layers above;                 // read by the second sweep of ssor_sai, where others compute it
  LayerExchange<Space> beside;  // the layers below and above the own ones
  LayerExchange<Space> for_restriction;   // of this level's residual
  LayerExchange<Space> for_prolongation;  // of the correction on the coarser level
  LayerExchange<Space> of_stencil;        // two layers on either side of the own ones
  // Of the stencil and the right side of a level that all compute, below the last one that they
  // share.
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

// The coarse layers in which these fine ones lie.
template <int Dim>
Layers parents(const Coarsening<Dim>& to, const Layers& fine) {
  if (fine.empty()) return {};
  const auto parent = [&](int layer) { return axis_weights<float>(to, Dim - 1, layer).parent; };
  return {parent(fine.begin), parent(fine.end - 1) + 1};
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
  for (Layers& own : coarse) own = parents(to, own);
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

// Shares the levels one after another, finest first.
template <int Dim, class Space>
class LevelSharing {
 public:
  LevelSharing() = default;  // one process alone
  // cuts: the layers of the finest level. Collective.
  LevelSharing(Communicator& processes, LayerCuts cuts)
      : processes_(&processes),
        finest_(cuts),
        cuts_(std::move(cuts)),
        least_cells_(value_of_first(processes, least_shared_cells<Space>())) {}

  // The layers of the next level that this process computes or reads.
  std::vector<Layers> used(const LevelShape<Dim>& shape) const {
    const Layers all = shape.layers();
    if (processes_ == nullptr || !is_shared(shape)) return {all};
    std::vector<Layers> used;
    const Layers read = read_of_stencil()[static_cast<std::size_t>(processes_->rank())];
    for (const int turn : {-all.end, 0, all.end}) {  // of a periodic axis
      const Layers part{std::max(0, read.begin + turn), std::min(all.end, read.end + turn)};
      if (!part.empty()) used.push_back(part);
    }
    return used;
  }

  // Before `level` is computed: which layers of it. Every process calls it; nothing is sent.
  template <class Level>
  void begin(Level& level) {
    const LevelShape<Dim>& shape = level.stencil.shape();
    SharedLayers<Space>& layers = level.layers;
    layers = SharedLayers<Space>(shape.layers());
    if (processes_ == nullptr) return;
    layers.part = cuts_.of(processes_->rank());
    if (!is_shared(shape)) {
      layers.gather = LayerGather<Space>(*processes_, std::move(cuts_));
      processes_ = nullptr;
      return;
    }
    layers.processes = processes_;
    take_own_layers(layers, layers.part, shape.extent[Dim - 1], shape.periodic[Dim - 1]);
    layers.beside = exchange(cuts_, widened(all_of(cuts_)), shape);
    layers.of_stencil = exchange(cuts_, read_of_stencil(), shape);
  }

  // Once it is known how `fine`, the last level, is coarsened.
  template <class Level>
  void join(Level& fine) {
    if (processes_ == nullptr) return;
    const Coarsening<Dim> to = fine.lists.on_host(fine.to_coarser);
    const LayerCuts coarse = multigrid::parents(to, cuts_);
    fine.layers.parents = multigrid::parents(to, fine.layers.own);
    fine.layers.for_restriction = exchange(cuts_, restricted_of(to, coarse), to.fine);
    if (is_shared(to.coarse))
      fine.layers.for_prolongation = exchange(coarse, interpolated_from(to, cuts_), to.coarse);
    cuts_ = coarse;
  }

 private:
  bool is_shared(const LevelShape<Dim>& shape) const { return shape.cells() >= least_cells_; }
  LayerExchange<Space> exchange(const LayerCuts& computed, const std::vector<Layers>& reads,
                                const LevelShape<Dim>& shape) const {
    return LayerExchange<Space>(*processes_, computed, reads, shape.periodic[Dim - 1]);
  }
  // The passes read a layer beside the own ones. A coarse layer is computed from its children, of
  // which the last may lie with the neighbour above, and the couplings of these to the layers
  // beside them. Transfers near holes ask for the cells around the parents of the own layers, of
  // which the first may belong to the neighbour below.
  std::vector<Layers> read_of_stencil() const {
    std::vector<Layers> layers = all_of(cuts_);
    for (int p = 0; p < cuts_.processes(); ++p) {
      Layers& own = layers[static_cast<std::size_t>(p)];
      own = finest_.of(p).empty() ? Layers{} : Layers{own.begin - 2, own.end + 2};
    }
    return layers;
  }

  Communicator* processes_ = nullptr;  // null: each process has the whole of all further levels
  LayerCuts finest_, cuts_;            // cuts_: of the last level
  int least_cells_ = 0;                // of a level that is shared
};

}  // namespace hodge::linalg::multigrid
