// Over 400 lines: the cells of a scalar, what merges with which, and the surfaces in them are asked
// for by one maker, in an order that each step needs the ones before for.
#include "sim/discrete/bodies/sharp_scalars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/key_error.hpp"
#include "sim/discrete/bodies/sharp_media.hpp"
#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

constexpr double least_theta = 1e-6;    // of the distance of two centres
constexpr double on_surface_by = 1e-9;  // of a width: centres so near to the surface are behind it
constexpr double least_fluid = 1e-9;    // of a cell
constexpr double least_area = 1e-9;     // of a face: less is rounding

bool gives_value(const Solid& solid, const std::string& scalar) {
  const SolidScalar* const of = scalar_of(solid, scalar);
  return of != nullptr && !of->heat && of->surface.traits().condition == Condition::value;
}

template <int Dim>
class SharpMediaMaker {
 public:
  SharpMediaMaker(const Grid& grid, const Layout<Dim>& layout, const Problem& problem,
                  const ScalarProblem& scalar, const BodyPoints<Dim>& flow)
      : layout_(layout),
        boundaries_(problem.boundaries),
        flow_(flow),
        diffusivity_(scalar.diffusivity),
        given_(grid, problem, [&](const Solid& of) { return gives_value(of, scalar.name); }),
        passed_(grid, problem,
                [&](const Solid& of) {
                  return !gives_value(of, scalar.name) && heat_in(of, scalar.name) == nullptr;
                }),
        own_{layout.in_whole(layout.interior().lower), layout.in_whole(layout.interior().upper)} {
    if (given_.any()) walls_.emplace(grid, boundaries_, given_.least(), own_);
    if (passed_.any()) cuts_.emplace(grid, boundaries_, passed_.least(), own_);
    if (has_media(scalar, problem.solids))
      media_.emplace(grid, problem, scalar, passed_.any() ? passed_.least() : LevelFunction{},
                     own_);
    made_.surfaces.resize(problem.solids.size());
    made_.walls.resize(problem.solids.size());
  }

  ScalarMedia<Dim> make() {
    made_.points.table = flow_.table;
    made_.points.entries = flow_.entries;
    made_.points.cuts_faces = true;
    const auto entry = view_of(layout_, made_.points.entries.data());
    for_each_on_host(layout_.padded(), [&](const Index<Dim>& local) {
      const Index<Dim> c = layout_.in_whole(local);
      if (!is_near(c)) return open_within(c, entry(local));
      made_.points.table.push_back(
          point_at(c, made_.points.table[static_cast<std::size_t>(entry(local))]));
      entry(local) = static_cast<int>(made_.points.table.size()) - 1;
    });
    Box<Dim> with_ghosts = layout_.interior();
    for (int d = 0; d < Dim; ++d) --with_ghosts.lower[d], ++with_ghosts.upper[d];
    if (walls_)
      for_each_on_host(with_ghosts, [&](const Index<Dim>& c) { add_surfaces(c, entry(c)); });
    for_each_on_host(layout_.interior(), [&](const Index<Dim>& c) {
      if (!is_near(layout_.in_whole(c))) return;
      add_beside(c);
      if (cuts_) add_wall(c, entry(c));
    });
    if (cuts_ || media_) add_coefficients();
    if (media_) add_media();
    return std::move(made_);
  }

