// The diagonals that the entries of a pattern lie on, if there are at most 16: matrices of stencils
// on a box have 5 or 7, and two more for each periodic axis. The columns of a row are then bits of
// one word, and a product reads 2 bytes per row instead of 4 per non-zero.
//
//   bit d of mask[i] is set: row i has an entry at column i + offset[d]; offsets ascend
//
// Found once, when the pattern is built, by at most one pass over the columns per diagonal. Here
// too: the main diagonal of any matrix.
#pragma once

#include <span>

#include "linalg/space/space.hpp"
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

// `longest`: entries of the longest row. Empty if there are more diagonals than bits in a mask. Of
// the rows of this process alone even where rows are shared. `known`: diagonals that are among them
// whether they have entries or not, ascending.
template <class Space>
Diagonals<Space> find_diagonals(int rows, int longest, const int* row_offsets, const int* columns,
                                std::span<const int> known = {});

// diagonal[i]: the position of the first entry of row i with column >= i.
template <class Space>
void find_diagonal(int rows, const int* row_offsets, const int* columns, int* diagonal);

// out_i = factor / a_ii; *first_bad = smallest row whose diagonal is absent, zero or not finite,
// else rows. Guarded (space.hpp).
template <class Space, class T>
void invert_diagonal(const CsrView<T>& a, double factor, T* out, int* first_bad);

}  // namespace hodge::linalg
