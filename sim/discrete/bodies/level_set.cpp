#include "sim/discrete/bodies/level_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include "sim/base/key_error.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/bodies/solid_files.hpp"
#include "sim/discrete/bodies/surface_level.hpp"

namespace hodge::sim {

std::vector<std::uint8_t> LevelSet::inside(const PointRows& rows) const {
  std::vector<std::uint8_t> inside(rows.size());
#pragma omp parallel for schedule(static)
  for (int row = 0; row < rows.count(); ++row) {
    std::uint8_t* const first = inside.data() + rows.first(row);
    for (int i = 0; i < rows.points(0); ++i) first[i] = level(rows.point(i, row)) < 0;
  }
  return inside;
}

namespace {

constexpr double most_images = 16;  // periods that a body may reach over

using Pointer = std::unique_ptr<const LevelSet>;

template <class Shape>
class ShapeLevel : public LevelSet {
 public:
  ShapeLevel(const Shape& shape, int dim) : shape_(shape), dim_(dim) {}
  double level(const Point& x) const override { return sim::level(shape_, x, dim_); }
  Extent extent() const override { return sim::extent(shape_); }

 private:
  Shape shape_;
  int dim_;
};

// A body and its images in periodic axes.
class Repeated : public LevelSet {
 public:
  Repeated(Pointer body, std::vector<Point> shifts)
      : body_(std::move(body)), shifts_(std::move(shifts)) {}

  double level(const Point& x) const override {
    double least = body_->level(x);
    for (const Point& by : shifts_)
      least = std::min(least, body_->level({x[0] + by[0], x[1] + by[1], x[2] + by[2]}));
    return least;
  }
  Extent extent() const override { return body_->extent(); }
  std::vector<std::uint8_t> inside(const PointRows& rows) const override {
    std::vector<std::uint8_t> inside = body_->inside(rows);
    for (const Point& by : shifts_)
      std::ranges::transform(inside, body_->inside(rows.shifted(by)), inside.begin(),
                             [](std::uint8_t a, std::uint8_t b) { return a | b; });
    return inside;
  }

 private:
  Pointer body_;
  std::vector<Point> shifts_;  // of points, back into the body
};

// By how many periods along d points of the box are moved into the body; {0} where no image of the
// body reaches the box.
std::vector<double> shifts_along(const Axis& axis, const Extent& extent, int d,
                                 const std::string& name) {
  const double lower = extent.lower[d], upper = extent.upper[d], period = axis.length();
  if (std::isinf(lower) || std::isinf(upper)) return {0.0};
  if (upper - lower > most_images * period)
    throw ConfigError(
        fmt::format("{}: it goes from {:.6g} to {:.6g} along {}, which is {:.3g} periods; at most "
                    "{} are possible",
                    name, lower, upper, axis_names[d], (upper - lower) / period, most_images));
  std::vector<double> shifts{0.0};
  const auto reaches = [&](double by) {
    return lower < axis.upper() + by && upper > axis.lower() + by;
  };
  if (!reaches(0)) return shifts;  // a body outside of the box is refused later
  for (double by = period; reaches(by); by += period) shifts.push_back(by);
  for (double by = -period; reaches(by); by -= period) shifts.push_back(by);
  return shifts;
}

// The periodic axes along which a body may need images; a box across the whole period does not.
std::array<bool, 3> axes_of_images(const Solid& solid, const Grid& grid,
                                   std::array<bool, 3> periodic) {
  const auto* const box = std::get_if<BoxShape>(&solid.shape);
  for (int d = 0; box != nullptr && d < grid.dim(); ++d)
    if (box->lower[d] <= grid.axis(d).lower() && box->upper[d] >= grid.axis(d).upper())
      periodic[d] = false;
  return periodic;
}

Pointer with_images(Pointer body, const Grid& grid, const std::array<bool, 3>& periodic,
                    const std::string& name) {
  const Extent extent = body->extent();
  std::array<std::vector<double>, 3> along{{{0.0}, {0.0}, {0.0}}};
  for (int d = 0; d < grid.dim(); ++d)
    if (periodic[d]) along[d] = shifts_along(grid.axis(d), extent, d, name);
  std::vector<Point> shifts;
  for (const double z : along[2])
    for (const double y : along[1])
      for (const double x : along[0])
        if (x != 0 || y != 0 || z != 0) shifts.push_back({x, y, z});  // not the body itself
  if (shifts.empty()) return body;
  return std::make_unique<Repeated>(std::move(body), std::move(shifts));
}

template <class Shape>
Pointer level_set(const Shape& shape, int dim, const std::string& name) {
  check_shape(shape, dim, name);
  return std::make_unique<ShapeLevel<Shape>>(shape, dim);
}

Pointer level_set(const SurfaceShape& shape, int dim, const std::string& name) {
  if (dim != 3)
    throw ConfigError(fmt::format("{} is a surface; the grid must have 3 dimensions", name));
  return level_set_of(read_surface(shape.file, name).surface);
}

}  // namespace

LevelSets level_sets(const Grid& grid, const std::vector<Solid>& solids,
                     const std::array<bool, 3>& periodic) {
  const std::vector<std::string> names = solid_names(solids);
  LevelSets sets;
  for (std::size_t k = 0; k < solids.size(); ++k) {
    const std::string name = text_of_solid(names[k]);
    try {
      Pointer body = std::visit(
          [&](const auto& shape) { return level_set(shape, grid.dim(), name); }, solids[k].shape);
      sets.push_back(
          with_images(std::move(body), grid, axes_of_images(solids[k], grid, periodic), name));
    } catch (const ConfigError& error) {
      throw KeyError(key_of_solid(solids, k), error.what());
    }
  }
  return sets;
}

}  // namespace hodge::sim
