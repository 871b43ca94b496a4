// Over 400 lines: which faces have an unknown, what their rows are made of and what slaved faces
// follow are questions that each cell asks of the others.
#include "sim/discrete/bodies/cut_faces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/base/small_system.hpp"

namespace hodge::sim {
namespace {

constexpr double least_distance = 1e-6;  // of a width
constexpr double most_of_weights = 4;    // sum of those of a slope, over 1 / h

template <int Dim>
Index<Dim> beside_of(const Index<Dim>& c, int axis, int side) {
  return c.shifted(axis, side == 0 ? -1 : 1);
}

template <std::size_t N>
double product(const std::array<double, N>& a, const std::array<double, N>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

}  // namespace

template <int Dim>
CutFaces<Dim>::CutFaces(const Grid& grid, const Boundaries& boundaries, const LevelFunction& level,
                        const Box<Dim>& cells)
    : grid_(grid, boundaries, level, cells) {
  for (int d = 0; d < Dim; ++d) {
    whole_[d] = grid.cells(d);
    continues_[d] = boundaries.periodic(d);
    for (int side = 0; side < 2; ++side) {
      const SideTraits& traits = boundaries.sides[d][side].traits();
      given_[d][side] = !traits.continues() && !traits.is_open();
      inflow_[d][side] = traits.is_inflow();
      open_[d][side] = traits.is_open();
    }
  }
}

template <int Dim>
long long CutFaces<Dim>::key_of(const Index<Dim>& c) const {
  Box<Dim> all{};
  for (int e = 0; e < Dim; ++e) {
    all.lower[e] = -8;
    all.upper[e] = whole_[e] + 16;
  }
  return all.position(c);
}

template <int Dim>
double CutFaces<Dim>::fluid(const Index<Dim>& c) {
  const long long key = key_of(c);
  if (const auto known = fluid_.find(key); known != fluid_.end()) return known->second;
  const double fluid = grid_.fluid(c);
  if (fluid > 0 && fluid < 1) fluid_.emplace(key, fluid);
  return fluid;
}

template <int Dim>
double CutFaces<Dim>::fluid_beside(int d, const Index<Dim>& c) {
  double volume = 0;
  const int open = open_side_of(d, c);
  for (const int below : {0, 1}) {
    if (open == 1 - below) continue;  // beyond that side
    const Index<Dim> cell = c.shifted(d, -below);
    double half = 0.5 * fluid(cell);
    for (int e = 0; e < Dim; ++e) half *= grid_.width(e, cell[e]);
    volume += half;
  }
  return volume;
}

// Of the control volume of a face, and what those around it have that have no unknown, shared among
// the faces around them that have one.
template <int Dim>
double CutFaces<Dim>::fluid_of_row(int d, const Index<Dim>& c) {
  double volume = fluid_beside(d, c);
  const auto has_row = [&](const Index<Dim>& at) {
    return has_unknown(d, at) && !is_regular(d, at);
  };
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2; ++side) {
      const Index<Dim> there = beside_of(c, e, side);
      if (has_unknown(d, there) || is_beyond_open_side(d, there)) continue;
      int sharers = 0;
      for (int f = 0; f < Dim; ++f)
        sharers += has_row(beside_of(there, f, 0)) + has_row(beside_of(there, f, 1));
      volume += fluid_beside(d, there) / sharers;
    }
  return volume;
}

template <int Dim>
OpenPart CutFaces<Dim>::face(int d, const Index<Dim>& c) {
  if (!grid_.is_cut(d, c)) return grid_.face(d, c);
  const long long key = key_of(c);
  const auto known = cut_[d].find(key);
  if (known != cut_[d].end()) return known->second;
  const OpenPart part = grid_.face(d, c);
  cut_[d].emplace(key, part);
  return part;
}

template <int Dim>
bool CutFaces<Dim>::is_given(int d, const Index<Dim>& c) const {
  return (given_[d][0] && c[d] <= 0) || (given_[d][1] && c[d] >= whole_[d]);
}

template <int Dim>
bool CutFaces<Dim>::is_inflow(int d, const Index<Dim>& c) const {
  return (inflow_[d][0] && c[d] == 0) || (inflow_[d][1] && c[d] == whole_[d]);
}

template <int Dim>
int CutFaces<Dim>::open_side_of(int d, const Index<Dim>& c) const {
  if (open_[d][0] && c[d] == 0) return 0;
  return open_[d][1] && c[d] == whole_[d] ? 1 : -1;
}

template <int Dim>
bool CutFaces<Dim>::is_beyond_open_side(int d, const Index<Dim>& c) const {
  return (open_[d][0] && c[d] < 0) || (open_[d][1] && c[d] > whole_[d]);
}

template <int Dim>
bool CutFaces<Dim>::is_in_box(int d, const Index<Dim>& c) const {
  bool inside = !is_given(d, c);
  for (int e = 0; e < Dim; ++e)
    inside = inside && (continues_[e] || (c[e] >= 0 && c[e] < whole_[e] + (e == d ? 1 : 0)));
  return inside;
}

template <int Dim>
Point CutFaces<Dim>::middle_of_surface(const Index<Dim>& c) const {
  Point sum{};
  int count = 0;
  for (int e = 0; e < Dim; ++e)  // the edges of the cell along e
    for (int k = 0; k < 1 << (Dim - 1); ++k) {
      Point x{};
      for (int f = 0, bit = 0; f < Dim; ++f)
        x[f] = grid_.edge(f, c[f] + (f == e ? 0 : (k >> bit++) & 1));
      Point end = x;
      end[e] = grid_.edge(e, c[e] + 1);
      const bool from_end = grid_.level(x) <= 0;
      const double way = grid_.distance(from_end ? end : x, e, from_end ? 0 : 1, end[e] - x[e]);
      if (way < 0 || (from_end && grid_.level(end) <= 0)) continue;
      const double at = from_end ? end[e] - way : x[e] + way;
      for (int f = 0; f < Dim; ++f) sum[f] += f == e ? at : x[f];
      ++count;
    }
  for (int f = 0; f < Dim; ++f) sum[f] = count > 0 ? sum[f] / count : grid_.centre(f, c[f]);
  return sum;
}

// By the divergence theorem in the open part of the cell.
template <int Dim>
WallPiece<Dim> CutFaces<Dim>::piece(const Index<Dim>& c, const Index<Dim>& from) {
  WallPiece<Dim> piece{};
  const Point middle = middle_of_surface(c);
  double volume = fluid(c);
  for (int d = 0; d < Dim; ++d) volume *= grid_.width(d, c[d]);
  for (int d = 0; d < Dim; ++d) {
    piece.middle[d] = middle[d] - grid_.centre(d, from[d]);
    piece.moment[d][d] = volume;
    for (int side = 0; side < 2; ++side) {
      const Index<Dim> at = c.shifted(d, side);
      const Point x = face(d, at).centroid;
      const double out = (side == 0 ? 1 : -1) * area(d, at);
      piece.area[d] += out;
      for (int e = 0; e < Dim; ++e) piece.moment[d][e] += out * (x[e] - grid_.centre(e, from[e]));
    }
  }
  return piece;
}

template <int Dim>
std::optional<Index<Dim>> CutFaces<Dim>::pressure_cell_of(const Index<Dim>& c) {
  if (has_pressure(c)) return c;
  const Balance balance = balancing_face(c);
  if (!balance.any) return std::nullopt;
  const Index<Dim> there = beside_of(c, balance.d, balance.face[balance.d] == c[balance.d] ? 0 : 1);
  return has_pressure(there) ? std::optional(there) : std::nullopt;
}

template <int Dim>
bool CutFaces<Dim>::has_pressure(const Index<Dim>& c) {
  for (int d = 0; d < Dim; ++d)
    for (int side = 0; side < 2; ++side) {
      const Index<Dim> at = c.shifted(d, side);
      if (!is_given(d, at) && has_unknown(d, at)) return true;
    }
  return false;
}

template <int Dim>
bool CutFaces<Dim>::has_one_open_face(const Index<Dim>& c) {
  int open = 0;
  for (int d = 0; d < Dim; ++d)
    for (int side = 0; side < 2; ++side) open += is_open(d, c.shifted(d, side)) ? 1 : 0;
  return open == 1;
}

template <int Dim>
bool CutFaces<Dim>::has_unknown(int d, const Index<Dim>& c) {
  if (is_inflow(d, c)) return face(d, c).fraction > 0;
  if (is_beyond_open_side(d, c) || !is_open(d, c)) return false;
  return is_given(d, c) || (!has_one_open_face(c) && !has_one_open_face(c.shifted(d, -1)));
}

// The next face along d may be full and have no unknown.
template <int Dim>
bool CutFaces<Dim>::is_regular(int d, const Index<Dim>& c) {
  bool full = grid_.is_full(d, c);
  for (int e = 0; e < Dim; ++e) {
    full = full && grid_.is_full(d, c.shifted(e, -1)) && grid_.is_full(d, c.shifted(e, 1));
    if (e == d) continue;
    for (const Index<Dim>& cell : {c, c.shifted(d, -1)})
      full = full && grid_.is_full(e, cell) && grid_.is_full(e, cell.shifted(e, 1));
  }
  return full && !has_one_open_face(c.shifted(d, 1)) && !has_one_open_face(c.shifted(d, -2));
}

// The node of the face's own line is looked at, too.
template <int Dim>
double CutFaces<Dim>::wall_distance(const Point& x, const Index<Dim>& c, int d, int axis, int side,
                                    double most) const {
  if (axis != d) {
    const double to_node = std::abs(grid_.edge(axis, c[axis] + side) - x[axis]);
    if (to_node < most) {
      const double found = grid_.distance(x, axis, side, to_node);
      if (found >= 0) return found;
    }
  }
  return grid_.distance(x, axis, side, most);
}

template <int Dim>
typename CutFaces<Dim>::Beside CutFaces<Dim>::beside(int d, const Index<Dim>& c, int t, int side) {
  const Point x = face(d, c).centroid;
  const Index<Dim> there = beside_of(c, t, side);
  const OpenPart part = face(d, there);
  const bool unknown = has_unknown(d, there);
  const double most = unknown ? std::abs(part.centroid[t] - x[t]) : grid_.width(t, c[t]);
  const double wall = wall_distance(x, c, d, t, side, most);
  Beside result;
  if (wall >= 0) {
    result.kind = Beside::wall;
    result.x = x;
    result.x[t] += side == 0 ? -wall : wall;
  } else if (unknown) {
    result.kind = Beside::face;
    result.x = part.centroid;
    result.shift = there;
  }
  return result;
}

template <int Dim>
typename CutFaces<Dim>::SideOfRow CutFaces<Dim>::side_along(int d, const Index<Dim>& c, int side) {
  const Point x = face(d, c).centroid;
  const Index<Dim> there = beside_of(c, d, side);
  const double spacing = std::abs(grid_.edge(d, there[d]) - grid_.edge(d, c[d]));
  SideOfRow result{spacing};
  const double wall = grid_.distance(x, d, side, spacing);
  const OpenPart part = face(d, there);
  if (wall >= 0 || !has_unknown(d, there)) {
    result.wall = true;
    const double farther = wall >= 0 ? wall : grid_.distance(x, d, side, 2 * spacing);
    if (farther >= 0) result.distance = farther;
    return result;
  }
  std::array<double, Dim> weight{};  // of the neighbour, and of what is beside it
  weight[0] = 1;
  result.taps[0] = {there, 0};
  Beside next[Dim];
  int tangents[Dim], count = 0;
  for (int t = 0; t < Dim; ++t) {
    if (t == d) continue;
    tangents[count] = t;
    next[count] = beside(d, there, t, x[t] > part.centroid[t] ? 1 : 0);
    ++count;
  }
  // x = P_0 + sum_k share_k (P_k - P_0) in the plane of the neighbour
  const auto span = [&](int k, int t) {
    if (next[k].kind == Beside::nothing) return tangents[k] == t ? 1.0 : 0.0;
    return next[k].x[t] - part.centroid[t];
  };
  const auto want = [&](int t) { return x[t] - part.centroid[t]; };
  double share[Dim] = {};
  if constexpr (Dim == 2) {
    const int t = tangents[0];
    share[0] = span(0, t) != 0 ? want(t) / span(0, t) : 0;
  } else {
    const int a = tangents[0], b = tangents[1];
    const double det = span(0, a) * span(1, b) - span(1, a) * span(0, b);
    if (std::abs(det) > 1e-9 * grid_.width(a, c[a]) * grid_.width(b, c[b])) {
      share[0] = (want(a) * span(1, b) - span(1, a) * want(b)) / det;
      share[1] = (span(0, a) * want(b) - want(a) * span(0, b)) / det;
    }
  }
  for (int k = 0; k < count; ++k) {
    if (next[k].kind == Beside::nothing) continue;
    const double bounded = std::clamp(share[k], -1.0, 1.0);
    weight[0] -= bounded;
    if (next[k].kind == Beside::face) result.taps[k + 1] = {next[k].shift, bounded};
  }
  result.taps[0].weight = weight[0];
  return result;
}

template <int Dim>
typename CutFaces<Dim>::SideOfRow CutFaces<Dim>::side_across(int d, const Index<Dim>& c, int e,
                                                             int side) {
  const Point x = face(d, c).centroid;
  const Index<Dim> there = beside_of(c, e, side);
  const OpenPart part = face(d, there);
  const bool unknown = has_unknown(d, there);
  const double spacing = std::abs(grid_.centre(e, there[e]) - grid_.centre(e, c[e]));
  double place = unknown ? part.centroid[e] : x[e] + (side == 0 ? -spacing : spacing);
  SideOfRow result{spacing};
  result.taps[0] = {there, 1.0};
  if constexpr (Dim == 3) {
    const int t = 3 - d - e;
    const double want = x[t] - part.centroid[t];
    if (unknown && std::abs(want) > 1e-9 * grid_.width(t, c[t])) {
      const Beside next = beside(d, there, t, want > 0 ? 1 : 0);
      if (next.kind != Beside::nothing && next.x[t] != part.centroid[t]) {
        const double share = std::clamp(want / (next.x[t] - part.centroid[t]), 0.0, 1.0);
        result.taps[0].weight = 1 - share;
        if (next.kind == Beside::face) result.taps[1] = {next.shift, share};
        place += share * (next.x[e] - part.centroid[e]);
      }
    }
  }
  const double to_place = std::abs(place - x[e]);
  const double wall = wall_distance(x, c, d, e, side, to_place);
  if (wall >= 0 || !unknown) {
    result.wall = true;
    result.distance = wall >= 0 ? wall : to_place;
    return result;
  }
  result.distance = to_place;
  return result;
}

template <int Dim>
double CutFaces<Dim>::regular_friction(int d, const Index<Dim>& c) const {
  double sum = 0;
  for (int e = 0; e < Dim; ++e) {
    const double below =
        e == d ? grid_.width(e, c[e] - 1) : grid_.centre(e, c[e]) - grid_.centre(e, c[e] - 1);
    const double above =
        e == d ? grid_.width(e, c[e]) : grid_.centre(e, c[e] + 1) - grid_.centre(e, c[e]);
    sum += 2 / (below * above);
  }
  return sum;
}

template <int Dim>
double CutFaces<Dim>::friction(const SharpFace<Dim>& row) const {
  double sum = 0;
  for (int e = 0; e < Dim; ++e) sum += row.friction[e][0] + row.friction[e][1];
  return sum;
}

template <int Dim>
void CutFaces<Dim>::find_sides(int d, const Index<Dim>& c, SideOfRow (&sides)[Dim][2]) {
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2; ++side) {
      sides[e][side] = e == d ? side_along(d, c, side) : side_across(d, c, e, side);
      sides[e][side].distance =
          std::max(sides[e][side].distance, least_distance * grid_.width(e, c[e]));
    }
  const int open = open_side_of(d, c);
  if (open >= 0) sides[d][open] = SideOfRow{sides[d][1 - open].distance};
}

