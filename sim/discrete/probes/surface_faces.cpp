#include "sim/discrete/probes/surface_faces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "linalg/base/errors.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/discrete/probes/sharp_surface.hpp"
#include "sim/model/solid.hpp"

namespace hodge::sim {
namespace {

class Cells {
 public:
  Cells(const Grid& grid, const Problem& problem, std::span<const std::uint8_t> bodies)
      : grid_(grid), problem_(problem), bodies_(bodies) {}

  // The body in a cell, which may lie beyond a side; 0: none.
  int body(Index<3> c) const {
    if (bodies_.empty()) return 0;
    std::size_t cell = 0;
    for (int d = 2; d >= 0; --d) {
      const int n = grid_.cells(d);
      const bool periodic = d < grid_.dim() && problem_.boundaries.periodic(d);
      if (!periodic && (c[d] < 0 || c[d] >= n)) return 0;
      cell = cell * static_cast<std::size_t>(n) + static_cast<std::size_t>((c[d] + n) % n);
    }
    return bodies_[cell];
  }

 private:
  const Grid& grid_;
  const Problem& problem_;
  std::span<const std::uint8_t> bodies_;
};

std::array<int, 3> place_of(const Index<3>& c) {
  return {c[0], c[1], c[2]};
}

double edge_at(const Grid& grid, int d, int i) {
  return grid.edges(d)[static_cast<std::size_t>(i)];
}

// The patches of all sharp bodies, made once.
struct KnownPatches {
  std::optional<std::vector<SurfacePatch>> all{};

  const std::vector<SurfacePatch>& of(const Grid& grid, const Problem& problem) {
    if (!all)
      all = grid.dim() == 2 ? SharpSurface<2>(grid, problem).patches()
                            : SharpSurface<3>(grid, problem).patches();
    return *all;
  }
};

FacedSurface named_surface(const Grid& grid, const Problem& problem,
                           std::span<const std::uint8_t> bodies, const std::string& name,
                           KnownPatches& sharp) {
  const Cells cells(grid, problem, bodies);
  for (const auto [axis, side] : sides_of_box(grid.dim())) {
    if (side_name(axis, side) != name) continue;
    FacedSurface surface{.name = name, .faces = {}};
    for_each_on_host(cells_along_side(grid, axis, side),
                     [&, axis = axis, side = side](const Index<3>& c) {
                       if (cells.body(c) == 0) surface.faces.push_back({place_of(c), axis, side});
                     });
    return surface;
  }
  const std::vector<std::string> names = solid_names(problem.solids);
  const auto found = std::ranges::find(names, name);
  if (found == names.end())
    throw ConfigError(fmt::format("{} is neither a side of the box nor a body", quote(name)));
  const int body = static_cast<int>(found - names.begin()) + 1;
  FacedSurface surface{.name = name, .faces = {}};
  if (has_sharp_solids(problem.solids)) {
    surface.patches = sharp.of(grid, problem);
    std::erase_if(surface.patches, [body](const SurfacePatch& at) { return at.body != body; });
    return surface;
  }
  for_each_on_host(all_cells(grid), [&](const Index<3>& c) {
    if (cells.body(c) != 0) return;
    for (int d = 0; d < grid.dim(); ++d)
      for (int side = 0; side < 2; ++side)
        if (cells.body(c.shifted(d, side == 0 ? -1 : 1)) == body)
          surface.faces.push_back({place_of(c), d, side});
  });
  return surface;
}

}  // namespace

FacedSurface surface_of(const Grid& grid, const Problem& problem,
                        std::span<const std::uint8_t> bodies, const std::string& name) {
  return surfaces_of(grid, problem, bodies, {name}).front();
}

std::vector<FacedSurface> surfaces_of(const Grid& grid, const Problem& problem,
                                      std::span<const std::uint8_t> bodies,
                                      const std::vector<std::string>& names) {
  std::vector<FacedSurface> all;
  KnownPatches sharp;
  for (const std::string& name : names)
    all.push_back(named_surface(grid, problem, bodies, name, sharp));
  return all;
}

std::vector<SurfacePatch> patches_of(const Grid& grid, const FacedSurface& surface) {
  std::vector<SurfacePatch> patches = surface.patches;
  for (const GridFace& face : surface.faces) {
    SurfacePatch& patch = patches.emplace_back();
    patch.cell = patch.pressure_cell = face.cell;
    patch.middle = middle_of(grid, face);
    patch.normal[static_cast<std::size_t>(face.axis)] = face.side == 0 ? 1 : -1;
    patch.area = face_area(grid, face.axis, Index<3>{{face.cell[0], face.cell[1], face.cell[2]}});
    patch.corners = corners_of(grid, face);
  }
  return patches;
}

Point middle_of(const Grid& grid, const GridFace& face) {
  return point_in_side(grid, face.axis, face.side,
                       Index<3>{{face.cell[0], face.cell[1], face.cell[2]}});
}

std::vector<Point> corners_of(const Grid& grid, const GridFace& face) {
  const Point middle = middle_of(grid, face);
  std::vector<int> along;
  for (int e = 0; e < grid.dim(); ++e)
    if (e != face.axis) along.push_back(e);
  const auto corner = [&](std::array<int, 2> upper) {
    Point x = middle;
    for (std::size_t k = 0; k < along.size(); ++k)
      x[static_cast<std::size_t>(along[k])] =
          edge_at(grid, along[k], face.cell[static_cast<std::size_t>(along[k])] + upper[k]);
    return x;
  };
  if (along.size() == 1) return {corner({0, 0}), corner({1, 0})};
  return {corner({0, 0}), corner({1, 0}), corner({1, 1}), corner({0, 1})};
}

}  // namespace hodge::sim