 private:
  const CutGrid<Dim>& any_grid() const {
    return walls_ ? walls_->grid() : cuts_ ? cuts_->grid() : media_->grid();
  }
  bool is_near(const Index<Dim>& c) const {
    return (walls_ && walls_->grid().is_near(c)) || (cuts_ && cuts_->grid().is_near(c)) ||
           (media_ && media_->is_near(c));
  }
  // Far from all surfaces: a cell in a body that conducts the scalar has an unknown. Points that
  // are alike share an entry.
  void open_within(const Index<Dim>& c, int& entry) {
    if (!media_ || media_->medium_of(inner(c)) == 0) return;
    const auto [at, is_new] =
        within_.try_emplace(entry, static_cast<int>(made_.points.table.size()));
    if (is_new) {
      const BodyPoint<Dim> of_flow = made_.points.table[static_cast<std::size_t>(entry)];
      made_.points.table.push_back(point_at(c, of_flow));
    }
    entry = at->second;
  }
  // Beyond a side that does not repeat, the cell within.
  Index<Dim> inner(Index<Dim> c) const {
    for (int d = 0; d < Dim; ++d)
      if (!boundaries_.periodic(d)) c[d] = std::clamp(c[d], 0, layout_.whole(d) - 1);
    return c;
  }
  bool is_in_body_with_value(const Index<Dim>& at) const {
    if (!walls_) return false;
    const Index<Dim> c = inner(at);
    return walls_->grid().level(walls_->grid().middle(c)) <=
           on_surface_by * walls_->grid().width(0, c[0]);
  }
  bool is_open(const Index<Dim>& at) {
    if (!cuts_) return true;
    const Index<Dim> c = inner(at);
    bool open = cuts_->fluid(c) > 0;
    for (int d = 0; d < Dim && !open; ++d)
      open = cuts_->face(d, c).fraction > 0 || cuts_->face(d, c.shifted(d, 1)).fraction > 0;
    return open;
  }
  bool has_unknown(const Index<Dim>& c) { return !is_in_body_with_value(c) && is_open(c); }

  BodyPoint<Dim> point_at(const Index<Dim>& c, BodyPoint<Dim> point) {
    const bool unknown = has_unknown(c);
    point.excluded[at_cells + 1] = !unknown;
    point.fluid = unknown ? 1.0 : 0.0;  // its part is in the capacity
    point.body =
        unknown
            ? 0
            : (is_in_body_with_value(c) ? given_ : passed_).nearest(any_grid().middle(inner(c)));
    for (int d = 0; d < Dim; ++d) {
      for (AffineClosure& closure : point.beyond[at_cells + 1][d]) closure = {0.0, 1.0};
      point.excluded[d + 1] = !unknown || !has_unknown(c.shifted(d, -1));
      if (point.excluded[d + 1]) point.open[d] = 0.0;
      point.stiffness[d] = 0.0;
    }
    return point;
  }

  // Closures of values beyond, of cells beside bodies with a value.
  void add_surfaces(const Index<Dim>& local, int entry) {
    const Index<Dim> c = layout_.in_whole(local);
    if (!walls_->grid().is_near(c) || !is_in_box(c) || !has_unknown(c)) return;
    const CutGrid<Dim>& grid = walls_->grid();
    for (int e = 0; e < Dim; ++e)
      for (int side = 0; side < 2; ++side) {
        const Index<Dim> there = c.shifted(e, side == 0 ? -1 : 1);
        if (!is_in_body_with_value(there)) continue;
        const double spacing = std::abs(grid.centre(e, there[e]) - grid.centre(e, c[e]));
        Point x = grid.middle(c);
        double distance = grid.distance(x, e, side, spacing);
        if (distance < 0) distance = spacing;
        distance = std::max(distance, least_theta * spacing);
        x[e] += side == 0 ? -distance : distance;
        const double near =
            media_ ? media_->conductance_over(c, e, side, distance) : diffusivity_ / distance;
        SurfaceFace<Dim> face{local, {}, e, side, entry, near, conductivity_of(c) / spacing};
        face.at_point = true;
        const Point in_box = given_.in_box(x);
        for (int d = 0; d < Dim; ++d) face.place[d] = in_box[d];
        made_.surfaces[given_.nearest(x) - 1U].push_back(face);
      }
  }
  double conductivity_of(const Index<Dim>& c) {
    return media_ ? media_->conductivity(media_->medium_of(inner(c))) : diffusivity_;
  }
  bool is_in_box(const Index<Dim>& c) const {
    for (int d = 0; d < Dim; ++d)
      if (!boundaries_.periodic(d) && (c[d] < 0 || c[d] >= layout_.whole(d))) return false;
    return true;
  }