// Nothing changes along the normal of an open side: beyond it is what is within.
template <int Dim>
void CutFaces<Dim>::find_friction(int d, const Index<Dim>& c, const SideOfRow (&sides)[Dim][2],
                                  SharpFace<Dim>& row) const {
  for (int e = 0; e < Dim; ++e) {
    const double below = sides[e][0].distance, above = sides[e][1].distance;
    for (int side = 0; side < 2; ++side)
      row.friction[e][side] = 2 / ((below + above) * (side == 0 ? below : above));
  }
  const int open = open_side_of(d, c);
  if (open < 0) return;
  row.friction[d][1 - open] *= 2;
  row.friction[d][open] = 0;
}

template <int Dim>
SharpFace<Dim> CutFaces<Dim>::row(int d, const Index<Dim>& c) {
  SideOfRow sides[Dim][2];
  find_sides(d, c, sides);
  SharpFace<Dim> row{};
  row.c = c;
  row.in_open_side = open_side_of(d, c);
  find_friction(d, c, sides, row);
  for (int e = 0; e < Dim; ++e) {
    const double below = sides[e][0].distance, above = sides[e][1].distance;
    for (int side = 0; side < 2; ++side) {
      row.slope[e][side] =
          side == 0 ? -above / (below * (below + above)) : below / (above * (below + above));
      row.wall[e][side] = sides[e][side].wall;
      for (int k = 0; k < SharpFace<Dim>::most_taps; ++k) {
        FaceTap<Dim> tap = sides[e][side].taps[k];
        if (tap.weight == 0.0) tap.shift = c;
        for (int f = 0; f < Dim; ++f) tap.shift[f] -= c[f];
        row.taps[e][side][k] = tap;
      }
    }
  }
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2; ++side) {
      const Index<Dim> there = beside_of(c, e, side);
      row.regular_beside[e][side] = is_in_box(d, there) && is_regular(d, there);
      row.in_side[e][side] = is_in_box(d, there) ? 0.0 : open_in_side(d, c, e, side);
      if (e == d && side == row.in_open_side) row.in_side[e][side] = face(d, c).fraction;
      if (e == d && is_inflow(d, there)) row.behind_inflow = side;
    }
  row.stiffness = std::max(0.0, friction(row) - regular_friction(d, c));
  row.fluid = fluid_of_row(d, c);
  find_turning(d, c, row, sides);
  find_lean(d, c, row);
  return row;
}

