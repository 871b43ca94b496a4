#include "sim/discrete/bodies/formula_level.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "linalg/base/errors.hpp"

namespace hodge::sim {
namespace {

class FormulaLevel : public LevelSet {
 public:
  FormulaLevel(const Expression& formula, const ShapeExtent& extent, std::string name)
      : formula_(formula), extent_(extent), name_(std::move(name)) {}

  double level(const Point& x) const override { return formula_(x, 0); }
  ShapeExtent extent() const override { return extent_; }
  std::vector<std::uint8_t> inside(const PointRows& rows) const override {
    std::vector<std::uint8_t> inside(rows.size());
    bool has_all = true;
#pragma omp parallel for schedule(static) reduction(&& : has_all)
    for (int row = 0; row < rows.count(); ++row)
      for (int i = 0; i < rows.points(0); ++i) {
        const double value = level(rows.point(i, row));
        inside[rows.first(row) + static_cast<std::size_t>(i)] = value < 0;
        has_all = has_all && !std::isnan(value);
      }
    if (!has_all) refuse(rows);
    return inside;
  }

 private:
  [[noreturn]] void refuse(const PointRows& rows) const {
    for (int row = 0;; ++row)
      for (int i = 0; i < rows.points(0); ++i)
        if (const Point x = rows.point(i, row); std::isnan(level(x)))
          throw ConfigError(fmt::format("{}: its level has no value at ({:.6g}, {:.6g}, {:.6g})",
                                        name_, x[0], x[1], x[2]));
  }

  Expression formula_;
  ShapeExtent extent_;
  std::string name_;
};

// The centres of cells along an axis, of a periodic one also a period below and above.
std::vector<double> places_along(const Grid& grid, int d, bool periodic) {
  if (d >= grid.dim()) return {0.0};
  std::vector<double> places;
  for (const int period : {0, -1, 1})
    for (int i = 0; (period == 0 || periodic) && i < grid.cells(d); ++i)
      places.push_back(grid.axis(d).centre(i) + period * grid.axis(d).length());
  return places;
}

bool is_bounded_along(int d, const Expression& formula, const Grid& grid,
                      const std::array<bool, 3>& periodic) {
  const Axis& axis = grid.axis(d);
  std::array<std::vector<double>, 3> places;
  for (int e = 0; e < 3; ++e) places[e] = places_along(grid, e, periodic[e]);
  places[d] = {axis.lower() - axis.length(), axis.upper() + axis.length()};
  for (const double z : places[2])
    for (const double y : places[1])
      for (const double x : places[0])
        if (formula({x, y, z}, 0) < 0) return false;
  return true;
}

}  // namespace

std::unique_ptr<const LevelSet> level_set_of(const Expression& formula, const Grid& grid,
                                             const std::array<bool, 3>& periodic,
                                             const std::string& name) {
  constexpr double far = std::numeric_limits<double>::infinity();
  ShapeExtent extent{{-far, -far, -far}, {far, far, far}};
  for (int d = 0; d < grid.dim(); ++d) {
    if (!periodic[d] || !is_bounded_along(d, formula, grid, periodic)) continue;
    extent.lower[d] = grid.axis(d).lower() - grid.axis(d).length();
    extent.upper[d] = grid.axis(d).upper() + grid.axis(d).length();
  }
  return std::make_unique<FormulaLevel>(formula, extent, name);
}

}  // namespace hodge::sim
