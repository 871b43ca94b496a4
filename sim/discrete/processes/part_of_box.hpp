// The part of a box that one process has: its layout, and the exchange of its ghosts.
#pragma once

#include <memory>

#include "sim/discrete/processes/halo_exchange.hpp"

namespace hodge::sim {

template <int Dim>
class PartOfBox {
 public:
  // `periodic`: the axes of the whole box that go round.
  PartOfBox(linalg::Communicator& processes, const Decomposition& decomposition,
            const std::array<bool, 3>& periodic) {
    for (int d = 0; d < Dim; ++d) {
      const int first = decomposition.first(processes.rank(), d);
      const int last = decomposition.last(processes.rank(), d);
      layout_.cells[d] = last - first;
      layout_.before[d] = first;
      layout_.behind[d] = decomposition.last(decomposition.size() - 1, d) - last;
    }
    halo_ = std::make_unique<HaloExchange<Dim>>(processes, decomposition, layout_, periodic);
    layout_.halo = halo_.get();
  }

  // Valid as long as this object lives.
  const Layout<Dim>& layout() const { return layout_; }

 private:
  Layout<Dim> layout_{};
  std::unique_ptr<HaloExchange<Dim>> halo_;
};

}  // namespace hodge::sim