// nu times it times the difference of the values is what friction passes through a side.
template <int Dim>
double CutFaces<Dim>::friction_of_link(int d, const Index<Dim>& c, int e, int side) {
  SideOfRow sides[Dim][2];
  find_sides(d, c, sides);
  double volume = (open_side_of(d, c) >= 0 ? 0.5 : 1.0) * face(d, c).fraction;
  for (int f = 0; f < Dim; ++f)
    volume *= f == d ? grid_.centre(f, c[f]) - grid_.centre(f, c[f] - 1) : grid_.width(f, c[f]);
  const double below = sides[e][0].distance, above = sides[e][1].distance;
  return 2 * volume / ((below + above) * (side == 0 ? below : above));
}

// Half of friction outweighs what a value that leans against the flow adds to kinetic energy.
template <int Dim>
void CutFaces<Dim>::find_lean(int d, const Index<Dim>& c, SharpFace<Dim>& row) {
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2; ++side) {
      const Index<Dim> there = beside_of(c, e, side);
      if (e == d || !is_in_box(d, there) || !has_unknown(d, there) || is_regular(d, there))
        continue;
      const double here = face(d, c).centroid[e], next = face(d, there).centroid[e];
      const double between = grid_.edge(e, c[e] + side);
      row.lean[e][side] = std::clamp((next - between) / (next - here), 0.0, 1.0) - 0.5;
      row.most_lean[e][side] =
          0.5 * std::min(friction_of_link(d, c, e, side), friction_of_link(d, there, e, 1 - side));
    }
}

