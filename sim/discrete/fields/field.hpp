// One scalar per cell (or per face of one component), ghosts included, in the memory of a space.
#pragma once

#include <cstddef>
#include <type_traits>

#include "linalg/vectors/vector.hpp"
#include "sim/base/unrolled.hpp"
#include "sim/discrete/fields/layout.hpp"

namespace hodge::sim {

// What point functions see of a field; passed by value. Axis 0 is contiguous. Positions are 32-bit:
// the size of a padded field fits in an int.
template <int Dim, class T = double>
struct FieldView {
  T* origin = nullptr;  // of cell 0
  int stride[Dim] = {};

  FieldView() = default;
  template <class U>
  requires std::is_same_v<const U, T> HODGE_HD FieldView(const FieldView<Dim, U>& writable)
      : origin(writable.origin) {
    unrolled<Dim>([&](auto d) { stride[d] = writable.stride[d]; });
  }

  HODGE_HD T& operator()(const Index<Dim>& c) const {
    int position = c[0];
    if constexpr (Dim > 1) position += stride[1] * c[1];
    if constexpr (Dim > 2) position += stride[2] * c[2];
    return origin[position];
  }
};

template <int Dim>
using ConstFieldView = FieldView<Dim, const double>;

// A view of padded values anywhere, on the host or in a space.
template <int Dim, class T>
FieldView<Dim, T> view_of(const Layout<Dim>& layout, T* padded) {
  FieldView<Dim, T> view;
  view.origin = padded + layout.origin();
  for (int d = 0; d < Dim; ++d) view.stride[d] = static_cast<int>(layout.stride(d));
  return view;
}

template <int Dim, class Space>
class Field {
 public:
  explicit Field(const Layout<Dim>& layout)
      : layout_(layout), values_(static_cast<int>(layout.size())) {}

  const Layout<Dim>& layout() const { return layout_; }
  FieldView<Dim> view() { return view_of(layout_, values_.data()); }
  ConstFieldView<Dim> view() const { return view_of(layout_, values_.data()); }
  // All values, ghosts included: linear combinations of fields are linear combinations of these.
  linalg::Vector<Space>& values() { return values_; }
  const linalg::Vector<Space>& values() const { return values_; }

 private:
  Layout<Dim> layout_;
  linalg::Vector<Space> values_;
};

}  // namespace hodge::sim
