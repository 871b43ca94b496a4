// How the cells of a box are shared by processes: in slabs, whole layers of the last axis.
//
//       +-----------+
//       |     2     |     Process p has the layers from first_layers()[p] to
//       +-----------+     first_layers()[p + 1] - 1.
//       |     1     |
//       +-----------+
//       |     0     |
//       +-----------+
//
// Sums have the same bits for any number of processes, because the axis is cut where sums begin
// anew: on the CPU anywhere, on GPUs at multiples of the layers that a chunk of a sum has
// (linalg/base/sum_tiles.hpp). A slab has at least ghost_width layers: its neighbours' ghosts are
// all its own.
#pragma once

#include <vector>

#include "linalg/base/sum_tiles.hpp"
#include "sim/discrete/fields/layout.hpp"

namespace hodge::sim {

struct GridSettings;

// The last axis is cut at multiples of so many layers.
inline constexpr int layers_on_gpu = linalg::chunk_layers;
constexpr int cut_unit(bool on_gpus) {
  return on_gpus ? layers_on_gpu : 1;
}

// The most slabs that an axis of so many layers can be cut into, at multiples of `unit`.
int most_slabs(int layers, int unit);

class Decomposition {
 public:
  // Slabs are whole multiples of `unit` but for the last one, and differ by one unit at most.
  // Errors: ConfigError for fewer layers than the slabs need.
  Decomposition(int layers, int slabs, int unit = 1);

  int size() const { return static_cast<int>(first_layers_.size()) - 1; }
  // The first layer of each process, and behind the last process all of them.
  const std::vector<int>& first_layers() const { return first_layers_; }
  int first(int process) const { return first_layers_[static_cast<std::size_t>(process)]; }
  int last(int process) const { return first(process + 1); }  // one behind
  // The process beyond a side (0 lower, 1 upper) of a slab, -1 beyond the box; a periodic axis goes
  // round, unless there is one slab.
  int neighbour(int process, int side, bool periodic) const;
  // Of the largest slab: its layers, and their share of all.
  int most_layers() const;
  double largest_share() const;

 private:
  std::vector<int> first_layers_;
};

// A slab for each of the processes that were started, as far as there are layers enough.
Decomposition slabs_of(const GridSettings& grid, int started, bool on_gpus);

}  // namespace hodge::sim
