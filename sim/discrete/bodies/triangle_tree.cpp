#include "sim/discrete/bodies/triangle_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace hodge::sim {
namespace {

constexpr int most_triangles = 4;  // of a node that is not divided

Point minus(const Point& a, const Point& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

double dot(const Point& a, const Point& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// |x - (a + s (b - a))|^2 at the s in [0, 1] where it is least.
double to_edge(const Point& x, const Point& a, const Point& b) {
  const Point along = minus(b, a), from = minus(x, a);
  const double s = std::clamp(dot(from, along) / dot(along, along), 0.0, 1.0);
  Point rest;
  for (int d = 0; d < 3; ++d) rest[d] = from[d] - s * along[d];
  return dot(rest, rest);
}

// The foot of the perpendicular is in the triangle where its weights of the corners are positive;
// otherwise an edge is nearest.
double to_triangle(const Point& x, const Point& a, const Point& b, const Point& c) {
  const Point ab = minus(b, a), ac = minus(c, a), ax = minus(x, a);
  const Point normal{ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2],
                     ab[0] * ac[1] - ab[1] * ac[0]};
  const double bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac);
  const double bx = dot(ab, ax), cx = dot(ac, ax), area = bb * cc - bc * bc;
  const double v = cc * bx - bc * cx, w = bb * cx - bc * bx;
  if (area > 0 && v >= 0 && w >= 0 && v + w <= area) {
    const double height = dot(normal, ax);
    return height * height / dot(normal, normal);
  }
  return std::min({to_edge(x, a, b), to_edge(x, b, c), to_edge(x, c, a)});
}

double to_box(const Point& x, const ShapeExtent& box) {
  double squared = 0;
  for (int d = 0; d < 3; ++d) {
    const double beyond = std::max({0.0, box.lower[d] - x[d], x[d] - box.upper[d]});
    squared += beyond * beyond;
  }
  return squared;
}

}  // namespace

TriangleTree::TriangleTree(const Surface& surface)
    : surface_(surface), order_(surface.triangles.size()) {
  std::iota(order_.begin(), order_.end(), 0);
  nodes_.reserve(surface.triangles.size());
  build(0, static_cast<int>(order_.size()));
}

// Returns the number of the node.
int TriangleTree::build(int begin, int end) {
  constexpr double far = std::numeric_limits<double>::infinity();
  ShapeExtent box{{far, far, far}, {-far, -far, -far}};
  for (int n = begin; n < end; ++n)
    for (const int corner : surface_.triangles[order_[n]])
      for (int d = 0; d < 3; ++d) {
        box.lower[d] = std::min(box.lower[d], surface_.points[corner][d]);
        box.upper[d] = std::max(box.upper[d], surface_.points[corner][d]);
      }
  const int number = static_cast<int>(nodes_.size());
  nodes_.push_back({box, begin, end});
  if (end - begin <= most_triangles) return number;
  const Point size = minus(box.upper, box.lower);
  const auto longest = std::max_element(size.begin(), size.end()) - size.begin();
  const auto place = [&](int t) {
    double sum = 0;
    for (const int corner : surface_.triangles[t]) sum += surface_.points[corner][longest];
    return sum;
  };
  const int middle = begin + (end - begin) / 2;
  std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
                   [&](int s, int t) { return place(s) < place(t); });
  const int lower = build(begin, middle), upper = build(middle, end);
  nodes_[number].lower = lower;
  nodes_[number].upper = upper;
  return number;
}

void TriangleTree::search(int node, const Point& x, double& squared) const {
  const Node& here = nodes_[node];
  if (here.lower == 0) {
    for (int n = here.begin; n < here.end; ++n) {
      const auto& [a, b, c] = surface_.triangles[order_[n]];
      squared = std::min(
          squared, to_triangle(x, surface_.points[a], surface_.points[b], surface_.points[c]));
    }
    return;
  }
  const double lower = to_box(x, nodes_[here.lower].box), upper = to_box(x, nodes_[here.upper].box);
  const bool lower_first = lower <= upper;
  if (std::min(lower, upper) < squared) search(lower_first ? here.lower : here.upper, x, squared);
  if (std::max(lower, upper) < squared) search(lower_first ? here.upper : here.lower, x, squared);
}

double TriangleTree::distance(const Point& x) const {
  double squared = std::numeric_limits<double>::infinity();
  search(0, x, squared);
  return std::sqrt(squared);
}

}  // namespace hodge::sim
