// How the cells of a grid are divided into chunks, which are integrated one after the other.
#pragma once

#include <algorithm>
#include <vector>

#include "linalg/base/index.hpp"
#include "sim/model/reaction_settings.hpp"

namespace hodge::sim {

inline constexpr int reaction_results = 2;  // scalars of a reduction over a chunk
inline constexpr std::size_t most_chunk_bytes = std::size_t{1} << 28;

// Cells that are counted together (active_cells.hpp).
inline constexpr int reaction_line = 256;
HODGE_HD constexpr int reaction_lines(int cells) {
  return (cells + reaction_line - 1) / reaction_line;
}

// Of the arrays of a chunk, per cell.
std::size_t chunk_bytes_per_cell(int unknowns);

// Cells that a chunk may have.
int largest_chunk(int unknowns, const ReactionSettings& settings);

// Halves the box across its last axis, and the parts again, until each has at most `most` cells.
template <int Dim>
void split_box(const linalg::Box<Dim>& box, int most, std::vector<linalg::Box<Dim>>& parts) {
  if (box.size() <= most) {
    parts.push_back(box);
    return;
  }
  int axis = Dim - 1;
  while (axis > 0 && box.extent(axis) == 1) --axis;
  linalg::Box<Dim> lower = box, upper = box;
  lower.upper[axis] = upper.lower[axis] = box.lower[axis] + (box.extent(axis) + 1) / 2;
  split_box(lower, most, parts);
  split_box(upper, most, parts);
}

template <int Dim>
int largest_part(const std::vector<linalg::Box<Dim>>& parts) {
  long long largest = 0;
  for (const linalg::Box<Dim>& part : parts) largest = std::max(largest, part.size());
  return static_cast<int>(largest);
}

}  // namespace hodge::sim
