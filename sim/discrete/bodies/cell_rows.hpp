// The cells of a grid as rows along x: row j + n_y k holds the cells (0 .. n_x - 1, j, k). In 2D
// k = 0 and z = 0.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "sim/base/point.hpp"
#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {

class CellRows {
 public:
  explicit CellRows(const Grid& grid) {
    for (int d = 0; d < 3; ++d)
      for (int i = 0; i < grid.cells(d); ++i)
        centres_[d].push_back(d < grid.dim() ? grid.axis(d).centre(i) : 0.0);
  }

  int cells(int d) const { return static_cast<int>(centres_[d].size()); }
  int count() const { return cells(1) * cells(2); }
  int row(int j, int k) const { return j + cells(1) * k; }
  std::size_t first_cell(int row) const {
    return static_cast<std::size_t>(row) * centres_[0].size();
  }
  const std::vector<double>& centres(int d) const { return centres_[d]; }
  Point centre(int i, int row) const {
    return {centres_[0][i], centres_[1][row % cells(1)], centres_[2][row / cells(1)]};
  }

 private:
  std::array<std::vector<double>, 3> centres_;
};

}  // namespace hodge::sim