  void add_beside(const Index<Dim>& local) {
    const Index<Dim> c = layout_.in_whole(local);
    if (is_in_body_with_value(c)) return made_.behind.push_back(local);
    bool is_beside = false;
    for (int e = 0; e < Dim; ++e)
      is_beside = is_beside || is_in_body_with_value(c.shifted(e, -1)) ||
                  is_in_body_with_value(c.shifted(e, 1));
    if (is_beside && has_unknown(c)) made_.beside.push_back(local);
  }

  // The surface in a cell, of a body without a value.
  void add_wall(const Index<Dim>& local, int entry) {
    const Index<Dim> c = layout_.in_whole(local);
    if (!(cuts_->fluid(c) > 0) || !has_unknown(c)) return;  // whole where it lies in a face
    const WallPiece<Dim> piece = cuts_->piece(c, c);
    SharpWall<Dim> wall{local, {}, 0, 0};
    Point middle = cuts_->grid().middle(c);
    double volume = 1, width = 0;
    for (int d = 0; d < Dim; ++d) {
      wall.area += piece.area[d] * piece.area[d];
      middle[d] += piece.middle[d];
      volume *= cuts_->grid().width(d, c[d]);
      width = std::max(width, cuts_->grid().width(d, c[d]));
    }
    wall.area = std::sqrt(wall.area);
    if (!(wall.area > least_area * volume / width)) return;
    // Over the diffusivity of the fluid it is the resistance of the way.
    wall.distance = normal_at(c).distance * diffusivity_ / conductivity_of(c);
    const Point in_box = passed_.in_box(middle);
    for (int d = 0; d < Dim; ++d) wall.place[d] = in_box[d];
    const std::uint8_t body = passed_.nearest(middle);
    made_.points.table[static_cast<std::size_t>(entry)].body = body;
    made_.walls[body - 1U].push_back(wall);
  }
  // Of the surface at the centre of a cell, to first order: where the fluid is, and how far from it
  // the centre is, less than 0 in the body.
  struct Normal {
    Point direction{};
    double distance = 0;
  };
  Normal normal_at(const Index<Dim>& c) const {
    const CutGrid<Dim>& grid = cuts_->grid();
    const Point x = grid.middle(c);
    Normal normal;
    double squares = 0;
    for (int d = 0; d < Dim; ++d) {
      const double step = 1e-3 * grid.width(d, c[d]);
      Point above = x, below = x;
      above[d] += step;
      below[d] -= step;
      normal.direction[d] = (grid.level(above) - grid.level(below)) / (2 * step);
      squares += normal.direction[d] * normal.direction[d];
    }
    if (!(squares > 0)) return normal;
    for (double& part : normal.direction) part /= std::sqrt(squares);
    normal.distance = grid.level(x) / std::sqrt(squares);
    return normal;
  }

  void add_coefficients() {
    made_.capacity.assign(layout_.size(), 1.0);
    const auto capacity = view_of(layout_, made_.capacity.data());
    for_each_on_host(layout_.padded(), [&](const Index<Dim>& local) {
      const Index<Dim> c = layout_.in_whole(local);
      if (has_unknown(c)) capacity(local) = capacity_of(inner(c));
    });
    for (int e = 0; e < Dim; ++e) {
      made_.faces[e].assign(layout_.size(), 1.0);
      const auto open = view_of(layout_, made_.faces[e].data());
      Box<Dim> faces = layout_.padded();
      ++faces.lower[e];
      for_each_on_host(faces, [&](const Index<Dim>& local) {
        open(local) = coefficient(e, layout_.in_whole(local));
      });
    }
  }
  double capacity_of(const Index<Dim>& c) {
    if (!media_) return cuts_->grid().is_near(c) ? std::max(cuts_->fluid(c), least_fluid) : 1.0;
    if (!is_near(c)) return media_->capacity(media_->medium_of(c));
    double sum = 0;
    const std::vector<double>& parts = media_->parts_of_cell(c);
    for (int m = 0; m < media_->count(); ++m)
      sum += parts[static_cast<std::size_t>(m)] * media_->capacity(m);
    return std::max(sum, least_fluid);
  }
  // Of the face below c along e: what is open, times r = K delta / D where media conduct.
  double coefficient(int e, const Index<Dim>& c) {
    const Index<Dim> below = c.shifted(e, -1);
    if (!media_) return cuts_->grid().is_near(c) ? cuts_->face(e, c).fraction : 1.0;
    const bool is_far = !is_near(c) && !is_near(below);
    if (is_far) return conductivity_of(c) / diffusivity_;
    // In a side all that conducts does so by itself: heat goes straight there.
    double open = 0, conducts = 0;
    const std::vector<double> parts = media_->parts_of_face(e, c);
    for (int m = 0; m < media_->count(); ++m) {
      open += parts[static_cast<std::size_t>(m)];
      conducts += parts[static_cast<std::size_t>(m)] * media_->conductivity(m);
    }
    if (is_in_side(e, c)) return conducts / diffusivity_;
    if (!has_unknown(below)) return open * conductivity_of(c) / diffusivity_;
    if (!has_unknown(c)) return open * conductivity_of(below) / diffusivity_;
    const double spacing = any_grid().centre(e, c[e]) - any_grid().centre(e, below[e]);
    return open * spacing * media_->conductance_to_next(below, e, 1) / diffusivity_;
  }
  bool is_in_side(int e, const Index<Dim>& c) const {
    return !boundaries_.periodic(e) && (c[e] <= 0 || c[e] >= layout_.whole(e));
  }