template <int Dim>
double CutFaces<Dim>::open_in_side(int d, const Index<Dim>& c, int e, int side) {
  if (e == d) return face(d, beside_of(c, d, side)).fraction;
  const Index<Dim> at = c.shifted(e, side);
  return 0.5 * (face(e, at).fraction + face(e, at.shifted(d, -1)).fraction);
}

template <int Dim>
double CutFaces<Dim>::stiffness(int d, const Index<Dim>& c) {
  if (!has_unknown(d, c) || is_regular(d, c)) return 0;
  SharpFace<Dim> row{};
  SideOfRow sides[Dim][2];
  find_sides(d, c, sides);
  find_friction(d, c, sides, row);
  return std::max(0.0, friction(row) - regular_friction(d, c));
}

// d u_e / d x_d at the face, by the plane that fits the four faces of component e around it, and
// the walls on all axes, best. In 3D these may lie close to one line or plane, so that a slope
// would be a large multiple of small differences: the plane is made flatter until its weights are
// bounded.
template <int Dim>
void CutFaces<Dim>::find_turning(int d, const Index<Dim>& c, SharpFace<Dim>& row,
                                 const SideOfRow (&sides)[Dim][2]) {
  using Row = std::array<double, Dim + 1>;
  const Point x = face(d, c).centroid;
  double h = grid_.width(0, c[0]);
  for (int e = 1; e < Dim; ++e) h = std::min(h, grid_.width(e, c[e]));
  std::array<Row, Dim + 1> wall_sums{};
  const auto weight_of = [&](const Row& offset) {
    double squares = 0.01;
    for (int k = 1; k <= Dim; ++k) squares += offset[k] * offset[k];
    return 1 / squares;
  };
  const auto add = [&](std::array<Row, Dim + 1>& sums, const Row& offset) {
    for (int i = 0; i <= Dim; ++i)
      for (int j = 0; j <= Dim; ++j) sums[i][j] += weight_of(offset) * offset[i] * offset[j];
  };
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2; ++side) {
      if (!sides[e][side].wall) continue;
      Row offset{};
      offset[0] = 1;
      offset[e + 1] = (side == 0 ? -1 : 1) * sides[e][side].distance / h;
      add(wall_sums, offset);
    }
  for (int e = 0; e < Dim; ++e) {
    if (e == d) continue;
    std::array<Row, Dim + 1> sums = wall_sums;
    Row offsets[SharpFace<Dim>::most_turning];
    int count = 0;
    for (const int back : {0, -1})
      for (const int up : {0, 1}) {
        const Index<Dim> at = c.shifted(d, back).shifted(e, up);
        const OpenPart part = face(e, at);
        if (!has_unknown(e, at)) continue;
        Row offset{};
        offset[0] = 1;
        for (int f = 0; f < Dim; ++f) offset[f + 1] = (part.centroid[f] - x[f]) / h;
        add(sums, offset);
        FaceTap<Dim>& tap = row.turning[e][count];
        tap.shift = at;
        for (int f = 0; f < Dim; ++f) tap.shift[f] -= c[f];
        offsets[count] = offset;
        ++count;
      }
    double trace = 1e-300, all = 0;
    for (int i = 0; i <= Dim; ++i) trace += sums[i][i];
    sums[0][0] += 1e-12 * trace;
    Row along{};
    along[d + 1] = 1;
    double flatter = 1e-9;
    do {
      std::array<Row, Dim + 1> bounded = sums;
      for (int i = 1; i <= Dim; ++i) bounded[i][i] += flatter * trace;
      const Row slope = solve_small(bounded, along);
      all = 0;
      for (int k = 0; k < count; ++k) {
        const double weight = weight_of(offsets[k]) * product<Dim + 1>(slope, offsets[k]);
        row.turning[e][k].weight = weight / h;
        all += std::abs(weight);
      }
      flatter *= 10;
    } while (all > most_of_weights);
  }
}

