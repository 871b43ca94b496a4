#include "sim/discrete/bodies/repeated_level.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace hodge::sim {
namespace {

// A body and its images in periodic axes.
class Repeated : public LevelSet {
 public:
  Repeated(std::unique_ptr<const LevelSet> body, std::vector<Point> shifts)
      : body_(std::move(body)), shifts_(std::move(shifts)) {}

  double level(const Point& x) const override {
    double least = body_->level(x);
    for (const Point& by : shifts_)
      least = std::min(least, body_->level({x[0] + by[0], x[1] + by[1], x[2] + by[2]}));
    return least;
  }
  ShapeExtent extent() const override { return body_->extent(); }
  bool is_distance() const override { return body_->is_distance(); }
  std::vector<std::uint8_t> inside(const PointRows& rows) const override {
    std::vector<std::uint8_t> inside = body_->inside(rows);
    for (const Point& by : shifts_)
      std::ranges::transform(inside, body_->inside(rows.shifted(by)), inside.begin(),
                             [](std::uint8_t a, std::uint8_t b) { return a | b; });
    return inside;
  }

 private:
  std::unique_ptr<const LevelSet> body_;
  std::vector<Point> shifts_;  // of points, back into the body
};

// By how many periods along d points of the box are moved into the body; {0} where no image of the
// body reaches the box.
std::vector<double> shifts_along(const Axis& axis, const ShapeExtent& extent, int d) {
  const double lower = extent.lower[d], upper = extent.upper[d], period = axis.length();
  if (std::isinf(lower) || std::isinf(upper)) return {0.0};
  std::vector<double> shifts{0.0};
  const auto reaches = [&](double by) {
    return lower < axis.upper() + by && upper > axis.lower() + by;
  };
  if (!reaches(0)) return shifts;  // a body outside of the box is refused later
  for (double by = period; reaches(by); by += period) shifts.push_back(by);
  for (double by = -period; reaches(by); by -= period) shifts.push_back(by);
  return shifts;
}

}  // namespace

std::unique_ptr<const LevelSet> repeated(std::unique_ptr<const LevelSet> body, const Grid& grid,
                                         const std::array<bool, 3>& periodic) {
  const ShapeExtent extent = body->extent();
  std::array<std::vector<double>, 3> along{{{0.0}, {0.0}, {0.0}}};
  for (int d = 0; d < grid.dim(); ++d)
    if (periodic[d]) along[d] = shifts_along(grid.axis(d), extent, d);
  std::vector<Point> shifts;
  for (const double z : along[2])
    for (const double y : along[1])
      for (const double x : along[0])
        if (x != 0 || y != 0 || z != 0) shifts.push_back({x, y, z});  // not the body itself
  if (shifts.empty()) return body;
  return std::make_unique<Repeated>(std::move(body), std::move(shifts));
}

}  // namespace hodge::sim
