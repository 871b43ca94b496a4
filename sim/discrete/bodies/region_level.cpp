#include "sim/discrete/bodies/region_level.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "sim/base/key_error.hpp"
#include "sim/discrete/bodies/formula_level.hpp"
#include "sim/discrete/bodies/repeated_level.hpp"
#include "sim/discrete/bodies/solid_files.hpp"
#include "sim/discrete/bodies/surface_level.hpp"
#include "sim/discrete/bodies/turning.hpp"

namespace hodge::sim {
namespace {

using LevelPointer = std::unique_ptr<const LevelSet>;

constexpr double endless = std::numeric_limits<double>::infinity();

double inside_out(double level) {
  return level < 0 ? -level : std::min(-level, least_inside);
}

template <class Shape>
class ShapeLevel : public LevelSet {
 public:
  ShapeLevel(const Shape& shape, int dim) : shape_(shape), dim_(dim) {}
  double level(const Point& x) const override { return sim::level(shape_, x, dim_); }
  ShapeExtent extent() const override { return sim::extent(shape_); }
  bool is_distance() const override {
    return !std::is_same_v<Shape, EllipseShape> && !std::is_same_v<Shape, EllipsoidShape>;
  }

 private:
  Shape shape_;
  int dim_;
};

class TurnedLevel : public LevelSet {
 public:
  TurnedLevel(LevelPointer shape, const Rotation& rotation)
      : shape_(std::move(shape)), rotation_(rotation) {}
  double level(const Point& x) const override { return shape_->level(rotation_.back(x)); }
  ShapeExtent extent() const override { return rotation_.turned(shape_->extent()); }
  bool is_distance() const override { return shape_->is_distance(); }

 private:
  LevelPointer shape_;
  Rotation rotation_;
};

class InsideOut : public LevelSet {
 public:
  explicit InsideOut(LevelPointer shape) : shape_(std::move(shape)) {}
  double level(const Point& x) const override { return inside_out(shape_->level(x)); }
  ShapeExtent extent() const override {
    return {{-endless, -endless, -endless}, {endless, endless, endless}};
  }
  bool is_distance() const override { return shape_->is_distance(); }
  std::vector<std::uint8_t> inside(const PointRows& rows) const override {
    std::vector<std::uint8_t> inside = shape_->inside(rows);
    for (std::uint8_t& is : inside) is ^= 1;
    return inside;
  }

 private:
  LevelPointer shape_;
};

class UnionLevel : public LevelSet {
 public:
  explicit UnionLevel(LevelSets parts) : parts_(std::move(parts)) {}
  double level(const Point& x) const override {
    double least = endless;
    for (const LevelPointer& part : parts_) least = std::min(least, part->level(x));
    return least;
  }
  ShapeExtent extent() const override {
    ShapeExtent around = parts_.front()->extent();
    for (const LevelPointer& part : parts_)
      for (int d = 0; d < 3; ++d) {
        around.lower[d] = std::min(around.lower[d], part->extent().lower[d]);
        around.upper[d] = std::max(around.upper[d], part->extent().upper[d]);
      }
    return around;
  }
  std::vector<std::uint8_t> inside(const PointRows& rows) const override {
    std::vector<std::uint8_t> inside(rows.size(), 0);
    for (const LevelPointer& part : parts_)
      std::ranges::transform(inside, part->inside(rows), inside.begin(),
                             [](std::uint8_t a, std::uint8_t b) { return a | b; });
    return inside;
  }

 private:
  LevelSets parts_;
};

class DifferenceLevel : public LevelSet {
 public:
  DifferenceLevel(LevelPointer whole, LevelPointer taken)
      : whole_(std::move(whole)), taken_(std::move(taken)) {}
  double level(const Point& x) const override {
    return std::max(whole_->level(x), inside_out(taken_->level(x)));
  }
  ShapeExtent extent() const override { return whole_->extent(); }
  std::vector<std::uint8_t> inside(const PointRows& rows) const override {
    std::vector<std::uint8_t> inside = whole_->inside(rows);
    std::ranges::transform(inside, taken_->inside(rows), inside.begin(),
                           [](std::uint8_t a, std::uint8_t b) { return a & (b ^ 1); });
    return inside;
  }

 private:
  LevelPointer whole_, taken_;
};

// The middle of what turns: the centre of a shape that has one.
template <class Shape>
Point middle_of(const Shape& shape, const LevelSet& level) {
  if constexpr (requires { shape.centre; }) return shape.centre;
  Point middle{};
  const ShapeExtent extent = level.extent();
  for (int d = 0; d < 3; ++d)
    if (std::isfinite(extent.lower[d]) && std::isfinite(extent.upper[d]))
      middle[d] = 0.5 * (extent.lower[d] + extent.upper[d]);
  return middle;
}

class Maker {
 public:
  Maker(const Grid& grid, std::string name) : grid_(grid), name_(std::move(name)) {}

