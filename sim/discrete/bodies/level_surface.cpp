#include "sim/discrete/bodies/level_surface.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/discrete/bodies/point_rows.hpp"

namespace hodge::sim {
namespace {

// Nodes and centres of an axis, those near the extent of a body.
std::vector<double> lattice_along(const Axis& axis, double lower, double upper) {
  std::vector<double> all;
  for (int i = 0; i < axis.cells(); ++i)
    all.insert(all.end(), {axis.edges[static_cast<std::size_t>(i)], axis.centre(i)});
  all.push_back(axis.upper());
  auto first = std::ranges::lower_bound(all, lower), last = std::ranges::upper_bound(all, upper);
  if (first != all.begin()) --first;
  if (last != all.end()) ++last;
  return {first, last};
}

class SurfaceMaker {
 public:
  SurfaceMaker(const LevelSet& body, const Grid& grid)
      : body_(body),
        dim_(grid.dim()),
        thickness_(grid.axis(0).widths.front()),
        points_(lattice(grid)),
        inside_(body.inside(points_)) {}

  Surface make() {
    std::array<int, 3> cells{1, 1, 1};
    for (int d = 0; d < dim_; ++d) cells[static_cast<std::size_t>(d)] = points_.points(d) - 1;
    for (int k = 0; k < cells[2]; ++k)
      for (int j = 0; j < cells[1]; ++j)
        for (int i = 0; i < cells[0]; ++i)
          if (is_mixed({i, j, k})) add_cell({i, j, k});
    return std::move(surface_);
  }

 private:
  using Node = std::array<int, 3>;

  PointRows lattice(const Grid& grid) const {
    const ShapeExtent extent = body_.extent();
    std::array<std::vector<double>, 3> coordinates{{{0.0}, {0.0}, {0.0}}};
    for (int d = 0; d < dim_; ++d)
      coordinates[static_cast<std::size_t>(d)] =
          lattice_along(grid.axis(d), extent.lower[static_cast<std::size_t>(d)],
                        extent.upper[static_cast<std::size_t>(d)]);
    return PointRows(std::move(coordinates));
  }
  bool is_inside(const Node& n) const {
    return inside_[points_.first(points_.row(n[1], n[2])) + static_cast<std::size_t>(n[0])] != 0;
  }
  Point place(const Node& n) const { return points_.point(n[0], points_.row(n[1], n[2])); }

  bool is_mixed(const Node& lower) const {
    int inside = 0;
    for (int corner = 0; corner < 1 << dim_; ++corner) {
      Node node = lower;
      for (int d = 0; d < dim_; ++d) node[static_cast<std::size_t>(d)] += (corner >> d) & 1;
      inside += is_inside(node) ? 1 : 0;
    }
    return inside > 0 && inside < 1 << dim_;
  }

  // A cell is the simplices along the ways from its lower corner to the upper one.
  void add_cell(const Node& lower) {
    std::array<int, 3> axes{0, 1, 2};
    do {
      std::vector<Node> simplex{lower};
      for (int n = 0; n < dim_; ++n) {
        simplex.push_back(simplex.back());
        ++simplex.back()[static_cast<std::size_t>(axes[static_cast<std::size_t>(n)])];
      }
      add_simplex(simplex);
    } while (std::next_permutation(axes.begin(), axes.begin() + dim_));
  }

  void add_simplex(const std::vector<Node>& simplex) {
    std::vector<Point> inside, outside;
    for (const Node& node : simplex) (is_inside(node) ? inside : outside).push_back(place(node));
    std::vector<Point> corners;  // around the piece of the surface
    for (std::size_t a = 0; a < inside.size(); ++a)
      for (std::size_t b = 0; b < outside.size(); ++b)
        corners.push_back(root(inside[a], outside[a % 2 == 0 ? b : outside.size() - 1 - b]));
    if (dim_ == 2 && !corners.empty()) corners = strip(corners);
    for (std::size_t c = 2; c < corners.size(); ++c)
      add_triangle({corners[0], corners[c - 1], corners[c]});
  }

  // Where the surface is between a point of the body and one of the fluid.
  Point root(Point inside, Point outside) const {
    constexpr int halvings = 40;
    for (int n = 0; n < halvings; ++n) {
      Point middle;
      for (std::size_t d = 0; d < 3; ++d) middle[d] = 0.5 * (inside[d] + outside[d]);
      (body_.level(middle) < 0 ? inside : outside) = middle;
    }
    return outside;
  }

  std::vector<Point> strip(const std::vector<Point>& ends) const {
    std::vector<Point> corners{ends[0], ends[1], ends[1], ends[0]};
    for (std::size_t c = 0; c < 4; ++c) corners[c][2] = c < 2 ? -thickness_ : thickness_;
    return corners;
  }

  void add_triangle(const std::array<Point, 3>& corners) {
    if (corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0]) return;
    const auto first = static_cast<int>(surface_.points.size());
    surface_.points.insert(surface_.points.end(), corners.begin(), corners.end());
    surface_.triangles.push_back({first, first + 1, first + 2});
  }

  const LevelSet& body_;
  int dim_;
  double thickness_;
  PointRows points_;
  std::vector<std::uint8_t> inside_;
  Surface surface_;
};

}  // namespace

Surface surface_of(const LevelSet& body, const Grid& grid) {
  return SurfaceMaker(body, grid).make();
}

}  // namespace hodge::sim
