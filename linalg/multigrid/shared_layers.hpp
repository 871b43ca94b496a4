// How processes share the levels of a grid (grid_cycle.hpp), their set-up and the work of a cycle.
//
// Each process computes consecutive layers across the last axis: on the finest level those of its
// rows, on a coarser one the parents of these, of which each has one owner, that of its first
// child. What a pass or the set-up reads beside them, the processes send each other before, or
// compute too (halo.hpp). A level too small to be worth its messages is computed by all processes,
// each of which has the whole of it, and so are the levels below: its stencil is brought together
// in the set-up, and its right side once in each cycle.
//
// A cell is computed by the same operations as on one process, from the same values. Arrays have
// the indices of all layers, but memory only for those that the process computes or reads
// (vectors/part_buffer.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "linalg/multigrid/halo.hpp"
#include "linalg/multigrid/layer_exchange.hpp"
#include "linalg/multigrid/multigrid_settings.hpp"
#include "linalg/multigrid/transfer_layers.hpp"
#include "linalg/processes/lists.hpp"

namespace hodge::linalg::multigrid {

inline constexpr int least_shareable_cells = 4096;

// A level of fewer cells is computed by all processes: on a GPU, messages would take longer than
// the cells. With `chosen` cells: that many, but no fewer than above.
template <class Space>
int least_shared_cells(int chosen) {
  constexpr int usual = std::is_same_v<Space, Host> ? least_shareable_cells : 1 << 18;
  return std::max(chosen > 0 ? chosen : usual, least_shareable_cells);
}

// The greatest width of a halo, where the process with the fewest layers has `least` of a level. A
// v cycle needs no more messages than one on each level with 4 s - 1 layers on the finest one and
// 4 s + 3 on coarser ones, s being the smoothings, unless processes divide the children of a coarse
// layer. On a GPU a message takes longer than these
// layers, as long as they are few beside the own ones; on the Host it travels while inner layers
// are computed. With most > 0: at most that many.
template <class Space>
int halo_width(int smoothings, bool is_finest, int least, int most) {
  const int useful = 4 * smoothings + (is_finest ? -1 : 3);
  const int usual = std::is_same_v<Space, Host> ? 1 : least / 8;
  return std::clamp(most > 0 ? most : usual, 1, useful);
}

// What a process does on one level. Alone, it computes all layers, and nothing is sent.
template <class Space>
struct SharedLayers {
  explicit SharedLayers(const Layers& all_layers = {})
      : all(all_layers), own(all), part(all), inner(all) {}

  Layers with(const Halo& halo) const {
    if (processes == nullptr) return own;
    return has_no_rows ? Layers{} : layers_with(own, halo, all.end, periodic);
  }
  Halo widest() const { return {width, width}; }

  Communicator* processes = nullptr;  // that share the level; null: each has all of it
  Layers all;
  bool periodic = false;
  Layers own;   // computed by the passes
  Layers part;  // computed by the set-up, and by restriction to this level, before `gather`
  bool has_no_rows = false;         // this process, on any level: it computes nothing
  Layers inner;                     // the own ones that read no layer of others
  int width = 0;                    // of the widest halo
  LayerExchange<Space> beside;      // the layers of that halo
  LayerExchange<Space> of_stencil;  // and two more on either side
  Layers parents;                   // on the coarser level, of the own layers and the widest halo
  Halo restricted;                  // that restriction reads of this level's residual
  LayerExchange<Space> for_restriction;   // the layers that it reads
  ProlongedHalo prolonged;                // from that of the correction on the coarser level
  LayerExchange<Space> for_prolongation;  // the layers of it that the own ones need
  // Of the stencil and the right side of a level that all compute, below the last one that they
  // share.
  LayerGather<Space> gather;
};

// Shares the levels one after another, finest first.
template <int Dim, class Space>
class LevelSharing {
 public:
  LevelSharing() = default;  // one process alone
  // cuts: the layers of the finest level. Collective.
  LevelSharing(Communicator& processes, LayerCuts cuts, const MultigridSettings& settings)
      : processes_(&processes),
        finest_(cuts),
        cuts_(std::move(cuts)),
        smoothings_(settings.smoothings),
        least_cells_(least_shared_cells<Space>(settings.least_shared_cells)),
        widest_halo_(settings.widest_halo) {}

