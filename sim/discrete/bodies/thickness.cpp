#include "sim/discrete/bodies/thickness.hpp"

#include <cmath>
#include <cstddef>

namespace hodge::sim {
namespace {

constexpr double ball_radius = 0.35;  // in cells
constexpr int places = 4;             // along each axis of a cell

// Whether the ball about x is in the body, by its points along the axes and the diagonals.
bool holds_ball(const LevelSet& body, const Point& x, const Point& widths, int dim) {
  const auto has = [&](const Point& by) {
    Point y = x;
    for (int d = 0; d < dim; ++d) y[d] += by[d] * widths[d];
    return body.level(y) < 0;
  };
  if (!has({})) return false;
  for (int d = 0; d < dim; ++d)
    for (const double side : {-ball_radius, ball_radius}) {
      Point by{};
      by[d] = side;
      if (!has(by)) return false;
    }
  const double part = ball_radius / std::sqrt(dim);
  for (int corner = 0; corner < 1 << dim; ++corner) {
    Point by{};
    for (int d = 0; d < dim; ++d) by[d] = (corner >> d & 1) != 0 ? part : -part;
    if (!has(by)) return false;
  }
  return true;
}

bool holds_ball_in_cell(const LevelSet& body, const Point& centre, const Point& widths, int dim) {
  const int all = dim == 2 ? places * places : places * places * places;
  for (int n = 0; n < all; ++n) {
    const int at[3] = {n % places, n / places % places, n / (places * places)};
    Point x = centre;
    for (int d = 0; d < dim; ++d) x[d] += ((at[d] + 0.5) / places - 0.5) * widths[d];
    if (holds_ball(body, x, widths, dim)) return true;
  }
  return false;
}

}  // namespace

bool is_as_thick_as_a_cell(const LevelSet& body, const Grid& grid,
                           const std::vector<std::uint8_t>& bodies, std::uint8_t number) {
  const PointRows rows(grid);
  for (int row = 0; row < rows.count(); ++row)
    for (int i = 0; i < rows.points(0); ++i) {
      if (bodies[rows.first(row) + static_cast<std::size_t>(i)] != number) continue;
      const int at[3] = {i, row % rows.points(1), row / rows.points(1)};
      Point widths{};
      for (int d = 0; d < grid.dim(); ++d)
        widths[d] = grid.axis(d).widths[static_cast<std::size_t>(at[d])];
      if (holds_ball_in_cell(body, rows.point(i, row), widths, grid.dim())) return true;
    }
  return false;
}

}  // namespace hodge::sim
