#include "sim/discrete/bodies/sharp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "sim/base/key_error.hpp"
#include "sim/discrete/bodies/body_levels.hpp"
#include "sim/discrete/bodies/cut_faces.hpp"
#include "sim/discrete/fields/layers.hpp"
#include "sim/discrete/grid/metrics.hpp"
#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

std::string place_text_of(const Point& x, int dim) {
  return fmt::format("({:.6g}, {:.6g}{})", x[0], x[1],
                     dim == 3 ? fmt::format(", {:.6g}", x[2]) : "");
}

// What enters a cell must find a way out of it.
template <int Dim>
void check_inflow(CutFaces<Dim>& faces, const Boundaries& boundaries, const Index<Dim>& c) {
  if (faces.has_pressure(c)) return;
  for (const auto [axis, side] : sides_of_box(Dim)) {
    const Index<Dim> face = c.shifted(axis, side);
    const OpenPart part = faces.face(axis, face);
    if (!boundaries.sides[axis][side].traits().is_inflow() || !faces.is_inflow(axis, face) ||
        part.fraction < least_open<Dim>)
      continue;
    throw KeyError("solids",
                   fmt::format("a sharp solid is less than a cell behind {} at {}, where fluid "
                               "enters or leaves; let it reach the side there, keep it away from "
                               "it, or take treatment: staircase",
                               side_name(axis, side), place_text_of(part.centroid, Dim)));
  }
}

[[noreturn]] void refuse_thin(const char* what, int dim, const Point& x) {
  throw KeyError("solids", fmt::format("{} thinner than a cell at {}; take smaller cells there, or "
                                       "treatment: staircase",
                                       what, place_text_of(x, dim)));
}

// Nodes must see bodies and gaps: where an edge has another phase in its middle than at its ends,
// as above a bump of a body, it is that of one of the cells around.
template <int Dim>
void check_edge(const CutGrid<Dim>& grid, const Index<Dim>& c, int axis) {
  Point from{};
  for (int d = 0; d < Dim; ++d) from[d] = grid.edge(d, c[d]);
  Point to = from, middle = from;
  to[axis] = grid.edge(axis, c[axis] + 1);
  middle[axis] = grid.centre(axis, c[axis]);
  const bool is_solid = grid.level(middle) <= 0;
  if ((grid.level(from) <= 0) == is_solid || (grid.level(to) <= 0) == is_solid) return;
  for (int k = 0; k < 1 << (Dim - 1); ++k) {
    Point x = middle;
    for (int d = 0, bit = 0; d < Dim; ++d)
      if (d != axis) x[d] = grid.centre(d, c[d] - ((k >> bit++) & 1));
    if ((grid.level(x) <= 0) == is_solid) return;
  }
  refuse_thin(is_solid ? "a sharp solid is" : "a gap beside sharp solids is", Dim, middle);
}

// Sharp bodies do not hide between nodes of the grid, and leave a way to what enters.
template <int Dim>
void check_cell(CutFaces<Dim>& faces, const Boundaries& boundaries, const Index<Dim>& c) {
  check_inflow(faces, boundaries, c);
  for (int d = 0; d < Dim; ++d) check_edge(faces.grid(), c, d);
  const Point x = faces.grid().middle(c);
  const double fluid = faces.fluid(c), level = faces.grid().level(x);
  if (fluid == 1 && level <= 0) refuse_thin("a sharp solid is", Dim, x);
  if (fluid == 0 && level > 0) refuse_thin("a gap beside sharp solids is", Dim, x);
}

// `bodies`: in which the centre of each cell is.
template <int Dim>
SharpCells cells_of(const Grid& grid, const Problem& problem,
                    const std::vector<std::uint8_t>& bodies) {
  const Box<Dim> box = layout_of<Dim>(grid).interior();
  const BodyLevels levels(grid, problem);
  CutFaces<Dim> faces(grid, problem.boundaries, levels.least(), box);
  SharpCells result;
  result.bodies.reserve(bodies.size());
  for_each_on_host(box, [&](const Index<Dim>& c) {
    const std::size_t cell = result.bodies.size();
    double volume = 1;
    for (int d = 0; d < Dim; ++d) volume *= faces.grid().width(d, c[d]);
    const Point x = faces.grid().middle(c);
    if (!faces.grid().is_near(c)) {
      const bool is_solid = bodies[cell] != 0;
      if (is_solid == faces.grid().is_full(0, c))
        refuse_thin(is_solid ? "a sharp solid is" : "a gap beside sharp solids is", Dim, x);
      if (!is_solid) result.volume += volume;
      return result.bodies.push_back(bodies[cell]);
    }
    check_cell(faces, problem.boundaries, c);
    const bool has_pressure = faces.has_pressure(c);
    const double fluid = faces.fluid(c);
    const bool is_cut = fluid > 0 && fluid < 1;
    const std::uint8_t body = is_cut || !has_pressure ? levels.nearest(x) : 0;
    if (is_cut) result.cut.push_back({cell, body, 1 - fluid});
    result.bodies.push_back(has_pressure ? 0 : body);
    if (has_pressure) result.volume += fluid * volume;
  });
  return result;
}