  // The layers of the next level that this process computes or reads.
  std::vector<Layers> used(const LevelShape<Dim>& shape) const {
    const Layers all = shape.layers();
    if (processes_ == nullptr || !is_shared(shape)) return {all};
    std::vector<Layers> used;
    const Layers read = read_of_stencil(shape)[static_cast<std::size_t>(processes_->rank())];
    for_each_part(read, all.end, [&](const Layers& part) { used.push_back(part); });
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
    layers.own = layers.part;
    layers.periodic = shape.periodic[Dim - 1];
    layers.has_no_rows = finest_.of(processes_->rank()).empty();
    const int first_inner = std::min(layers.own.begin + 1, layers.own.end);
    layers.inner = {first_inner, std::max(first_inner, layers.own.end - 1)};
    layers.width = width(shape);
    layers.beside = exchange(cuts_, with_halo(layers.width), shape);
    layers.of_stencil = exchange(cuts_, read_of_stencil(shape), shape);
  }

  // Once it is known how `fine`, the last level, is coarsened.
  template <class Level>
  void join(Level& fine) {
    if (processes_ == nullptr) return;
    const Coarsening<Dim> to = fine.lists.on_host(fine.to_coarser);
    const LayerCuts coarse = multigrid::parents(to, cuts_);
    SharedLayers<Space>& layers = fine.layers;
    const std::vector<Layers> restricted = restricted_of(to, coarse);
    layers.restricted = greatest_halo(cuts_, restricted);
    layers.for_restriction = exchange(cuts_, restricted, to.fine);
    layers.parents = multigrid::parents(to, layers.with(layers.widest()));
    if (is_shared(to.coarse)) {
      const auto with_halo_of = [&](int p, const Halo& halo) {
        const bool has_rows = !finest_.of(p).empty();
        return has_rows ? layers_with(cuts_.of(p), halo, layers.all.end, layers.periodic)
                        : Layers{};
      };
      layers.prolonged = ProlongedHalo(to, cuts_, coarse, layers.width, with_halo_of);
      layers.for_prolongation = exchange(coarse, interpolated_from(to, cuts_), to.coarse);
    }
    cuts_ = coarse;
    is_finest_ = false;
  }

 private:
  bool is_shared(const LevelShape<Dim>& shape) const { return shape.cells() >= least_cells_; }
  LayerExchange<Space> exchange(const LayerCuts& computed, const std::vector<Layers>& reads,
                                const LevelShape<Dim>& shape) const {
    return LayerExchange<Space>(*processes_, computed, reads, shape.periodic[Dim - 1]);
  }
  // Of the next level.
  int width(const LevelShape<Dim>& shape) const {
    int least = shape.extent[Dim - 1];
    for (const Layers& own : all_of(cuts_))
      if (!own.empty()) least = std::min(least, own.count());
    return std::min(halo_width<Space>(smoothings_, is_finest_, least, widest_halo_),
                    shape.extent[Dim - 1]);
  }
  // The layers of all processes with so many on either side. Beside none, too, where a process has
  // none on this level alone: it interpolates those of its rows.
  std::vector<Layers> with_halo(int width) const {
    std::vector<Layers> layers = all_of(cuts_);
    for (int p = 0; p < cuts_.processes(); ++p) {
      Layers& own = layers[static_cast<std::size_t>(p)];
      own = finest_.of(p).empty() ? Layers{} : Layers{own.begin - width, own.end + width};
    }
    return layers;
  }
  // A coarse layer is computed from its children, of which the last may lie with the neighbour
  // above, and the couplings of these to the layers beside them. Transfers near holes ask for the
  // cells around the parents of the layers that are interpolated.
  std::vector<Layers> read_of_stencil(const LevelShape<Dim>& shape) const {
    return with_halo(width(shape) + 2);
  }

  Communicator* processes_ = nullptr;  // null: each process has the whole of all further levels
  LayerCuts finest_, cuts_;            // cuts_: of the last level
  bool is_finest_ = true;              // the next level
  int smoothings_ = 1;
  int least_cells_ = 0;  // of a level that is shared
  int widest_halo_ = 0;  // 0: as usual
};

}  // namespace hodge::linalg::multigrid