template <int Dim>
double CutFaces<Dim>::area(int d, const Index<Dim>& c) {
  double area = face(d, c).fraction;
  for (int e = 0; e < Dim; ++e)
    if (e != d) area *= grid_.width(e, c[e]);
  return area;
}

template <int Dim>
int CutFaces<Dim>::depth(const Index<Dim>& c, int most) {
  if (has_pressure(c)) return 0;
  int least = most + 1;
  if (most == 0) return least;
  for (int d = 0; d < Dim; ++d)
    for (int side = 0; side < 2; ++side)
      if (is_slaved(d, c.shifted(d, side)))
        least = std::min(least, 1 + depth(beside_of(c, d, side), std::min(most, least) - 1));
  return least;
}

// Of an open cell without a pressure: its largest face towards a cell that has one, or has fewer
// cells between itself and one.
template <int Dim>
typename CutFaces<Dim>::Balance CutFaces<Dim>::balancing_face(const Index<Dim>& c) {
  constexpr int most = 3;
  Balance result;
  const int here = depth(c, most);
  if (here > most) return result;
  double largest = 0;
  for (int d = 0; d < Dim; ++d)
    for (int side = 0; side < 2; ++side) {
      const Index<Dim> at = c.shifted(d, side);
      if (!is_slaved(d, at) || depth(beside_of(c, d, side), most) >= here) continue;
      if (area(d, at) <= largest) continue;
      largest = area(d, at);
      result = {true, d, at};
    }
  return result;
}

