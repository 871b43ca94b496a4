// Rays along x through the cell centres: a cell is inside where the surface crosses its ray an odd
// number of times below it.
//
//   z ^        p                 A triangle meets the plane z = z_k in the segment between its two
//     |       / \                edges that straddle z_k (z_a <= z_k < z_b); it meets the rays with
//  z_k|------a---b-----          y_a <= y_j < y_b. Both intervals are half-open, and the two
//     |     /     \              triangles of an edge compute its point from the same ends in the
//     +----q-------r----> y      same order, so a ray through an edge or a corner crosses the
//                                surface a whole number of times.
//
// So every ray crosses a closed surface an even number of times, whatever the rounding. A crossing
// flips the first cell whose centre is not below it; the sum modulo 2 along the row is the result.
#include <algorithm>
#include <utility>

#include "sim/discrete/bodies/cell_rows.hpp"
#include "sim/discrete/bodies/surface.hpp"

namespace hodge::sim {
namespace {

// Where an edge meets a plane z = z_k.
struct Meeting {
  double x, y;
};

Meeting meet(const Surface& surface, int a, int b, double z) {
  if (a > b) std::swap(a, b);  // the same order for both triangles of the edge
  const Point &p = surface.points[a], &q = surface.points[b];
  const double s = (z - p[2]) / (q[2] - p[2]);
  return {p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])};
}

// The two meetings of a triangle with the plane, the one with the smaller y first. None or two of
// its edges straddle z.
bool cut(const Surface& surface, const std::array<int, 3>& corners, double z,
         std::array<Meeting, 2>& ends) {
  int count = 0;
  for (int e = 0; e < 3; ++e) {
    const int a = corners[e], b = corners[(e + 1) % 3];
    const bool a_below = surface.points[a][2] <= z, b_below = surface.points[b][2] <= z;
    if (a_below != b_below) ends[count++] = meet(surface, a, b, z);
  }
  if (count == 2 && ends[1].y < ends[0].y) std::swap(ends[0], ends[1]);
  return count == 2;
}

int first_not_below(const std::vector<double>& centres, double x) {
  return static_cast<int>(std::lower_bound(centres.begin(), centres.end(), x) - centres.begin());
}

// Flips the cells of layer k at which rays cross one triangle.
void cross(const CellRows& rows, int k, const std::array<Meeting, 2>& ends, std::uint8_t* inside) {
  const auto [a, b] = ends;
  const int last = first_not_below(rows.centres(1), b.y);
  for (int j = first_not_below(rows.centres(1), a.y); j < last; ++j) {
    const double s = (rows.centres(1)[j] - a.y) / (b.y - a.y);
    const int i = first_not_below(rows.centres(0), a.x + s * (b.x - a.x));
    if (i < rows.cells(0)) inside[rows.first_cell(rows.row(j, k)) + i] ^= 1;
  }
}

void sum_along_row(std::uint8_t* row, int cells) {
  for (int i = 1; i < cells; ++i) row[i] ^= row[i - 1];
}

// The layers of cells that a triangle can touch: [first, last).
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

}  // namespace

std::vector<std::uint8_t> cells_inside(const Grid& grid, const Surface& surface) {
  const CellRows rows(grid);
  const std::vector<double>& z = rows.centres(2);
  const LayerLists lists = triangles_by_layer(surface, z);
  std::vector<std::uint8_t> inside(static_cast<std::size_t>(grid.cell_count()), 0);
#pragma omp parallel for schedule(dynamic)
  for (int k = 0; k < rows.cells(2); ++k) {
    std::array<Meeting, 2> ends{};
    for (std::size_t n = lists.start[k]; n < lists.start[k + 1]; ++n)
      if (cut(surface, surface.triangles[lists.triangle[n]], z[k], ends))
        cross(rows, k, ends, inside.data());
    for (int j = 0; j < rows.cells(1); ++j)
      sum_along_row(inside.data() + rows.first_cell(rows.row(j, k)), rows.cells(0));
  }
  return inside;
}

}  // namespace hodge::sim