  // Beyond coefficients: what conducts along surfaces, and what each body and the fluid have of
  // cells.
  void add_media() {
    made_.conducts = true;
    made_.owners.assign(layout_.size(), 0);
    made_.fluid_share.assign(layout_.size(), 0.0);
    made_.parts.resize(made_.surfaces.size());
    made_.beyond_owner.resize(made_.surfaces.size());
    const auto owner = view_of(layout_, made_.owners.data());
    const auto fluid = view_of(layout_, made_.fluid_share.data());
    const auto capacity = view_of(layout_, std::as_const(made_.capacity).data());
    for_each_on_host(layout_.padded(), [&](const Index<Dim>& local) {
      const Index<Dim> c = inner(layout_.in_whole(local));
      if (!has_unknown(c)) return;
      const int m = media_->medium_of(c);
      owner(local) = media_->body_of(m, any_grid().middle(c));
      fluid(local) = part_of(0, c) / capacity(local);
    });
    for_each_on_host(layout_.interior(), [&](const Index<Dim>& local) {
      const Index<Dim> c = layout_.in_whole(local);
      if (has_unknown(c)) add_parts(local, owner(local), capacity(local));
    });
    if (cuts_) add_coefficients_in_sides();
    add_along_surfaces();
  }
  double part_of(int m, const Index<Dim>& c) {
    if (is_near(c)) return media_->parts_of_cell(c)[static_cast<std::size_t>(m)];
    return media_->medium_of(c) == m ? 1.0 : 0.0;
  }
  void add_parts(const Index<Dim>& local, int owner, double capacity) {
    const Index<Dim> c = layout_.in_whole(local);
    const Point middle = any_grid().middle(c);
    double cell = 1, others = 0;
    for (int d = 0; d < Dim; ++d) cell *= any_grid().width(d, c[d]);
    for (int m = 0; m < media_->count(); ++m) {
      const double part = part_of(m, c), stores = part * media_->capacity(m);
      const int body = media_->body_of(m, middle);
      if (body != owner) others += stores;
      if (m == 0 || !(part > 0)) continue;
      const auto k = static_cast<std::size_t>(body - 1);
      made_.parts[k].push_back({local, part / capacity});
      if (body != owner) made_.beyond_owner[k].push_back({local, cell * part, 0, -cell * stores});
    }
    if (owner > 0 && others > 0)
      made_.beyond_owner[static_cast<std::size_t>(owner - 1)].push_back(
          {local, 0, -cell * part_of(0, c), cell * others});
  }
  // What is open of a face in a side is no part of what a condition there sees.
  void add_coefficients_in_sides() {
    for (int e = 0; e < Dim; ++e) {
      made_.in_sides[e] = made_.faces[e];
      const auto r = view_of(layout_, made_.in_sides[e].data());
      Box<Dim> faces = layout_.padded();
      ++faces.lower[e];
      for_each_on_host(faces, [&](const Index<Dim>& local) {
        const Index<Dim> c = layout_.in_whole(local);
        if (!is_near(c)) return;
        double open = 0;
        for (const double part : media_->parts_of_face(e, c)) open += part;
        r(local) = open > 0 ? r(local) / open : 1.0;
      });
    }
  }
  void add_along_surfaces() {
    const auto has_value = [&](const Index<Dim>& c) { return is_in_box(c) && has_unknown(c); };
    FluxesAlongSurfaces<Dim>& along = made_.along;
    std::map<std::vector<int>, std::size_t> numbers;  // of cells
    for (int e = 0; e < Dim; ++e) {
      Box<Dim> faces = layout_.interior();
      ++faces.upper[e];
      for_each_on_host(faces, [&](const Index<Dim>& face) {
        const Index<Dim> c = layout_.in_whole(face);
        const Taps taps = media_->along_surface(e, c, has_value);
        if (taps.empty()) return;
        double area = 1;
        for (int d = 0; d < Dim; ++d)
          if (d != e) area *= any_grid().width(d, c[d]);
        const int number = static_cast<int>(along.faces.size());
        const int first = static_cast<int>(along.taps.size());
        for (const WeighedCell<Dim>& tap : taps)
          along.taps.push_back({local(tap.c), area * tap.weight});
        along.faces.push_back({face, e, first, static_cast<int>(along.taps.size())});
        for (int side = 0; side < 2; ++side) {
          const Index<Dim> cell = face.shifted(e, side == 0 ? 0 : -1);
          if (!layout_.interior().contains(cell)) continue;
          const auto [at, is_new] = numbers.try_emplace(key_of(cell), along.cells.size());
          if (is_new) along.cells.push_back(CellAlongSurface<Dim>(cell));
          along.cells[at->second].face[e][side] = number;
        }
      });
    }
  }
  static std::vector<int> key_of(const Index<Dim>& c) {
    std::vector<int> numbers;
    for (int d = Dim - 1; d >= 0; --d) numbers.push_back(c[d]);
    return numbers;
  }

