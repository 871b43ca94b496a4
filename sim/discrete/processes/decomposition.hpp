// How the cells of a box are shared by processes: every axis is cut into parts, and each process
// has one part of each axis.
//
//       +-------+------+------+       processes = {3, 2}: process 4 has part 1 of axis 0 and part 1
//       |   3   |   4  |   5  |       of axis 1. The number of a process is
//       +-------+------+------+
//       |   0   |   1  |   2  |         place[0] + processes[0] (place[1] + processes[1] place[2])
//       +-------+------+------+
//
// Axis 0 is cut at multiples of linalg::sum_piece cells, so that sums have the same bits for any
// number of processes (linalg/processes/shared_rows.hpp). Other axes are cut anywhere on the CPU;
// on GPUs the last one at multiples of unit_on_gpu cells, which sums there take together. A part
// that is cut off has at least ghost_width cells: its neighbours' ghosts are all its own.
#pragma once

#include <array>
#include <vector>

#include "sim/discrete/fields/layout.hpp"

namespace hodge::sim {

using ProcessCounts = std::array<int, 3>;  // along each axis; 1 for axes beyond the dimension

inline constexpr int unit_on_gpu = 8;

// The first cell of each part of an axis of `cells` cells, and behind the last part `cells`. Parts
// are whole multiples of `unit` but for the last one, and differ by one unit at most.
std::vector<int> cut_axis(int cells, int parts, int unit);

class Decomposition {
 public:
  // cells[d] = 1 and no cuts along axes beyond `dim`. `unit`: the last axis is cut at multiples of
  // it. Errors: ConfigError for an axis that has too few cells for its parts.
  Decomposition(int dim, const std::array<int, 3>& cells, const ProcessCounts& processes,
                int unit = 1);

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

 private:
  int dim_;
  ProcessCounts processes_;
  std::array<std::vector<int>, 3> firsts_;
};

// The most parts that an axis of so many cells can be cut into, at multiples of `unit`.
int most_parts(int axis, int cells, int unit = 1);

// The counts for which the slowest process is fastest, where a value that is sent costs as much as
// a cell: the largest part and the values in its ghosts are fewest. Of equal ones, the last axis is
// cut first: its layers are contiguous. Errors: ConfigError where there are more processes than
// parts.
ProcessCounts choose_process_counts(int dim, const std::array<int, 3>& cells,
                                    const std::array<bool, 3>& periodic, int processes);

}  // namespace hodge::sim
