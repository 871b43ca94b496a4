// A velocity on a MAC grid: component d lives on the faces normal to axis d, face i being the lower
// face of cell i.
//
//        +---v(i,j+1)---+
//        |              |
//     u(i,j)   p(i,j)  u(i+1,j)
//        |              |
//        +----v(i,j)----+
#pragma once

#include <array>
#include <utility>

#include "sim/discrete/fields/field.hpp"

namespace hodge::sim {

inline constexpr std::array<const char*, 3> velocity_names{"u", "v", "w"};

template <int Dim, class T = double>
struct VelocityView {
  FieldView<Dim, T> component[Dim];

  VelocityView() = default;
  template <class U>
  requires std::is_same_v<const U, T> HODGE_HD VelocityView(const VelocityView<Dim, U>& writable) {
    for (int d = 0; d < Dim; ++d) component[d] = writable[d];
  }

  // With the strides of component 0, which are those of all: so a position is computed once.
  HODGE_HD FieldView<Dim, T> operator[](int d) const {
    FieldView<Dim, T> view = component[0];
    view.origin = component[d].origin;
    return view;
  }
};

template <int Dim>
using ConstVelocityView = VelocityView<Dim, const double>;

template <int Dim, class Space>
class VelocityField {
 public:
  explicit VelocityField(const Layout<Dim>& layout)
      : VelocityField(layout, std::make_integer_sequence<int, Dim>()) {}

  Field<Dim, Space>& operator[](int d) { return components_[d]; }
  const Field<Dim, Space>& operator[](int d) const { return components_[d]; }
  VelocityView<Dim> view() {
    VelocityView<Dim> view;
    for (int d = 0; d < Dim; ++d) view.component[d] = components_[d].view();
    return view;
  }
  ConstVelocityView<Dim> view() const {
    ConstVelocityView<Dim> view;
    for (int d = 0; d < Dim; ++d) view.component[d] = components_[d].view();
    return view;
  }

 private:
  template <int... D>
  VelocityField(const Layout<Dim>& layout, std::integer_sequence<int, D...>)
      : components_{((void)D, Field<Dim, Space>(layout))...} {}

  std::array<Field<Dim, Space>, Dim> components_;
};

}  // namespace hodge::sim
