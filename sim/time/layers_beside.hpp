// A vector of unknowns in a box that is cut along its last axis, with the layer of each neighbour
// beside the own ones: before them and behind them, where another process has cells there.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "linalg/processes/ghost_exchange.hpp"
#include "linalg/vectors/vector.hpp"
#include "sim/discrete/assembly/shared_unknowns.hpp"

namespace hodge::sim {

template <int Dim, class Space>
class LayersBeside {
 public:
  // Collective. All points of the box are unknowns.
  explicit LayersBeside(const SharedUnknowns<Dim>& shared)
      : layer_(points_of_layer(shared)),
        rows_(shared.blocks.rows_of(shared.processes->rank())),
        ghosts_(ghosts_of(shared, layer_)),
        exchange_(*shared.processes, places_of(shared, layer_, ghosts_)),
        values_(rows_ + 2 * layer_) {}

  // Collective.
  void fill(const linalg::Vector<Space>& own) {
    exchange_.start(own.data());
    const auto bytes_of = [](int rows) { return sizeof(double) * static_cast<std::size_t>(rows); };
    if (rows_ > 0) Space::copy(own.data(), values_.data() + layer_, bytes_of(rows_));
    const double* ghosts = exchange_.template finish<double>();
    for (const Ghosts& beside : ghosts_) {
      Space::copy(ghosts, values_.data() + beside.place, bytes_of(layer_));
      ghosts += layer_;
    }
  }
  // Of the first own row.
  const double* own() const { return values_.data() + layer_; }

 private:
  // A layer of another process: its first row in the whole system, and its place in values_.
  struct Ghosts {
    std::int64_t first;
    int place;
  };

  static int points_of_layer(const SharedUnknowns<Dim>& shared) {
    int points = 1;
    for (int d = 0; d + 1 < Dim; ++d) points *= shared.whole.box.extent(d);
    return points;
  }
  // In the order of their rows. Beyond an end of the box is the layer at its other end, as on a
  // periodic axis.
  static std::vector<Ghosts> ghosts_of(const SharedUnknowns<Dim>& shared, int layer) {
    const linalg::RowBlocks& blocks = shared.blocks;
    const int rank = shared.processes->rank(), own = blocks.rows_of(rank);
    std::vector<Ghosts> ghosts;
    if (own == 0) return ghosts;
    const std::int64_t begin = blocks.first(rank), end = begin + own, all = blocks.rows();
    for (const Ghosts& beside :
         {Ghosts{(begin > 0 ? begin : all) - layer, 0}, Ghosts{end < all ? end : 0, layer + own}})
      if (blocks.owner(beside.first) != rank) ghosts.push_back(beside);
    std::ranges::sort(ghosts, {}, &Ghosts::first);
    return ghosts;
  }
  static std::vector<linalg::GhostPlace> places_of(const SharedUnknowns<Dim>& shared, int layer,
                                                   const std::vector<Ghosts>& ghosts) {
    std::vector<linalg::GhostPlace> places;
    for (const Ghosts& beside : ghosts) {
      const int owner = shared.blocks.owner(beside.first);
      const auto row = static_cast<int>(beside.first - shared.blocks.first(owner));
      for (int i = 0; i < layer; ++i) places.push_back({owner, row + i});
    }
    return places;
  }

  int layer_, rows_;  // values
  std::vector<Ghosts> ghosts_;
  linalg::GhostExchange exchange_;
  linalg::Vector<Space> values_;
};

}  // namespace hodge::sim