  LevelPointer level_set(const Region& region, std::array<bool, 3> periodic,
                         const std::string& key) const {
    try {
      const Turning& turned = region.turned;
      const std::array<bool, 3> of_shape = turned.turns() ? std::array<bool, 3>{} : periodic;
      LevelPointer level =
          std::visit([&](const auto& shape) { return of(shape, of_shape, key); }, region.shape);
      if (turned.turns()) {
        const Point middle =
            std::visit([&](const auto& shape) { return middle_of(shape, *level); }, region.shape);
        const Rotation rotation(turned, middle, grid_.dim(), name_);
        level = std::make_unique<TurnedLevel>(std::move(level), rotation);
      }
      if (turned.turns() || !is_combined(region))
        level = with_images(std::move(level), region, periodic);
      if (region.inside_out) level = std::make_unique<InsideOut>(std::move(level));
      return level;
    } catch (const KeyError&) {
      throw;  // of a part
    } catch (const ConfigError& error) {
      throw KeyError(key_of_shape(region, key), error.what());
    }
  }

 private:
  using Axes = std::array<bool, 3>;

  static bool is_combined(const Region& region) {
    return std::holds_alternative<UnionShape>(region.shape) ||
           std::holds_alternative<DifferenceShape>(region.shape);
  }

  // A body as long as the period would overlap itself: it is taken as it stands. The extent of a
  // formula is no more than a bound.
  Axes axes_of_images(const Region& region, const LevelSet& level, Axes periodic) const {
    if (std::holds_alternative<LevelShape>(region.shape)) return periodic;
    const ShapeExtent extent = level.extent();
    for (int d = 0; d < grid_.dim(); ++d)
      if (!(extent.upper[d] - extent.lower[d] < grid_.axis(d).length())) periodic[d] = false;
    return periodic;
  }

  LevelPointer with_images(LevelPointer level, const Region& region, const Axes& periodic) const {
    const Axes along = axes_of_images(region, *level, periodic);
    return repeated(std::move(level), grid_, along);
  }

  template <class Shape>
  LevelPointer of(const Shape& shape, const Axes&, const std::string&) const {
    check_shape(shape, grid_.dim(), name_);
    return std::make_unique<ShapeLevel<Shape>>(shape, grid_.dim());
  }
  LevelPointer of(const SurfaceShape& shape, const Axes&, const std::string&) const {
    if (grid_.dim() != 3)
      throw ConfigError(fmt::format("{} is a surface; the grid must have 3 dimensions", name_));
    return level_set_of(read_surface(shape, name_).surface);
  }
  LevelPointer of(const LevelShape& shape, const Axes& periodic, const std::string&) const {
    return level_set_of(shape.level, grid_, periodic, name_);
  }
  LevelPointer of(const UnionShape& shape, const Axes& periodic, const std::string& key) const {
    return std::make_unique<UnionLevel>(parts(shape.parts, periodic, key + ".union", 1));
  }
  LevelPointer of(const DifferenceShape& shape, const Axes& periodic,
                  const std::string& key) const {
    LevelSets all = parts(shape.parts, periodic, key + ".difference", 2);
    LevelPointer whole = std::move(all.front());
    all.erase(all.begin());
    return std::make_unique<DifferenceLevel>(std::move(whole),
                                             std::make_unique<UnionLevel>(std::move(all)));
  }
  LevelSets parts(const std::vector<Region>& regions, const Axes& periodic, const std::string& key,
                  std::size_t fewest) const {
    if (regions.size() < fewest)
      throw KeyError(key, fmt::format("{}: {} of {} parts; at least {} are needed", name_,
                                      key.substr(key.rfind('.') + 1), regions.size(), fewest));
    LevelSets sets;
    for (std::size_t k = 0; k < regions.size(); ++k)
      sets.push_back(level_set(regions[k], periodic, fmt::format("{}[{}]", key, k)));
    return sets;
  }

  const Grid& grid_;
  std::string name_;
};

}  // namespace

std::unique_ptr<const LevelSet> level_set_of(const Region& region, const Grid& grid,
                                             const std::array<bool, 3>& periodic,
                                             const RegionName& name) {
  return Maker(grid, name.text).level_set(region, periodic, name.key);
}

std::string key_of_shape(const Region& region, const std::string& key) {
  return key + (std::holds_alternative<SurfaceShape>(region.shape) ? ".surface.file" : "");
}

void for_each_surface(
    const Region& region, const std::string& key,
    const std::function<void(const SurfaceShape& surface, const std::string& key)>& visit) {
  if (const auto* const surface = std::get_if<SurfaceShape>(&region.shape))
    return visit(*surface, key_of_shape(region, key));
  const auto visit_parts = [&](const std::vector<Region>& parts, const char* what) {
    for (std::size_t k = 0; k < parts.size(); ++k)
      for_each_surface(parts[k], fmt::format("{}.{}[{}]", key, what, k), visit);
  };
  if (const auto* const joined = std::get_if<UnionShape>(&region.shape))
    visit_parts(joined->parts, "union");
  if (const auto* const left = std::get_if<DifferenceShape>(&region.shape))
    visit_parts(left->parts, "difference");
}

}  // namespace hodge::sim