template <int Dim>
class SharpMaker {
 public:
  SharpMaker(const Layout<Dim>& layout, const Grid& grid, const Problem& problem,
             const std::vector<std::uint8_t>& cells)
      : layout_(layout),
        boundaries_(problem.boundaries),
        levels_(grid, problem),
        cells_(cells),
        own_{layout.in_whole(layout.interior().lower), layout.in_whole(layout.interior().upper)},
        faces_(grid, boundaries_, levels_.least(), own_) {}

  SharpBodies<Dim> make() {
    SharpBodies<Dim> result;
    fill_points(result.points);
    for (int d = 0; d < Dim; ++d) fill_faces(d, result.lists, result.points);
    fill_pieces(result.lists, result.points);
    for (const auto [axis, side] : sides_of_box(Dim))
      if (boundaries_.sides[axis][side].traits().is_inflow())
        for (int d = 0; d < Dim; ++d)
          fill_places(d, axis, side, result.points.places.of[d][axis][side]);
    return result;
  }

 private:
  int body_at(Index<Dim> c) const {
    const Box<Dim> whole = layout_.whole_box();
    for (int d = 0; d < Dim; ++d) c[d] = inner_cell(c[d], whole.upper[d], boundaries_.periodic(d));
    return cells_[static_cast<std::size_t>(whole.position(c))];
  }
  BodyPoint<Dim> plain(int body) const {
    BodyPoint<Dim> point{};
    point.fluid = body == 0 ? 1.0 : 0.0;
    point.body = body;
    for (int d = 0; d < Dim; ++d) {
      point.open[d] = point.fluid;
      point.stiffness[d] = 0.0;
      point.row[d] = -1;
    }
    point.piece = -1;
    for (int location = 0; location <= Dim; ++location) {
      point.excluded[location] = body != 0;
      for (int e = 0; e < Dim; ++e)
        for (AffineClosure& closure : point.beyond[location][e])
          closure.slope = location == 0 ? 1.0 : -1.0;
    }
    return point;
  }
  BodyPoint<Dim> point_at(const Index<Dim>& c) {
    BodyPoint<Dim> point = plain(body_at(c));
    point.fluid = faces_.fluid(c);
    point.excluded[at_cells + 1] = !faces_.has_pressure(c);
    for (int d = 0; d < Dim; ++d) {
      point.open[d] = faces_.face(d, c).fraction;
      point.excluded[d + 1] = !faces_.has_unknown(d, c);
      if (is_read(d, c)) point.stiffness[d] = faces_.stiffness(d, c);
    }
    return point;
  }
  // Whether the pressure of an own cell moves the velocity of a face.
  bool is_read(int d, const Index<Dim>& c) const {
    bool near = !faces_.is_given(d, c);
    for (int e = 0; e < Dim; ++e)
      near = near && c[e] >= own_.lower[e] && c[e] < own_.upper[e] + (e == d ? 1 : 0);
    return near;
  }
  bool is_plain(const Index<Dim>& c, int body) {
    if (!faces_.grid().is_near(c)) return true;
    const double fraction = body == 0 ? 1.0 : 0.0;
    bool plain = faces_.fluid(c) == fraction;
    for (int d = 0; d < Dim; ++d) {
      plain = plain && faces_.face(d, c).fraction == fraction;
      if (body == 0 && is_read(d, c)) plain = plain && faces_.is_regular(d, c);
    }
    return plain;
  }
  void fill_points(BodyPoints<Dim>& points) {
    points.entries.resize(layout_.size());
    points.cuts_faces = true;
    std::map<int, int> entry_of;  // of a body, or 0
    const auto view = view_of(layout_, points.entries.data());
    for_each_on_host(layout_.padded(), [&](const Index<Dim>& local) {
      const Index<Dim> c = layout_.in_whole(local);
      const int body = body_at(c);
      int entry = static_cast<int>(points.table.size());
      if (is_plain(c, body)) {
        const auto [known, is_new] = entry_of.try_emplace(body, entry);
        entry = known->second;
        if (is_new) points.table.push_back(plain(body));
      } else {
        points.table.push_back(point_at(c));
      }
      view(local) = entry;
    });
  }
  Index<Dim> local(Index<Dim> c) const {
    for (int d = 0; d < Dim; ++d) c[d] -= layout_.before[d];
    return c;
  }
  void fill_faces(int d, SharpLists<Dim>& lists, BodyPoints<Dim>& points) {
    Box<Dim> box = own_;
    if (box.upper[d] == layout_.whole(d) && !boundaries_.periodic(d)) ++box.upper[d];
    for_each_on_host(box, [&](const Index<Dim>& c) {
      if (!faces_.grid().is_near(c) || faces_.is_given(d, c)) return;
      if (faces_.has_unknown(d, c)) {
        if (faces_.is_regular(d, c)) return;
        entry_at(points, c).row[d] = static_cast<int>(lists.faces[d].size());
        lists.faces[d].push_back(faces_.row(d, c));
        lists.faces[d].back().c = local(c);
        lists.faces[d].back().body = levels_.nearest(faces_.face(d, c).centroid);
      } else if (faces_.is_slaved(d, c)) {
        const int first = static_cast<int>(lists.taps.size());
        for (const SlavedTap<Dim>& tap : faces_.slave(d, c))
          lists.taps.push_back({tap.d, local(tap.c), tap.weight});
        lists.slaved.push_back({d, local(c), first, static_cast<int>(lists.taps.size())});
      }
    });
  }

