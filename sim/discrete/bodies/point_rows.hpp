// The points of a rectilinear grid as rows along x: row j + n_y k holds the points
// (0 .. n_x - 1, j, k). In 2D k = 0 and z = 0.
#pragma once

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include "sim/base/point.hpp"
#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {

class PointRows {
 public:
  explicit PointRows(std::array<std::vector<double>, 3> coordinates)
      : coordinates_(std::move(coordinates)) {}

  // The centres of the cells.
  PointRows(const Grid& grid) {
    for (int d = 0; d < 3; ++d)
      for (int i = 0; i < grid.cells(d); ++i)
        coordinates_[d].push_back(d < grid.dim() ? grid.axis(d).centre(i) : 0.0);
  }

  PointRows shifted(const Point& by) const {
    PointRows rows = *this;
    for (int d = 0; d < 3; ++d)
      for (double& x : rows.coordinates_[d]) x += by[d];
    return rows;
  }

  int points(int d) const { return static_cast<int>(coordinates_[d].size()); }
  int count() const { return points(1) * points(2); }
  int row(int j, int k) const { return j + points(1) * k; }
  std::size_t first(int row) const {
    return static_cast<std::size_t>(row) * coordinates_[0].size();
  }
  std::size_t size() const { return first(count()); }
  const std::vector<double>& coordinates(int d) const { return coordinates_[d]; }
  Point point(int i, int row) const {
    return {coordinates_[0][i], coordinates_[1][row % points(1)], coordinates_[2][row / points(1)]};
  }

 private:
  std::array<std::vector<double>, 3> coordinates_;
};

}  // namespace hodge::sim