  using Taps = std::vector<WeighedCell<Dim>>;
  Index<Dim> local(Index<Dim> c) const {
    for (int d = 0; d < Dim; ++d) c[d] -= layout_.before[d];
    return c;
  }
  Layout<Dim> layout_;
  const Boundaries& boundaries_;
  const BodyPoints<Dim>& flow_;
  double diffusivity_;
  BodyLevels given_, passed_;  // bodies with a value; all others
  Box<Dim> own_;
  std::optional<CutFaces<Dim>> walls_, cuts_;
  std::optional<SharpMedia<Dim>> media_;
  std::map<int, int> within_;  // entries of bodies that conduct, by those of the flow
  ScalarMedia<Dim> made_;
};

}  // namespace

double largest_convective_coefficient(double diffusivity, const Grid& grid) {
  double squares = 0;
  for (int d = 0; d < grid.dim(); ++d)
    squares += std::pow(*std::ranges::max_element(grid.axis(d).widths), 2);
  return (1 - least_convective_share) * diffusivity / (0.5 * std::sqrt(squares));
}

template <int Dim>
ScalarMedia<Dim> sharp_scalar_media(const Grid& grid, const Layout<Dim>& layout,
                                    const Problem& problem, const ScalarProblem& scalar,
                                    const BodyPoints<Dim>& flow) {
  return SharpMediaMaker<Dim>(grid, layout, problem, scalar, flow).make();
}

template ScalarMedia<2> sharp_scalar_media(const Grid&, const Layout<2>&, const Problem&,
                                           const ScalarProblem&, const BodyPoints<2>&);
template ScalarMedia<3> sharp_scalar_media(const Grid&, const Layout<3>&, const Problem&,
                                           const ScalarProblem&, const BodyPoints<3>&);

}  // namespace hodge::sim
