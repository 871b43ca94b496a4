// How the cells of a box are shared by processes: every axis is cut into parts, and each process
// has one part of each axis.
//
//       +-------+------+------+       processes = {3, 2}: process 4 has part 1 of axis 0 and part 1
//       |   3   |   4  |   5  |       of axis 1. The number of a process is
//       +-------+------+------+
//       |   0   |   1  |   2  |         place[0] + processes[0] (place[1] + processes[1] place[2])
//       +-------+------+------+
//
// Sums have the same bits for any number of processes, because axes are cut where sums begin anew:
// on the CPU axis 0 at multiples of linalg::sum_piece cells (linalg/processes/shared_rows.hpp) and
// the others anywhere, on GPUs all axes at multiples of the cells that a chunk has of them
// (linalg/base/sum_tiles.hpp). A part that is cut off has at least ghost_width cells: its
// neighbours' ghosts are all its own.
#pragma once

#include <array>
#include <vector>

#include "linalg/base/sum_tiles.hpp"
#include "linalg/processes/shared_rows.hpp"
#include "sim/discrete/fields/layout.hpp"

namespace hodge::sim {

using ProcessCounts = std::array<int, 3>;  // along each axis; 1 for axes beyond the dimension

// Axes are cut at multiples of so many cells.
using CutUnits = std::array<int, 3>;

inline constexpr CutUnits units_on_cpu{linalg::sum_piece, 1, 1};
inline constexpr int layers_on_gpu = linalg::chunk_layers;  // along the last axis
CutUnits cut_units(int dim, const std::array<int, 3>& cells, bool on_gpus);

// The first cell of each part of an axis of `cells` cells, and behind the last part `cells`. Parts
// are whole multiples of `unit` but for the last one, and differ by one unit at most.
std::vector<int> cut_axis(int cells, int parts, int unit);

class Decomposition {
 public:
  // cells[d] = 1 and no cuts along axes beyond `dim`. Errors: ConfigError for an axis that has too
  // few cells for its parts.
  Decomposition(int dim, const std::array<int, 3>& cells, const ProcessCounts& processes,
                const CutUnits& units = units_on_cpu);

  int dim() const { return dim_; }
  const ProcessCounts& processes() const { return processes_; }
  int size() const { return processes_[0] * processes_[1] * processes_[2]; }
  bool is_cut(int axis) const { return processes_[axis] > 1; }

  std::array<int, 3> place(int process) const;
  int process_at(const std::array<int, 3>& place) const;
  // The cells of a process among those of the whole box.
  int first(int process, int axis) const;
  int last(int process, int axis) const;  // one behind
  // The process that has the cells beyond a side (0 lower, 1 upper) of its part, -1 beyond the box;
  // a periodic axis goes round.
  int neighbour(int process, int axis, int side, bool periodic) const;
  // Whether no axis but the last one is cut.
  bool has_whole_layers() const;
  // The first layer across the last axis that each process has of what they share by whole layers,
  // and behind the last process all of them. With whole layers these are its cells; otherwise as
  // many processes as the axis can be cut for have some, and those behind them none.
  const std::vector<int>& first_layers() const { return first_layers_; }
  int most_layers() const;  // of a process

 private:
  std::vector<int> divide_layers(int unit) const;

  int dim_;
  ProcessCounts processes_;
  std::array<std::vector<int>, 3> firsts_;
  std::vector<int> first_layers_;
};

// The most parts that an axis of so many cells can be cut into, at multiples of `unit`.
int most_parts(int cells, int unit);

// The counts for which the slowest process is fastest, where a value that is sent costs as much as
// a cell: the largest part and the values in its ghosts are fewest. Of equal ones, the last axis is
// cut first: its layers are contiguous. Errors: ConfigError where there are more processes than
// parts.
ProcessCounts choose_process_counts(int dim, const std::array<int, 3>& cells,
                                    const std::array<bool, 3>& periodic, int processes,
                                    const CutUnits& units = units_on_cpu);

}  // namespace hodge::sim