// By the plane that fits the faces around it and the walls on all axes best: across two directions
// a line between a wall and one face is not linear.
template <int Dim>
void CutFaces<Dim>::add_fitted(int d, const Index<Dim>& c, const Point& x, double factor,
                               std::vector<SlavedTap<Dim>>& taps) {
  using Row = std::array<double, Dim + 1>;
  double h = grid_.width(0, c[0]);
  for (int e = 1; e < Dim; ++e) h = std::min(h, grid_.width(e, c[e]));
  const auto weight_of = [](const Row& offset) {
    double squares = 0.01;
    for (int k = 1; k <= Dim; ++k) squares += offset[k] * offset[k];
    return 1 / (squares * squares);
  };
  std::array<Row, Dim + 1> sums{};
  const auto add = [&](const Row& offset) {
    for (int i = 0; i <= Dim; ++i)
      for (int j = 0; j <= Dim; ++j) sums[i][j] += weight_of(offset) * offset[i] * offset[j];
  };
  for (int e = 0; e < Dim; ++e)
    for (int side = 0; side < 2; ++side) {
      const double wall = grid_.distance(x, e, side, 1.5 * h);
      if (wall < 0) continue;
      Row offset{};
      offset[0] = 1;
      offset[e + 1] = (side == 0 ? -1 : 1) * wall / h;
      add(offset);
    }
  std::vector<std::pair<Index<Dim>, Row>> faces;
  Box<Dim> around{c, c};
  for (int e = 0; e < Dim; ++e) {
    --around.lower[e];
    around.upper[e] += 2;
  }
  Index<Dim> at = around.lower;
  for (long long i = 0; i < around.size(); ++i) {
    if (has_unknown(d, at)) {
      Row offset{};
      offset[0] = 1;
      const Point there = face(d, at).centroid;
      for (int f = 0; f < Dim; ++f) offset[f + 1] = (there[f] - x[f]) / h;
      add(offset);
      faces.emplace_back(at, offset);
    }
    for (int e = 0; e < Dim && ++at[e] == around.upper[e]; ++e) at[e] = around.lower[e];
  }
  if (faces.empty()) return;
  double trace = 0;
  for (int i = 0; i <= Dim; ++i) trace += sums[i][i];
  for (int i = 0; i <= Dim; ++i) sums[i][i] += 1e-10 * trace;
  Row first{};
  first[0] = 1;
  const Row inverse = solve_small(sums, first);
  for (const auto& [place, offset] : faces) {
    double weight = 0;
    for (int i = 0; i <= Dim; ++i) weight += inverse[i] * offset[i];
    taps.push_back({d, place, factor * weight * weight_of(offset)});
  }
}

