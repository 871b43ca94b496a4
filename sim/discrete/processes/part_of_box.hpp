// The part of a box that one process has: its layout, and the exchange of its ghosts.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <type_traits>

#include "linalg/base/errors.hpp"
#include "sim/discrete/grid/grid.hpp"
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

  bool is_first() const { return halo_->processes().rank() == 0; }
  // Valid as long as this object lives.
  const Layout<Dim>& layout() const { return layout_; }

 private:
  Layout<Dim> layout_{};
  std::unique_ptr<HaloExchange<Dim>> halo_;
};

// The part of this process, where several share the grid; otherwise null. Errors: ConfigError where
// an axis has too few cells for its parts, or there are not as many parts as processes.
template <int Dim, class Space>
std::unique_ptr<PartOfBox<Dim>> part_of_box(linalg::Communicator& processes,
                                            const ProcessCounts& counts, const Grid& grid,
                                            const Boundaries& boundaries) {
  if (processes.size() == 1) return nullptr;
  const std::array<int, 3> cells{grid.cells(0), grid.cells(1), grid.cells(2)};
  const Decomposition parts(Dim, cells, counts,
                            cut_units(Dim, cells, !std::is_same_v<Space, linalg::Host>));
  if (parts.size() != processes.size())
    throw ConfigError("a grid of " + grid.description() + " is cut into " +
                      std::to_string(parts.size()) + " parts and cannot be shared by " +
                      std::to_string(processes.size()) + " processes");
  return std::make_unique<PartOfBox<Dim>>(
      processes, parts,
      std::array<bool, 3>{boundaries.periodic(0), boundaries.periodic(1), boundaries.periodic(2)});
}

}  // namespace hodge::sim
