// Where a plane z = const cuts a triangle, and which way a ray along x crosses it there.
//
//   z ^        p                 The plane meets the two edges that straddle z (z_a <= z < z_b, or
//     |       / \                the other way round): one in which the corners, in their order,
//    z|------u---d-----          rise, and one in which they fall. The ray at y crosses the
//     |     /     \              segment between where y lies in the half-open interval of its
//     +----q-------r----> y      ends: into the body where the rising edge has the smaller y.
//
// The two triangles of an edge compute its point from the same ends in the same order, and pass it
// in opposite directions. So the segments of a closed surface make closed polygons, which every ray
// crosses as often inwards as outwards, through edges and corners too and whatever the rounding.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "sim/discrete/bodies/surface.hpp"

namespace hodge::sim {

// Where an edge meets the plane.
struct Meeting {
  double x, y;
};

struct Segment {
  Meeting rising, falling;

  // Where a ray between the ends meets the segment; the same bits in both directions.
  double x_at(double y) const {
    const auto [a, b] =
        falling.y < rising.y ? std::pair(falling, rising) : std::pair(rising, falling);
    return a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x);
  }
};

inline Meeting meet(const Surface& surface, int a, int b, double z) {
  if (a > b) std::swap(a, b);  // the same order for both triangles of the edge
  const Point &p = surface.points[a], &q = surface.points[b];
  const double s = (z - p[2]) / (q[2] - p[2]);
  return {p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])};
}

// False where the plane does not cut the triangle.
inline bool cut(const Surface& surface, const std::array<int, 3>& corners, double z,
                Segment& segment) {
  bool cuts = false;
  for (int e = 0; e < 3; ++e) {
    const int a = corners[e], b = corners[(e + 1) % 3];
    const bool a_below = surface.points[a][2] <= z, b_below = surface.points[b][2] <= z;
    if (a_below == b_below) continue;
    (a_below ? segment.rising : segment.falling) = meet(surface, a, b, z);
    cuts = true;
  }
  return cuts;
}

// Rounding moves a meeting by less. Points that near to the surface count as behind it, so that two
// bodies which share a slanted face leave no gap there.
inline double on_surface(const Surface& surface) {
  double largest = 0;
  for (const Point& point : surface.points)
    for (const double x : point) largest = std::max(largest, x < 0 ? -x : x);
  return 1e-13 * largest;
}

}  // namespace hodge::sim
