// The diagonals that the entries of a pattern lie on, if there are at most 16: matrices of stencils
// on a box have 5 or 7, and two more for each periodic axis. The columns of a row are then bits of
// one word, and a product reads 2 bytes per row instead of 4 per non-zero.
//
//   bit d of mask[i] is set: row i has an entry at column i + offset[d]; offsets ascend
//
// Found once, when the pattern is built, by at most one pass over the columns per diagonal.
#pragma once

#include "linalg/space/spmv_plan.hpp"
#include "linalg/vectors/buffer.hpp"

namespace hodge::linalg {

template <class Space>
struct Diagonals {
  DiagonalsView shape;  // without the masks
  Buffer<std::uint16_t, Space> masks;

  DiagonalsView view() const {
    DiagonalsView v = shape;
    v.mask = masks.data();
    return v;
  }
};

// `longest`: entries of the longest row. Empty if there are more diagonals than bits in a mask.
template <class Space>
Diagonals<Space> find_diagonals(int rows, int longest, const int* row_offsets, const int* columns);

}  // namespace hodge::linalg
