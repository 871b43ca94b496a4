#include "sim/discrete/bodies/surface_level.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sim/discrete/bodies/crossing.hpp"
#include "sim/discrete/bodies/shell_inside.hpp"
#include "sim/discrete/bodies/shells.hpp"
#include "sim/discrete/bodies/triangle_tree.hpp"

namespace hodge::sim {
namespace {

Shell all_triangles(const Surface& surface, const ShapeExtent& extent) {
  Shell all{{}, 0, extent.lower, extent.upper};
  for (std::size_t t = 0; t < surface.triangles.size(); ++t)
    all.triangles.push_back(static_cast<int>(t));
  return all;
}

class SurfaceLevel : public LevelSet {
 public:
  explicit SurfaceLevel(Surface surface)
      : surface_(std::move(surface)),
        tree_(surface_),
        inside_(surface_, all_triangles(surface_, tree_.extent()), on_surface(surface_)) {}

  double level(const Point& x) const override {
    const double distance = tree_.distance(x);
    return inside_.contains(x) ? std::min(-distance, least_inside) : distance;
  }
  ShapeExtent extent() const override { return tree_.extent(); }
  bool is_distance() const override { return true; }
  std::vector<std::uint8_t> inside(const PointRows& rows) const override {
    return points_inside(rows, surface_);
  }

 private:
  Surface surface_;  // which the others refer to
  TriangleTree tree_;
  ShellInside inside_;
};

}  // namespace

std::unique_ptr<const LevelSet> level_set_of(Surface surface) {
  return std::make_unique<SurfaceLevel>(std::move(surface));
}

}  // namespace hodge::sim
