// A rectilinear grid on the host: the cell edges of every axis, in ascending order, in units of
// length.
//
// Cell i of an axis lies between edges i and i + 1. Axes beyond dim have no cells.
// Errors: ConfigError for a dimension, a cell count, bounds or a stretching that make no grid.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sim/base/point.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

struct Axis {
  std::vector<double> edges;   // cells + 1
  std::vector<double> widths;  // cells
  bool uniform = true;

  int cells() const { return static_cast<int>(widths.size()); }
  double lower() const { return edges.front(); }
  double upper() const { return edges.back(); }
  double length() const { return upper() - lower(); }
  double centre(int i) const { return 0.5 * (edges[i] + edges[i + 1]); }
};

class Grid {
 public:
  explicit Grid(const GridSettings& settings);

  int dim() const { return dim_; }
  const Axis& axis(int d) const { return axes_[d]; }
  int cells(int d) const { return d < dim_ ? axes_[d].cells() : 1; }
  const std::vector<double>& edges(int d) const { return axes_[d].edges; }
  bool uniform() const;  // every axis
  long long cell_count() const;
  std::string description() const;  // "128 x 128 cells"
  // The cells from `lower` to below `upper`, whose edges are those of this grid.
  Grid part(const std::array<int, 3>& lower, const std::array<int, 3>& upper) const;

 private:
  int dim_;
  std::array<Axis, 3> axes_;
};

}  // namespace hodge::sim
