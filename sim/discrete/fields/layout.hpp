// Where the values of a field lie: all fields of a simulation, cell-centred or on faces, share one
// padded layout, axis 0 fastest.
//
//   an axis of n cells:    3 ghosts   0   1   ...   n-1   3 ghosts          index -3 ... n+2
//
// Three ghosts because weno5 looks three points upstream. Face i of component d is the lower face
// of cell i along axis d; face n lies in the upper ghosts.
//
// On a GPU cell 0 of every row along axis 0 lies at a multiple of 128 bytes, so that a warp reads
// and writes whole cache lines. Unused values lie between the rows and before the first one:
//
//     unused | 3 ghosts | 0   1   ...   n-1 | 3 ghosts | unused | 3 ghosts | 0   1   ...
//                       ^ a multiple of `alignment`                        ^ the next one
//
// Lists in files are dense, without unused values (pieces.hpp).
//
// Where several processes share the box, the cells are those of one of them; beyond a cut the
// ghosts are cells of another process (processes/halo_exchange.hpp).
#pragma once

#include <array>
#include <climits>
#include <cstddef>
#include <type_traits>

#include "linalg/base/index.hpp"
#include "linalg/space/space.hpp"

namespace hodge::sim {

using linalg::Box;
using linalg::Index;

inline constexpr int ghost_width = 3;

// Positions in a field and rows of systems are 32-bit: a field with its ghosts has fewer values.
inline constexpr long long most_values = INT_MAX;

// In values of 8 bytes. On the host vector registers load from anywhere.
inline constexpr int row_alignment_on_host = 1, row_alignment_on_gpu = 16;
template <class Space>
inline constexpr int row_alignment =
    std::is_same_v<Space, linalg::Host> ? row_alignment_on_host : row_alignment_on_gpu;

// Where a field has its values: the faces of component d, or the cell centres.
inline constexpr int at_cells = -1;

template <int Dim>
class HaloExchange;

template <int Dim>
struct Layout {
  Index<Dim> cells;
  Index<Dim> before{}, behind{};      // cells of the whole box on both sides of these, on each axis
  HaloExchange<Dim>* halo = nullptr;  // null: these are all cells of the box
  int alignment = 1;                  // of rows, in values: row_alignment of a space

  int whole(int axis) const { return before[axis] + cells[axis] + behind[axis]; }
  Box<Dim> whole_box() const {
    Box<Dim> box{};
    for (int d = 0; d < Dim; ++d) box.upper[d] = whole(d);
    return box;
  }
  // For sums over boxes of this part (linalg::SummingOver).
  std::array<int, 3> whole_extents() const {
    std::array<int, 3> extents{1, 1, 1};
    for (int d = 0; d < Dim; ++d) extents[static_cast<std::size_t>(d)] = whole(d);
    return extents;
  }
  // The index in the whole box.
  Index<Dim> in_whole(Index<Dim> c) const {
    for (int d = 0; d < Dim; ++d) c[d] += before[d];
    return c;
  }
  HODGE_HD Box<Dim> interior() const { return {Index<Dim>::filled(0), cells}; }
  HODGE_HD Box<Dim> padded() const {
    Box<Dim> box = interior();
    for (int d = 0; d < Dim; ++d) {
      box.lower[d] -= ghost_width;
      box.upper[d] += ghost_width;
    }
    return box;
  }
  // The same cells without unused values.
  Layout dense() const {
    Layout layout = *this;
    layout.alignment = 1;
    return layout;
  }
  std::ptrdiff_t stride(int d) const {
    std::ptrdiff_t stride = 1;
    for (int e = 0; e < d; ++e)
      stride *= e == 0 ? aligned(cells[0] + 2 * ghost_width) : cells[e] + 2 * ghost_width;
    return stride;
  }
  std::size_t size() const { return static_cast<std::size_t>(before_first_row() + stride(Dim)); }
  std::ptrdiff_t origin() const {  // position of cell 0
    std::ptrdiff_t position = before_first_row();
    for (int d = 0; d < Dim; ++d) position += ghost_width * stride(d);
    return position;
  }

 private:
  std::ptrdiff_t aligned(std::ptrdiff_t values) const {
    return (values + alignment - 1) / alignment * alignment;
  }
  std::ptrdiff_t before_first_row() const { return aligned(ghost_width) - ghost_width; }
};

}  // namespace hodge::sim
