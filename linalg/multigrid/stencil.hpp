// A matrix on a box of cells whose rows couple a cell with its neighbours along the axes:
//
//   (A x)_c = a_c x_c + sum_d (upper_d(c) x_{c + e_d} + lower_d(c) x_{c - e_d})
//
// No columns are stored, so a product reads 2 Dim + 1 values per row; of a symmetric matrix only
// the upper couplings are stored, lower_d(c) = upper_d(c - e_d), Dim + 1 values per row. Diagonals
// are stored inverted, as 0 for cells without an unknown.
#pragma once

#include <span>
#include <vector>

#include "linalg/base/index.hpp"
#include "linalg/base/layers.hpp"
#include "linalg/matrices/grid_rows.hpp"
#include "linalg/vectors/part_buffer.hpp"

namespace hodge::linalg::multigrid {

// *at, of an array that the running loop does not write: a GPU may then load it early.
template <class T>
HODGE_HD T constant(const T* at) {
#ifdef __CUDA_ARCH__
  return __ldg(at);
#else
  return *at;
#endif
}

// How a row operation reads vectors: as Constants unless a thread of the kernel writes them.
struct Constants {
  template <class T>
  HODGE_HD static T at(const T* place) {
    return constant(place);
  }
};
struct Variables {
  template <class T>
  HODGE_HD static T at(const T* place) {
    return *place;
  }
};

// a / b; on a GPU, in single precision, without branches and to two units in the last place.
template <class T>
HODGE_HD T quotient(T a, T b) {
#ifdef __CUDA_ARCH__
  if constexpr (sizeof(T) == sizeof(float)) return __fdividef(a, b);
#endif
  return a / b;
}

// The box of a level.
template <int Dim>
struct LevelShape {
  Index<Dim> extent;
  bool periodic[Dim];
  double beyond[Dim][2];  // as in GridShape

  HODGE_HD Box<Dim> box() const { return {Index<Dim>::filled(0), extent}; }
  Box<Dim> box(const Layers& layers) const {
    Box<Dim> part = box();
    part.lower[Dim - 1] = layers.begin;
    part.upper[Dim - 1] = layers.end;
    return part;
  }
  Layers layers() const { return {0, extent[Dim - 1]}; }
  HODGE_HD int position(const Index<Dim>& c) const {
    int p = 0;
    for (int d = Dim - 1; d >= 0; --d) p = p * extent[d] + c[d];
    return p;
  }
  HODGE_HD bool has_above(const Index<Dim>& c, int d) const {
    return periodic[d] || c[d] + 1 < extent[d];
  }
  HODGE_HD bool has_below(const Index<Dim>& c, int d) const { return periodic[d] || c[d] > 0; }
  // Positions of the neighbours, where there are any.
  HODGE_HD int above(const Index<Dim>& c, int d) const {
    return position(c.shifted(d, c[d] + 1 < extent[d] ? 1 : 1 - extent[d]));
  }
  HODGE_HD int below(const Index<Dim>& c, int d) const {
    return position(c.shifted(d, c[d] > 0 ? -1 : extent[d] - 1));
  }
  HODGE_HD int cells() const { return static_cast<int>(box().size()); }
  // The number of cells with the same last index.
  HODGE_HD int layer() const {
    int cells = 1;
    for (int d = 0; d + 1 < Dim; ++d) cells *= extent[d];
    return cells;
  }
};

template <int Dim>
LevelShape<Dim> level_shape(const GridShape& shape) {
  LevelShape<Dim> level{};
  for (int d = 0; d < Dim; ++d) {
    level.extent[d] = shape.extent[d];
    level.periodic[d] = shape.periodic[d];
    for (int side = 0; side < 2; ++side) level.beyond[d][side] = shape.beyond[d][side];
  }
  return level;
}

template <int Dim, class T>
struct StencilView {
  LevelShape<Dim> shape;
  T* inverse;
  T* uppers[Dim];
  T* lowers[Dim];           // null: the matrix is symmetric
  bool transposed = false;  // upper() and lower() are those of A^T

  // The couplings of the cell at p with the neighbour at q, which must exist.
  HODGE_HD T upper(int d, int p, int q) const {
    const bool of_neighbour = transposed && lowers[d] != nullptr;
    return constant((of_neighbour ? lowers[d] : uppers[d]) + (of_neighbour ? q : p));
  }
  HODGE_HD T lower(int d, int p, int q) const {
    const bool of_neighbour = transposed || lowers[d] == nullptr;
    return constant((of_neighbour ? uppers[d] : lowers[d]) + (of_neighbour ? q : p));
  }
  // The same of the cell c.
  HODGE_HD T upper_of(const Index<Dim>& c, int d) const {
    return upper(d, shape.position(c), shape.above(c, d));
  }
  HODGE_HD T lower_of(const Index<Dim>& c, int d) const {
    return lower(d, shape.position(c), shape.below(c, d));
  }
};

// The cells of these layers.
template <int Dim>
std::vector<PartRange> cells_of(const LevelShape<Dim>& shape, const std::vector<Layers>& layers) {
  const auto layer = static_cast<std::size_t>(shape.layer());
  std::vector<PartRange> cells;
  for (const Layers& run : layers)
    cells.push_back(
        {layer * static_cast<std::size_t>(run.begin), layer * static_cast<std::size_t>(run.end)});
  return cells;
}

// A stencil with its memory, at the cells that are used; without couplings if these are held
// elsewhere (box_stencil.hpp).
template <int Dim, class Space, class T>
class Stencil {
 public:
  Stencil(const LevelShape<Dim>& shape, bool symmetric, std::span<const PartRange> used,
          bool with_couplings = true)
      : shape_(shape), inverse_(static_cast<std::size_t>(shape.cells()), used) {
    for (int d = 0; d < Dim && with_couplings; ++d) {
      uppers_[d] = PartBuffer<T, Space>(inverse_.size(), used);
      if (!symmetric) lowers_[d] = PartBuffer<T, Space>(inverse_.size(), used);
    }
  }
  // Of a level that is used as a whole.
  Stencil(const LevelShape<Dim>& shape, bool symmetric)
      : Stencil(shape, symmetric, cells_of(shape, {shape.layers()})) {}
  const LevelShape<Dim>& shape() const { return shape_; }
  bool symmetric() const { return lowers_[0].size() == 0; }
  StencilView<Dim, T> view() {
    StencilView<Dim, T> view{};
    view.shape = shape_;
    view.inverse = inverse_.data();
    for (int d = 0; d < Dim; ++d) {
      view.uppers[d] = uppers_[d].data();
      view.lowers[d] = lowers_[d].data();
    }
    return view;
  }

 private:
  LevelShape<Dim> shape_;
  PartBuffer<T, Space> inverse_;
  PartBuffer<T, Space> uppers_[Dim], lowers_[Dim];
};

}  // namespace hodge::linalg::multigrid
