// Rays along x through the points: every crossing of the surface (crossing.hpp) changes the winding
// number by 1 from the first point on that is not below it, upwards where the ray enters; the sum
// along the row is the winding number of each point.
#include <omp.h>

#include <algorithm>
#include <utility>

#include "sim/discrete/bodies/crossing.hpp"
#include "sim/discrete/bodies/point_rows.hpp"

namespace hodge::sim {
namespace {

int first_not_below(const std::vector<double>& sorted, double x) {
  return static_cast<int>(std::lower_bound(sorted.begin(), sorted.end(), x) - sorted.begin());
}

// The layers of points that a triangle can touch: [first, last).
std::pair<int, int> layers(const Surface& surface, const std::array<int, 3>& corners,
                           const std::vector<double>& z) {
  const auto [low, high] =
      std::minmax({surface.points[corners[0]][2], surface.points[corners[1]][2],
                   surface.points[corners[2]][2]});
  return {first_not_below(z, low), first_not_below(z, high)};
}

// The triangles of every layer, one list after the other: those of layer k are
// triangle[start[k]] ... triangle[start[k + 1] - 1].
struct LayerLists {
  std::vector<std::size_t> start;
  std::vector<int> triangle;
};

LayerLists triangles_by_layer(const Surface& surface, const std::vector<double>& z) {
  LayerLists lists{std::vector<std::size_t>(z.size() + 1, 0), {}};
  for (const auto& corners : surface.triangles) {
    const auto [first, last] = layers(surface, corners, z);
    for (int k = first; k < last; ++k) ++lists.start[k + 1];
  }
  for (std::size_t k = 0; k < z.size(); ++k) lists.start[k + 1] += lists.start[k];
  lists.triangle.resize(lists.start.back());
  std::vector<std::size_t> next = lists.start;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const auto [first, last] = layers(surface, surface.triangles[t], z);
    for (int k = first; k < last; ++k) lists.triangle[next[k]++] = static_cast<int>(t);
  }
  return lists;
}

// Adds the crossings of a triangle to the points of a layer.
void cross(const PointRows& rows, const Segment& segment, double on_it, int* changes) {
  const std::vector<double>& y = rows.coordinates(1);
  const int rising = first_not_below(y, segment.rising.y - on_it);
  const int falling = first_not_below(y, segment.falling.y - on_it);
  for (int j = std::min(rising, falling); j < std::max(rising, falling); ++j) {
    const int i = first_not_below(rows.coordinates(0), segment.x_at(y[j]) - on_it);
    if (i < rows.points(0)) changes[rows.first(j) + i] += rising < falling ? 1 : -1;
  }
}

void mark_row(const int* changes, int points, std::uint8_t* inside) {
  int winding = 0;
  for (int i = 0; i < points; ++i) inside[i] = (winding += changes[i]) != 0;
}

}  // namespace

std::vector<std::uint8_t> points_inside(const PointRows& rows, const Surface& surface) {
  const std::vector<double>& z = rows.coordinates(2);
  const LayerLists lists = triangles_by_layer(surface, z);
  const double on_it = on_surface(surface);
  std::vector<std::uint8_t> inside(rows.size(), 0);
  std::vector<std::vector<int>> of_threads(static_cast<std::size_t>(omp_get_max_threads()));
  for (std::vector<int>& changes : of_threads) changes.resize(rows.first(rows.points(1)));
#pragma omp parallel for schedule(dynamic)
  for (int k = 0; k < rows.points(2); ++k) {
    if (lists.start[k] == lists.start[k + 1]) continue;
    std::vector<int>& changes = of_threads[static_cast<std::size_t>(omp_get_thread_num())];
    std::fill(changes.begin(), changes.end(), 0);
    Segment segment{};
    for (std::size_t n = lists.start[k]; n < lists.start[k + 1]; ++n)
      if (cut(surface, surface.triangles[lists.triangle[n]], z[k], segment))
        cross(rows, segment, on_it, changes.data());
    for (int j = 0; j < rows.points(1); ++j)
      mark_row(changes.data() + rows.first(j), rows.points(0),
               inside.data() + rows.first(rows.row(j, k)));
  }
  return inside;
}

}  // namespace hodge::sim
