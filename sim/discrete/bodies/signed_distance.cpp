#include "sim/discrete/bodies/signed_distance.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <list>
#include <optional>

#include "sim/discrete/bodies/level_set.hpp"
#include "sim/discrete/bodies/level_surface.hpp"
#include "sim/discrete/bodies/triangle_tree.hpp"

namespace hodge::sim {
namespace {

constexpr double no_distance = std::numeric_limits<double>::infinity();

// The surface of a body and its images in periodic axes.
class BodySurface {
 public:
  BodySurface(const LevelSet& body, const Grid& grid, const std::array<bool, 3>& periodic)
      : body_(body) {
    std::array<std::vector<double>, 3> along{{{0.0}, {0.0}, {0.0}}};
    for (int d = 0; d < grid.dim(); ++d)
      if (const auto k = static_cast<std::size_t>(d); periodic[k])
        along[k] = {0.0, grid.axis(d).length(), -grid.axis(d).length()};
    for (const double z : along[2])
      for (const double y : along[1])
        for (const double x : along[0]) shifts_.push_back({x, y, z});
    if (body.is_distance()) return;
    surface_ = surface_of(body, grid);
    tree_.emplace(surface_);
  }
  BodySurface(const BodySurface&) = delete;
  BodySurface& operator=(const BodySurface&) = delete;

  bool contains(const Point& x) const { return body_.level(x) < 0; }
  double distance(const Point& x) const {
    double least = no_distance;
    for (const Point& by : shifts_) {
      const Point image{x[0] + by[0], x[1] + by[1], x[2] + by[2]};
      least = std::min(least, tree_ ? tree_->distance(image) : std::abs(body_.level(image)));
    }
    return least;
  }

 private:
  const LevelSet& body_;
  std::vector<Point> shifts_;
  Surface surface_;  // to which the tree refers
  std::optional<TriangleTree> tree_;
};

double signed_distance(const std::list<BodySurface>& bodies, const Point& x) {
  double nearest = no_distance, depth = -1;
  for (const BodySurface& body : bodies) {
    const double distance = body.distance(x);
    if (body.contains(x)) depth = std::max(depth, distance);
    nearest = std::min(nearest, distance);
  }
  return depth < 0 ? nearest : -depth;
}

// visit(place in the list, cell of the box) of all cells of a range; 2D: of one layer.
template <class Visit>
void for_each_cell(const Grid& grid, const CellRange& cells, Visit visit) {
  const int layers = grid.dim() == 3 ? cells.upper[2] - cells.lower[2] : 1;
  const int first_layer = grid.dim() == 3 ? cells.lower[2] : 0;
  const int rows = cells.upper[1] - cells.lower[1], length = cells.upper[0] - cells.lower[0];
#pragma omp parallel for schedule(dynamic, 8)
  for (int row = 0; row < rows * layers; ++row)
    for (int i = 0; i < length; ++i)
      visit(static_cast<std::size_t>(row) * static_cast<std::size_t>(length) +
                static_cast<std::size_t>(i),
            std::array{cells.lower[0] + i, cells.lower[1] + row % rows, first_layer + row / rows});
}

std::size_t count_of(const Grid& grid, const CellRange& cells) {
  std::size_t count = 1;
  for (std::size_t d = 0; d < static_cast<std::size_t>(grid.dim()); ++d)
    count *= static_cast<std::size_t>(std::max(0, cells.upper[d] - cells.lower[d]));
  return count;
}

}  // namespace

std::vector<double> signed_distances(const Grid& grid, const std::vector<Solid>& solids,
                                     const std::array<bool, 3>& periodic, const CellRange& cells) {
  const LevelSets sets = level_sets(grid, solids, periodic);
  std::list<BodySurface> bodies;
  for (const auto& set : sets) bodies.emplace_back(*set, grid, periodic);
  std::vector<double> distances(count_of(grid, cells));
  for_each_cell(grid, cells, [&](std::size_t place, const std::array<int, 3>& cell) {
    Point x{};
    for (int d = 0; d < grid.dim(); ++d)
      x[static_cast<std::size_t>(d)] = grid.axis(d).centre(cell[static_cast<std::size_t>(d)]);
    distances[place] = signed_distance(bodies, x);
  });
  return distances;
}

std::vector<double> open_fractions(const Grid& grid, const std::vector<std::uint8_t>& bodies,
                                   const std::vector<CutCell>& cut, const CellRange& cells) {
  std::vector<double> open(count_of(grid, cells), 1.0);
  if (bodies.empty()) return open;
  const auto nx = static_cast<std::size_t>(grid.cells(0)),
             ny = static_cast<std::size_t>(grid.cells(1));
  for_each_cell(grid, cells, [&](std::size_t place, const std::array<int, 3>& c) {
    const std::size_t cell =
        static_cast<std::size_t>(c[0]) +
        nx * (static_cast<std::size_t>(c[1]) + ny * static_cast<std::size_t>(c[2]));
    const auto part = std::ranges::lower_bound(cut, cell, {}, &CutCell::cell);
    if (part != cut.end() && part->cell == cell)
      open[place] = 1 - part->solid;
    else
      open[place] = bodies[cell] == 0 ? 1 : 0;
  });
  return open;
}

}  // namespace hodge::sim