  // Of the values of component d beside a side, where this part reaches it.
  void fill_places(int d, int axis, int side, std::vector<double>& places) {
    const int n = layout_.whole(axis);
    const bool reaches = side == 0 ? own_.lower[axis] == 0 : own_.upper[axis] == n;
    if (!reaches) return;
    const Box<Dim> points = layer(layout_, axis);
    bool any = false;
    places.assign(static_cast<std::size_t>(Dim * points.size()),
                  std::numeric_limits<double>::quiet_NaN());
    for_each_on_host(points, [&](const Index<Dim>& at) {
      Index<Dim> c = layout_.in_whole(at);
      for (int e = 0; e < Dim; ++e)
        if (e != axis) c[e] = inner_cell(c[e], layout_.whole(e), boundaries_.periodic(e));
      c[axis] = d == axis ? side * n : side * (n - 1);
      if (!faces_.grid().is_cut(d, c)) return;
      const Point middle = faces_.face(d, c).centroid;
      for (int e = 0; e < Dim; ++e)
        places[static_cast<std::size_t>(Dim * layer_position(layout_.cells, axis, at) + e)] =
            middle[e];
      any = true;
    });
    if (!any) places.clear();
  }

  BodyPoint<Dim>& entry_at(BodyPoints<Dim>& points, const Index<Dim>& c) {
    const auto view = view_of(layout_, points.entries.data());
    return points.table[static_cast<std::size_t>(view(local(c)))];
  }
  void fill_pieces(SharpLists<Dim>& lists, BodyPoints<Dim>& points) {
    for_each_on_host(own_, [&](const Index<Dim>& c) {
      if (!faces_.grid().is_near(c)) return;
      const std::optional<Index<Dim>> from = faces_.pressure_cell_of(c);
      WallPiece<Dim> piece = faces_.piece(c, from.value_or(c));
      const bool any = std::ranges::any_of(piece.area, [](double a) { return a != 0.0; });
      if (!any || !from) return;
      piece.c = local(*from);
      piece.body = levels_.nearest(faces_.middle_of_surface(c));
      entry_at(points, c).piece = static_cast<int>(lists.pieces.size());
      lists.pieces.push_back(piece);
    });
  }

  Layout<Dim> layout_;
  const Boundaries& boundaries_;
  BodyLevels levels_;
  const std::vector<std::uint8_t>& cells_;
  Box<Dim> own_;
  CutFaces<Dim> faces_;
};

}  // namespace

SharpCells sharp_cells(const Grid& grid, const Problem& problem,
                       const std::vector<std::uint8_t>& bodies) {
  return grid.dim() == 2 ? cells_of<2>(grid, problem, bodies) : cells_of<3>(grid, problem, bodies);
}

template <int Dim>
SharpBodies<Dim> sharp_bodies(const Layout<Dim>& layout, const Grid& grid, const Problem& problem,
                              const std::vector<std::uint8_t>& cells) {
  return SharpMaker<Dim>(layout, grid, problem, cells).make();
}

template SharpBodies<2> sharp_bodies(const Layout<2>&, const Grid&, const Problem&,
                                     const std::vector<std::uint8_t>&);
template SharpBodies<3> sharp_bodies(const Layout<3>&, const Grid&, const Problem&,
                                     const std::vector<std::uint8_t>&);

}  // namespace hodge::sim