template <int Dim>
void CutFaces<Dim>::add_interpolated(int d, const Index<Dim>& c, double factor,
                                     std::vector<SlavedTap<Dim>>& taps) {
  const Point x = face(d, c).centroid;
  if constexpr (Dim == 3) return add_fitted(d, c, x, factor, taps);
  double largest = 0;
  SlavedTap<Dim> best{d, c, 0};
  for (int pass = 0; pass < 2 && largest == 0; ++pass)
    for (int e = 0; e < Dim; ++e) {
      if ((e == d) != (pass == 1)) continue;
      for (int side = 0; side < 2; ++side) {
        const Index<Dim> there = beside_of(c, e, side);
        const OpenPart part = face(d, there);
        if (!has_unknown(d, there) || part.fraction <= largest) continue;
        const double h = grid_.width(e, c[e]);
        const double way = std::abs(part.centroid[e] - x[e]);
        const double found = wall_distance(x, c, d, e, 1 - side, h);
        const double wall = found >= 0 ? found : 0.5 * h;
        largest = part.fraction;
        best = {d, there, wall / (wall + way)};
      }
    }
  if (best.weight != 0) taps.push_back({d, best.c, factor * best.weight});
}

// factor times the value at the face; cells that balance others are followed.
template <int Dim>
void CutFaces<Dim>::add_flux(int d, const Index<Dim>& c, double factor, int most,
                             std::vector<SlavedTap<Dim>>& taps) {
  if (most == 0) return;
  if (is_given(d, c) && !is_inflow(d, c)) return;
  if (!is_slaved(d, c)) {
    if (has_unknown(d, c)) taps.push_back({d, c, factor});
    return;
  }
  for (const int side : {0, 1}) {  // the cells below and above the face
    const Index<Dim> cell = side == 0 ? c.shifted(d, -1) : c;
    if (has_pressure(cell)) continue;
    const Balance balance = balancing_face(cell);
    if (!balance.any) return;  // cut off: no flux
    if (balance.d != d || !(balance.face[d] == c[d])) continue;
    const double outward = balance.face[d] == cell[d] ? -1 : 1;
    for (int e = 0; e < Dim; ++e)
      for (int other = 0; other < 2; ++other) {
        const Index<Dim> at = cell.shifted(e, other);
        if (e == d && at[d] == c[d]) continue;
        const double of_other = other == 0 ? -1 : 1;
        if (is_slaved(e, at) || is_inflow(e, at))
          add_flux(e, at, -factor * outward * of_other * area(e, at) / area(d, c), most - 1, taps);
      }
    return;
  }
  add_interpolated(d, c, factor, taps);
}

template <int Dim>
std::vector<SlavedTap<Dim>> CutFaces<Dim>::slave(int d, const Index<Dim>& c) {
  std::vector<SlavedTap<Dim>> taps;
  add_flux(d, c, 1, 6, taps);
  return taps;
}

template class CutFaces<2>;
template class CutFaces<3>;

}  // namespace hodge::sim
