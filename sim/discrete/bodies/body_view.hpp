// Which cells are solid, as point functions see it.
//
//   solid(c)       the cell
//   blocked(d, c)  the face of component d: one of its two cells is solid, so u_d = 0 there
//   buried(d, c)   both are: a wall lies between it and a free face next to it across d
//
// A cell has the number of its body plus 1, or 0 where there is fluid; the three layers beyond the
// box repeat periodic axes and copy the outermost cells elsewhere. Without bodies there is no
// array.
#pragma once

#include <cstdint>
#include <vector>

#include "linalg/vectors/buffer.hpp"
#include "sim/discrete/fields/field.hpp"
#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {

template <int Dim>
struct BodyView {
  FieldView<Dim, const std::uint8_t> bodies;

  HODGE_HD bool any() const { return bodies.origin != nullptr; }
  HODGE_HD int body(const Index<Dim>& c) const { return any() ? bodies(c) : 0; }
  HODGE_HD bool solid(const Index<Dim>& c) const { return any() && bodies(c) != 0; }
  HODGE_HD bool blocked(int d, const Index<Dim>& c) const {
    return any() && (bodies(c) != 0 || bodies(c.shifted(d, -1)) != 0);
  }
  HODGE_HD bool buried(int d, const Index<Dim>& c) const {
    return any() && bodies(c) != 0 && bodies(c.shifted(d, -1)) != 0;
  }
  // Whether a location has no unknown at c.
  HODGE_HD bool excludes(int location, const Index<Dim>& c) const {
    return location == at_cells ? solid(c) : blocked(location, c);
  }
};

template <int Dim, class Space>
class Bodies {
 public:
  // `cells`: of every cell of the whole box, unpadded (cell_bodies), or empty; so are the sides.
  Bodies(const Layout<Dim>& layout, const std::vector<std::uint8_t>& cells,
         const Boundaries& boundaries)
      : layout_(layout) {
    bool any = false;
    for (const std::uint8_t body : cells) any = any || body != 0;
    if (!any) return;
    std::vector<std::uint8_t> padded(layout.size());
    const auto view = view_of(layout, padded.data());
    const Box<Dim> whole = layout.whole_box();
    for_each_on_host(layout.padded(), [&](const Index<Dim>& c) {
      Index<Dim> inner = layout.in_whole(c);
      for (int d = 0; d < Dim; ++d)
        inner[d] = inner_cell(inner[d], whole.upper[d], boundaries.periodic(d));
      view(c) = cells[static_cast<std::size_t>(whole.position(inner))];
    });
    padded_ = linalg::Buffer<std::uint8_t, Space>(std::span<const std::uint8_t>(padded));
  }

  bool any() const { return padded_.size() > 0; }
  const std::uint8_t* data() const { return padded_.data(); }  // null without bodies
  BodyView<Dim> view() const {
    return any() ? BodyView<Dim>{view_of(layout_, padded_.data())} : BodyView<Dim>{};
  }

 private:
  Layout<Dim> layout_;
  linalg::Buffer<std::uint8_t, Space> padded_;
};

}  // namespace hodge::sim
