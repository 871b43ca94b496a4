// Coordinates, lengths, areas and volumes of the grid where the fields are, as point functions see
// them.
//
//      | h(i-1) |  h(i)  | h(i+1) |       h: widths of cells -3 .. n+2; walls mirror them into the
//          |<-delta->|                       ghosts, periodic axes repeat them
//               face i                    delta(i): between the centres of cells i-1 and i
//
// A location is a component d (its faces) or at_cells. The control volume of u_d at face c reaches
// from centre to centre along d, and from face to face along the other axes; that of a cell is the
// cell.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "linalg/vectors/buffer.hpp"
#include "sim/base/unrolled.hpp"
#include "sim/discrete/fields/layout.hpp"
#include "sim/discrete/grid/grid.hpp"
#include "sim/model/boundaries.hpp"

namespace hodge::sim {

template <int Dim>
struct GridView {
  Index<Dim> cells;
  const double* widths[Dim];             // of cell -3 first
  const double* distances[Dim];          // of face -2 first
  const double* edges[Dim];              // of face -3 first
  const double* inverse_widths[Dim];     // as widths: a product costs a tenth of a division
  const double* inverse_distances[Dim];  // as distances

  HODGE_HD double width(int d, int i) const { return widths[d][i + ghost_width]; }
  HODGE_HD double distance(int d, int i) const { return distances[d][i + ghost_width - 1]; }
  HODGE_HD double inverse_width(int d, int i) const { return inverse_widths[d][i + ghost_width]; }
  HODGE_HD double inverse_distance(int d, int i) const {
    return inverse_distances[d][i + ghost_width - 1];
  }
  HODGE_HD double edge(int d, int i) const { return edges[d][i + ghost_width]; }
  HODGE_HD double centre(int d, int i) const { return 0.5 * (edge(d, i) + edge(d, i + 1)); }

