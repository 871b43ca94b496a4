// A vector of unknowns in a box that is cut along its last axis, with the layer of each neighbour
// beside the own ones: before them and behind them, where another process has cells there.
#pragma once

#include <cstddef>
#include <span>

#include "linalg/vectors/vector.hpp"
#include "sim/discrete/assembly/shared_unknowns.hpp"
#include "sim/discrete/processes/neighbours.hpp"

namespace hodge::sim {

template <int Dim, class Space>
class LayersBeside {
 public:
  // All points of the box are unknowns, and each process has a layer at least.
  explicit LayersBeside(const SharedUnknowns<Dim>& shared)
      : processes_(shared.processes),
        layer_(points_of_layer(shared)),
        rows_(static_cast<std::size_t>(shared.blocks.rows_of(shared.processes->rank()))),
        first_((layer_ + aligned - 1) / aligned * aligned),
        values_(static_cast<int>(first_ + rows_ + layer_)) {
    const linalg::RowBlocks& blocks = shared.blocks;
    const int rank = processes_->rank();
    // Beyond an end of the box is the layer at its other end, as on a periodic axis.
    const std::int64_t begin = blocks.first(rank), end = blocks.first(rank + 1);
    neighbour_[0] = blocks.owner((begin > 0 ? begin : blocks.rows()) - 1);
    neighbour_[1] = blocks.owner(end < blocks.rows() ? end : 0);
  }

  // The own rows, for a solve to write.
  linalg::Vector<Space> rows() {
    return linalg::Vector<Space>::view(values_.data() + first_, static_cast<int>(rows_));
  }
  // Brings the layers beside them. Collective.
  void fill() {
    const auto layer_at = [this](std::size_t first) {
      return std::span(values_.data() + first, layer_);
    };
    const std::size_t end = first_ + rows_;
    exchange_with_neighbours<Space>(
        *processes_, neighbour_,
        {{layer_at(first_), layer_at(end - layer_)}, {layer_at(end), layer_at(first_ - layer_)}});
  }
  // Of the first own row.
  const double* own() const { return values_.data() + first_; }

 private:
  // Libraries of transforms want vectors that begin like those that are allocated.
  static constexpr std::size_t aligned = 32;

  static std::size_t points_of_layer(const SharedUnknowns<Dim>& shared) {
    std::size_t points = 1;
    for (int d = 0; d + 1 < Dim; ++d)
      points *= static_cast<std::size_t>(shared.whole.box.extent(d));
    return points;
  }
  linalg::Communicator* processes_;
  std::size_t layer_, rows_;  // values
  int neighbour_[2] = {};
  std::size_t first_;  // own row in values_
  linalg::Vector<Space> values_;
};

}  // namespace hodge::sim
