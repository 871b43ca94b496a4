// The stencil of a separable system on a box (matrices/separable_system.hpp): couplings are
// products of arrays of the axes,
//
//   upper_d(c) = - coupling_d(c_d + 1) prod_{e != d} weight_e(c_e),
//
// so that a pass reads of the matrix only the inverse diagonal, 1 value per row. Cells without an
// unknown need no mask there: their inverse diagonal is 0, and so are all vectors of a level in
// them, so what a coupling to such a cell is does not matter.
#pragma once

#include <span>
#include <vector>

#include "linalg/matrices/separable_system.hpp"
#include "linalg/multigrid/stencil.hpp"

namespace hodge::linalg::multigrid {

template <int Dim, class T>
struct BoxStencilView {
  LevelShape<Dim> shape;
  const T* inverse;
  const T* weights[Dim];
  const T* couplings[Dim];  // -coupling

  // The weights of all axes but d and the last one, or but d.
  HODGE_HD T area(const Index<Dim>& c, int d, int axes = Dim) const {
    T area = T(1);
    for (int e = 0; e < axes; ++e)
      if (e != d) area *= constant(weights[e] + c[e]);
    return area;
  }
  // The couplings of c with its neighbours, which must exist; 0 where one of them has no unknown.
  HODGE_HD T upper_of(const Index<Dim>& c, int d) const {
    return between(shape.position(c), shape.above(c, d),
                   constant(couplings[d] + c[d] + 1) * area(c, d));
  }
  HODGE_HD T lower_of(const Index<Dim>& c, int d) const {
    return between(shape.position(c), shape.below(c, d),
                   constant(couplings[d] + c[d]) * area(c, d));
  }

 private:
  HODGE_HD T between(int p, int q, T coupling) const {
    return inverse[p] == T(0) || inverse[q] == T(0) ? T(0) : coupling;
  }
};

// The arrays with their memory.
template <int Dim, class Space, class T>
class BoxArrays {
 public:
  explicit BoxArrays(const SeparableSystem& system) {
    for (int d = 0; d < Dim; ++d) {
      const SeparableAxis& axis = system.axes[static_cast<std::size_t>(d)];
      weights_[d] = in_space(axis.weights, 1.0);
      couplings_[d] = in_space(axis.couplings, -1.0);
    }
  }
  BoxStencilView<Dim, T> view(const StencilView<Dim, T>& of) const {
    BoxStencilView<Dim, T> view{of.shape, of.inverse, {}, {}};
    for (int d = 0; d < Dim; ++d) {
      view.weights[d] = weights_[d].data();
      view.couplings[d] = couplings_[d].data();
    }
    return view;
  }

 private:
  static Buffer<T, Space> in_space(const std::vector<double>& values, double factor) {
    std::vector<T> rounded;
    for (const double value : values) rounded.push_back(static_cast<T>(factor * value));
    return Buffer<T, Space>(std::span<const T>(rounded));
  }

  Buffer<T, Space> weights_[Dim], couplings_[Dim];
};

}  // namespace hodge::linalg::multigrid
