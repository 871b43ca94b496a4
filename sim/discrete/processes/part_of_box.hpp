// The slab of a box that one process has: its layout, and the exchange of its ghosts.
#pragma once

#include <memory>
#include <type_traits>

#include "sim/discrete/grid/metrics.hpp"
#include "sim/discrete/processes/halo_exchange.hpp"

namespace hodge::sim {

template <int Dim>
class PartOfBox {
 public:
  // `periodic`: whether the last axis of the whole box goes round. `layers`: those of other
  // processes that are read (halo_exchange.hpp).
  PartOfBox(linalg::Communicator& processes, const Decomposition& slabs, const Layout<Dim>& whole,
            bool periodic, int layers = ghost_width)
      : layout_(whole) {
    constexpr int axis = Dim - 1;
    layout_.before[axis] = slabs.first(processes.rank());
    layout_.cells[axis] = slabs.last(processes.rank()) - layout_.before[axis];
    layout_.behind[axis] = whole.cells[axis] - slabs.last(processes.rank());
    halo_ = std::make_unique<HaloExchange<Dim>>(processes, slabs, layout_, periodic, layers);
    layout_.halo = halo_.get();
  }

  bool is_first() const { return halo_->processes().rank() == 0; }
  // Valid as long as this object lives.
  const Layout<Dim>& layout() const { return layout_; }

 private:
  Layout<Dim> layout_;
  std::unique_ptr<HaloExchange<Dim>> halo_;
};

// The part of this process, where several share the grid; otherwise null. Errors: ConfigError where
// the last axis has too few layers for as many slabs as processes.
template <int Dim, class Space>
std::unique_ptr<PartOfBox<Dim>> part_of_box(linalg::Communicator& processes, const Grid& grid,
                                            const Boundaries& boundaries, int layers) {
  if (processes.size() == 1) return nullptr;
  const Decomposition slabs(grid.cells(Dim - 1), processes.size(),
                            cut_unit(!std::is_same_v<Space, linalg::Host>));
  return std::make_unique<PartOfBox<Dim>>(processes, slabs, layout_of<Dim>(grid),
                                          boundaries.periodic(Dim - 1), layers);
}

}  // namespace hodge::sim