  // Coordinate along axis e of the value at c.
  HODGE_HD double coordinate(int location, int e, const Index<Dim>& c) const {
    return e == location ? edge(e, c[e]) : centre(e, c[e]);
  }
  HODGE_HD double cell_volume(const Index<Dim>& c) const {
    double volume = 1.0;
    unrolled<Dim>([&](auto d) { volume *= width(d, c[d]); });
    return volume;
  }
  // Of the faces of component d at c: the product of the widths along the other axes.
  HODGE_HD double face_area(int d, const Index<Dim>& c) const {
    double area = 1.0;
    unrolled<Dim>([&](auto e) { area *= e == d ? 1.0 : width(e, c[e]); });
    return area;
  }
  // Of the control volume at c, along axis e.
  HODGE_HD double control_extent(int location, int e, const Index<Dim>& c) const {
    return e == location ? distance(e, c[e]) : width(e, c[e]);
  }
  HODGE_HD double control_volume(int location, const Index<Dim>& c) const {
    double volume = 1.0;
    unrolled<Dim>([&](auto e) { volume *= control_extent(location, e, c); });
    return volume;
  }
  HODGE_HD double inverse_control_volume(int location, const Index<Dim>& c) const {
    double inverse = 1.0;
    unrolled<Dim>([&](auto e) {
      inverse *= e == location ? inverse_distance(e, c[e]) : inverse_width(e, c[e]);
    });
    return inverse;
  }
  // 1 / the distance of the two values of a location on both sides of the side below c along e.
  HODGE_HD double inverse_spacing(int location, int e, const Index<Dim>& c) const {
    const bool along = location >= 0 && e == location;
    return along ? inverse_width(e, c[e] - 1) : inverse_distance(e, c[e]);
  }
  // Of either side of that control volume normal to axis e.
  HODGE_HD double control_area(int location, int e, const Index<Dim>& c) const {
    double area = 1.0;
    unrolled<Dim>([&](auto f) { area *= f == e ? 1.0 : control_extent(location, f, c); });
    return area;
  }
};

// Of one axis: widths of cells -3 .. n+2, distances at faces -2 .. n+2, coordinates of faces
// -3 .. n+3.
struct AxisMetrics {
  std::vector<double> widths, distances, edges;
};

// The cell whose width cell i has: itself inside the box, its image beyond a side.
inline int cell_of_same_width(int i, int n, bool periodic) {
  if (periodic) return ((i % n) + n) % n;
  const int mirrored = i < 0 ? -1 - i : (i >= n ? 2 * n - 1 - i : i);
  return std::clamp(mirrored, 0, n - 1);
}

// Of all cells of an axis.
inline AxisMetrics axis_metrics(const Axis& axis, bool periodic) {
  const int n = axis.cells();
  AxisMetrics metrics;
  for (int i = -ghost_width; i < n + ghost_width; ++i)
    metrics.widths.push_back(axis.widths[cell_of_same_width(i, n, periodic)]);
  for (std::size_t i = 1; i < metrics.widths.size(); ++i)
    metrics.distances.push_back(0.5 * (metrics.widths[i - 1] + metrics.widths[i]));
  metrics.edges = axis.edges;
  for (int k = 1; k <= ghost_width; ++k) {
    metrics.edges.insert(metrics.edges.begin(),
                         metrics.edges.front() - metrics.widths[ghost_width - k]);
    metrics.edges.push_back(metrics.edges.back() + metrics.widths[n + ghost_width - 1 + k]);
  }
  return metrics;
}

// The same of the cells first .. first + cells - 1 alone: the ghosts beyond cuts are those cells'
// neighbours.
inline AxisMetrics part_of(const AxisMetrics& whole, int first, int cells) {
  const auto slice = [first, cells](const std::vector<double>& of, int beyond_cells) {
    return std::vector<double>(of.begin() + first, of.begin() + first + cells + beyond_cells);
  };
  return {slice(whole.widths, 2 * ghost_width), slice(whole.distances, 2 * ghost_width - 1),
          slice(whole.edges, 2 * ghost_width + 1)};
}

template <int Dim>
Layout<Dim> layout_of(const Grid& grid) {
  Layout<Dim> layout{};
  for (int d = 0; d < Dim; ++d) layout.cells[d] = grid.cells(d);
  return layout;
}

// Of a padded field, unused values included, whose rows are aligned as those of a space.
inline std::size_t padded_values(const Grid& grid, int alignment) {
  const auto of = [alignment]<int Dim>(Layout<Dim> layout) {
    layout.alignment = alignment;
    return layout.size();
  };
  return grid.dim() == 2 ? of(layout_of<2>(grid)) : of(layout_of<3>(grid));
}

// The ends of the box along axes that are not periodic; infinite along the others.
template <int Dim>
struct BoxBounds {
  double lower[Dim], upper[Dim];
};

template <int Dim>
BoxBounds<Dim> bounds_of(const Grid& grid, const Boundaries& boundaries) {
  BoxBounds<Dim> bounds;
  for (int d = 0; d < Dim; ++d) {
    const double beyond = boundaries.periodic(d) ? std::numeric_limits<double>::infinity() : 0;
    bounds.lower[d] = grid.axis(d).lower() - beyond;
    bounds.upper[d] = grid.axis(d).upper() + beyond;
  }
  return bounds;
}

// A grid's metrics in the memory of a space: of all its cells, or of the part of a layout.
template <int Dim, class Space>
class DeviceGrid {
 public:
  DeviceGrid(const Grid& grid, const Boundaries& boundaries)
      : DeviceGrid(grid, boundaries, layout_of<Dim>(grid)) {}
  // `boundaries`: the sides of the whole box.
  DeviceGrid(const Grid& grid, const Boundaries& boundaries, const Layout<Dim>& layout)
      : layout_(layout),
        uniform_(grid.uniform()),
        bounds_(bounds_of<Dim>(grid, boundaries)),
        metrics_(metrics_size(layout_)) {
    layout_.alignment = row_alignment<Space>;
    std::vector<double> all;
    for (int d = 0; d < Dim; ++d) {
      const AxisMetrics axis = part_of(axis_metrics(grid.axis(d), boundaries.periodic(d)),
                                       layout.before[d], layout.cells[d]);
      for (const auto* part : {&axis.widths, &axis.distances, &axis.edges})
        all.insert(all.end(), part->begin(), part->end());
      for (const auto* part : {&axis.widths, &axis.distances})
        for (const double length : *part) all.push_back(1.0 / length);
      const std::vector<double>& h = grid.axis(d).widths;
      const double smallest = *std::min_element(h.begin(), h.end());
      smallest_width_ = std::min(smallest_width_, smallest);
      smallest_volume_ *= smallest;
      lengths_[d] = grid.axis(d).length();
      box_volume_ *= lengths_[d];
      volume_norm_ *= std::sqrt(std::inner_product(h.begin(), h.end(), h.begin(), 0.0));
    }
    metrics_.upload(std::span<const double>(all));
  }

  const Layout<Dim>& layout() const { return layout_; }
  bool uniform() const { return uniform_; }
  // Of the whole box.
  const BoxBounds<Dim>& bounds() const { return bounds_; }
  double box_volume() const { return box_volume_; }  // sum of V over cells
  double length(int d) const { return lengths_[d]; }
  double smallest_width() const { return smallest_width_; }
  double smallest_volume() const { return smallest_volume_; }  // of a cell
  double volume_norm() const { return volume_norm_; }          // square root of the sum of V^2
  GridView<Dim> view() const {
    GridView<Dim> view{};
    view.cells = layout_.cells;
    const double* next = metrics_.data();
    for (int d = 0; d < Dim; ++d) {
      const int padded = layout_.cells[d] + 2 * ghost_width;
      view.widths[d] = next;
      view.distances[d] = view.widths[d] + padded;
      view.edges[d] = view.distances[d] + padded - 1;
      view.inverse_widths[d] = view.edges[d] + padded + 1;
      view.inverse_distances[d] = view.inverse_widths[d] + padded;
      next = view.inverse_distances[d] + padded - 1;
    }
    return view;
  }

 private:
  static std::size_t metrics_size(const Layout<Dim>& layout) {
    int size = 0;
    for (int d = 0; d < Dim; ++d) size += 5 * (layout.cells[d] + 2 * ghost_width) - 1;
    return static_cast<std::size_t>(size);
  }

  Layout<Dim> layout_;
  bool uniform_;
  BoxBounds<Dim> bounds_;
  double lengths_[Dim] = {};
  double smallest_width_ = std::numeric_limits<double>::infinity();
  double box_volume_ = 1, volume_norm_ = 1, smallest_volume_ = 1;
  linalg::Buffer<double, Space> metrics_;
};

}  // namespace hodge::sim
