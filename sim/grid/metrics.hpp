// Lengths, areas and volumes of the grid where the fields are, as point functions see them.
//
//      | h(i-1) |  h(i)  | h(i+1) |       h: widths of cells -1 .. n; walls mirror them into the
//          |<-delta->|                       ghosts, periodic axes repeat them
//               face i                    delta(i): between the centres of cells i-1 and i
//
// The control volume of u_d at face c reaches from centre to centre along d, and from face to face
// along the other axes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "linalg/buffer.hpp"
#include "sim/boundaries/boundaries.hpp"
#include "sim/fields/layout.hpp"
#include "sim/grid/grid.hpp"

namespace hodge::sim {

template <int Dim>
struct GridView {
  Index<Dim> cells;
  const double* widths[Dim];     // of cell -1 first
  const double* distances[Dim];  // of face 0 first

  HODGE_HD double width(int d, int i) const { return widths[d][i + ghost_width]; }  // -1 <= i <= n
  HODGE_HD double distance(int d, int i) const { return distances[d][i]; }          // 0 <= i <= n

  HODGE_HD double cell_volume(const Index<Dim>& c) const {
    double volume = 1.0;
    for (int d = 0; d < Dim; ++d) volume *= width(d, c[d]);
    return volume;
  }
  // Of the faces of component d at c: the product of the widths along the other axes.
  HODGE_HD double face_area(int d, const Index<Dim>& c) const {
    double area = 1.0;
    for (int e = 0; e < Dim; ++e) area *= e == d ? 1.0 : width(e, c[e]);
    return area;
  }
  // Of the control volume of u_d at face c, along axis e.
  HODGE_HD double control_extent(int d, int e, const Index<Dim>& c) const {
    return e == d ? distance(e, c[e]) : width(e, c[e]);
  }
  HODGE_HD double control_volume(int d, const Index<Dim>& c) const {
    double volume = 1.0;
    for (int e = 0; e < Dim; ++e) volume *= control_extent(d, e, c);
    return volume;
  }
  // Of either side of that control volume normal to axis e.
  HODGE_HD double control_area(int d, int e, const Index<Dim>& c) const {
    double area = 1.0;
    for (int f = 0; f < Dim; ++f) area *= f == e ? 1.0 : control_extent(d, f, c);
    return area;
  }
};

// Widths of cells -1 .. n of one axis, and distances at its faces 0 .. n.
struct AxisMetrics {
  std::vector<double> widths, distances;
};
AxisMetrics axis_metrics(const Axis& axis, bool periodic);

template <int Dim>
Layout<Dim> layout_of(const Grid& grid) {
  Layout<Dim> layout{};
  for (int d = 0; d < Dim; ++d) layout.cells[d] = grid.cells(d);
  return layout;
}

// A grid's metrics in the memory of a space.
template <int Dim, class Space>
class DeviceGrid {
 public:
  DeviceGrid(const Grid& grid, const Boundaries& boundaries)
      : layout_(layout_of<Dim>(grid)), metrics_(metrics_size(layout_)) {
    std::vector<double> all;
    for (int d = 0; d < Dim; ++d) {
      const AxisMetrics axis = axis_metrics(grid.axis(d), boundaries.periodic(d));
      all.insert(all.end(), axis.widths.begin(), axis.widths.end());
      all.insert(all.end(), axis.distances.begin(), axis.distances.end());
      const std::vector<double>& h = grid.axis(d).widths;
      smallest_width_ = std::min(smallest_width_, *std::min_element(h.begin(), h.end()));
      box_volume_ *= grid.axis(d).length();
      volume_norm_ *= std::sqrt(std::inner_product(h.begin(), h.end(), h.begin(), 0.0));
    }
    metrics_.upload(std::span<const double>(all));
  }

  const Layout<Dim>& layout() const { return layout_; }
  double box_volume() const { return box_volume_; }  // sum of V over cells
  double smallest_width() const { return smallest_width_; }
  double volume_norm() const { return volume_norm_; }  // square root of the sum of V^2
  GridView<Dim> view() const {
    GridView<Dim> view{};
    view.cells = layout_.cells;
    const double* next = metrics_.data();
    for (int d = 0; d < Dim; ++d) {
      view.widths[d] = next;
      view.distances[d] = next + layout_.cells[d] + 2 * ghost_width;
      next = view.distances[d] + layout_.cells[d] + 1;
    }
    return view;
  }

 private:
  static std::size_t metrics_size(const Layout<Dim>& layout) {
    int size = 0;
    for (int d = 0; d < Dim; ++d) size += 2 * layout.cells[d] + 2 * ghost_width + 1;
    return static_cast<std::size_t>(size);
  }

  Layout<Dim> layout_;
  double smallest_width_ = std::numeric_limits<double>::infinity();
  double box_volume_ = 1, volume_norm_ = 1;
  linalg::Buffer<double, Space> metrics_;
};

}  // namespace hodge::sim
