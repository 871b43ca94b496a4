#include "sim/discrete/bodies/cut_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/discrete/grid/metrics.hpp"
#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

constexpr double least_share = 1e-7;  // of a width: nearer nodes are on the surface

// The share of the way from a to b at which f changes its sign; an end where f is given as 0 is it.
template <class F>
double root_between(const F& f, double f_a, double f_b) {
  if (f_a == 0 || f_b == 0) return f_a == 0 ? 0 : 1;
  double a = 0, b = 1;
  for (int k = 0; k < 100 && b - a > 1e-15; ++k) {
    // Between two steps of false position one of bisection: it ends whatever f is.
    double x = k % 2 == 0 ? a + (b - a) * f_a / (f_a - f_b) : 0.5 * (a + b);
    x = std::clamp(x, a, b);
    const double f_x = f(x);
    if (f_x == 0) return x;
    ((f_x < 0) == (f_a < 0) ? a : b) = x;
    ((f_x < 0) == (f_a < 0) ? f_a : f_b) = f_x;
  }
  return 0.5 * (a + b);
}

Point between(const Point& p, const Point& q, double share) {
  Point x;
  for (int d = 0; d < 3; ++d) x[d] = p[d] + share * (q[d] - p[d]);
  return x;
}

bool is_fluid(double level) {
  return level > 0;
}

template <int Dim>
Index<Dim> corner_of(Index<Dim> cell, int k) {
  for (int d = 0; d < Dim; ++d) cell[d] += (k >> d) & 1;
  return cell;
}

// In a plane, in the order of a walk around it.
struct Polygon {
  std::array<std::array<double, 2>, 10> at{};
  int count = 0;

  void add(const std::array<double, 2>& place) { at[static_cast<std::size_t>(count++)] = place; }
};

// Area and the integrals of both coordinates.
std::array<double, 3> integrals(const Polygon& polygon) {
  std::array<double, 3> sum{};
  for (int k = 0; k < polygon.count; ++k) {
    const auto& p = polygon.at[static_cast<std::size_t>(k)];
    const auto& q = polygon.at[static_cast<std::size_t>((k + 1) % polygon.count)];
    const double cross = p[0] * q[1] - q[0] * p[1];
    sum[0] += cross / 2;
    sum[1] += cross * (p[0] + q[0]) / 6;
    sum[2] += cross * (p[1] + q[1]) / 6;
  }
  return sum;
}

}  // namespace

template <int Dim>
CutGrid<Dim>::CutGrid(const Grid& grid, const Boundaries& boundaries, const LevelFunction& level,
                      const Box<Dim>& cells)
    : level_(level), nodes_(cells) {
  for (int d = 0; d < Dim; ++d) {
    const Axis& axis = grid.axis(d);
    const auto width_of = [&](int i) {
      return axis.widths[static_cast<std::size_t>(
          cell_of_same_width(i, axis.cells(), boundaries.periodic(d)))];
    };
    edges_[d] = axis.edges;
    for (int k = 0; k < margin_of_edges; ++k) {
      edges_[d].insert(edges_[d].begin(), edges_[d].front() - width_of(-1 - k));
      edges_[d].push_back(edges_[d].back() + width_of(axis.cells() + k));
    }
    nodes_.lower[d] -= margin;
    nodes_.upper[d] += margin + 1;
  }
  levels_.resize(static_cast<std::size_t>(nodes_.size()));
  for_each_by_threads(nodes_, [&](const Index<Dim>& c) {
    levels_[static_cast<std::size_t>(nodes_.position(c))] = level_at_node(c);
  });
  put_nodes_on_surface(find_surface());
}

// The cells with nodes on both sides of the surface, and what is near them.
template <int Dim>
std::vector<Index<Dim>> CutGrid<Dim>::find_surface() {
  constexpr int reach = 3;
  Box<Dim> cells = nodes_;
  for (int d = 0; d < Dim; ++d) --cells.upper[d];
  std::array<long long, 1 << Dim> corner{};
  for (int k = 0; k < 1 << Dim; ++k)
    corner[static_cast<std::size_t>(k)] =
        nodes_.position(corner_of(cells.lower, k)) - nodes_.position(cells.lower);
  near_.resize(levels_.size());
  std::vector<Index<Dim>> crossed;
  for_each_on_host(cells, [&](const Index<Dim>& c) {
    const double* const here = &levels_[static_cast<std::size_t>(nodes_.position(c))];
    int fluid = 0;
    for (const long long k : corner) fluid += is_fluid(here[k]) ? 1 : 0;
    if (fluid == 0 || fluid == 1 << Dim) return;
    crossed.push_back(c);
    Box<Dim> around = nodes_;
    for (int d = 0; d < Dim; ++d) {
      around.lower[d] = std::max(around.lower[d], c[d] - reach);
      around.upper[d] = std::min(around.upper[d], c[d] + reach + 1);
    }
    for_each_on_host(around, [&](const Index<Dim>& at) {
      near_[static_cast<std::size_t>(nodes_.position(at))] = 1;
    });
  });
  return crossed;
}

// Rounding must not decide on which side of the surface a node is that lies in it: what is on the
// other side of a node of the same cell at this distance towards it has the level 0.
template <int Dim>
void CutGrid<Dim>::put_nodes_on_surface(const std::vector<Index<Dim>>& cells) {
  std::vector<std::size_t> on_surface;
  for (const Index<Dim>& c : cells)
    for (int k = 0; k < 1 << Dim; ++k)
      for (int other = 0; other < 1 << Dim; ++other) {
        const Index<Dim> here = corner_of(c, k), there = corner_of(c, other);
        if (is_fluid(node(here)) == is_fluid(node(there))) continue;
        const Point x = between(place(here), place(there), least_share);
        if (is_fluid(level_(x)) != is_fluid(node(here)))
          on_surface.push_back(static_cast<std::size_t>(nodes_.position(here)));
      }
  for (const std::size_t position : on_surface) levels_[position] = 0;
}

template <int Dim>
Point CutGrid<Dim>::place(const Index<Dim>& node) const {
  Point x{};
  for (int d = 0; d < Dim; ++d) x[d] = edge(d, node[d]);
  return x;
}

template <int Dim>
double CutGrid<Dim>::level_at_node(const Index<Dim>& c) const {
  return level_(place(c));
}

template <int Dim>
double CutGrid<Dim>::node(const Index<Dim>& c) const {
  return nodes_.contains(c) ? levels_[static_cast<std::size_t>(nodes_.position(c))]
                            : level_at_node(c);
}

// Of the rectangle of cell c along axes a and b at x, whose corners have these levels, in the order
// of a walk around it. Two opposite corners in the fluid belong together if the middle does.
template <int Dim>
OpenPart CutGrid<Dim>::polygon(int a, int b, const Index<Dim>& c, Point x,
                               const double (&levels)[4]) const {
  using Place = std::array<double, 2>;
  static constexpr Place corner[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const auto point = [&](const Place& at) {
    x[a] = edge(a, c[a]) + at[0] * width(a, c[a]);
    x[b] = edge(b, c[b]) + at[1] * width(b, c[b]);
    return x;
  };
  const auto on_way = [](const Place& p, const Place& q, double share) {
    return Place{p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])};
  };
  const auto root = [&](const Place& p, const Place& q, double at_p, double at_q) {
    return on_way(
        p, q, root_between([&](double s) { return level_(point(on_way(p, q, s))); }, at_p, at_q));
  };
  // The third point of the surface between two, as far from their chord as makes the triangle's
  // area that of a parabola.
  const auto add_bulge = [&](Polygon& polygon, const Place& p, const Place& q) {
    const Place middle = on_way(p, q, 0.5);
    const double here = level_(point(middle));
    for (const double side : {0.5, -0.5}) {
      const Place end{middle[0] + side * (q[1] - p[1]), middle[1] - side * (q[0] - p[0])};
      const double there = level_(point(end));
      if (is_fluid(here) == is_fluid(there)) continue;
      const Place at = root(middle, end, here, there);
      polygon.add(on_way(middle, at, 4.0 / 3.0));
      return;
    }
  };
  const bool is_one = is_fluid(level_(point({0.5, 0.5})));
  double area = 0, largest = 0;
  Place middle{0.5, 0.5};
  Polygon polygon;
  const auto close = [&](Polygon& closed) {
    const auto [own, first_s, first_t] = integrals(closed);
    area += own;
    if (own > largest) middle = {first_s / own, first_t / own};
    largest = std::max(largest, own);
    closed.count = 0;
  };
  int arcs = 0;
  for (int k = 0; k < 4; ++k) arcs += !is_fluid(levels[k]) && is_fluid(levels[(k + 1) % 4]);
  for (int k = 0; k < 4; ++k) {  // an arc of the walk enters the fluid behind corner k
    if (is_fluid(levels[k]) || !is_fluid(levels[(k + 1) % 4])) continue;
    const Place enters = root(corner[k], corner[(k + 1) % 4], levels[k], levels[(k + 1) % 4]);
    polygon.add(enters);
    int at = (k + 1) % 4;
    for (; is_fluid(levels[at]); at = (at + 1) % 4) polygon.add(corner[at]);
    const int last = (at + 3) % 4;
    const Place leaves = root(corner[last], corner[at], levels[last], levels[at]);
    polygon.add(leaves);
    if (arcs == 2 && is_one) continue;
    add_bulge(polygon, leaves, enters);
    close(polygon);
  }
  if (polygon.count > 0) close(polygon);
  return {std::clamp(area, 0.0, 1.0),
          point({std::clamp(middle[0], 0.0, 1.0), std::clamp(middle[1], 0.0, 1.0)})};
}

template <int Dim>
OpenPart CutGrid<Dim>::face(int d, const Index<Dim>& c) const {
  Point x{};
  for (int e = 0; e < Dim; ++e) x[e] = e == d ? edge(e, c[e]) : centre(e, c[e]);
  if constexpr (Dim == 2) {
    const int a = 1 - d;
    const double below = node(c), above = node(c.shifted(a, 1));
    if (is_fluid(below) == is_fluid(above)) return {is_fluid(below) ? 1.0 : 0.0, x};
    Point p = x, q = x;
    p[a] = edge(a, c[a]);
    q[a] = edge(a, c[a] + 1);
    const double root =
        root_between([&](double s) { return level_(between(p, q, s)); }, below, above);
    const double from = is_fluid(below) ? 0.0 : root, to = is_fluid(below) ? root : 1.0;
    return {to - from, between(p, q, 0.5 * (from + to))};
  } else {
    const int a = d == 0 ? 1 : 0, b = d == 2 ? 1 : 2;
    const double levels[4] = {node(c), node(c.shifted(a, 1)), node(c.shifted(a, 1).shifted(b, 1)),
                              node(c.shifted(b, 1))};
    const auto count = std::ranges::count_if(levels, is_fluid);
    if (count == 0 || count == 4) return {count == 4 ? 1.0 : 0.0, x};
    return polygon(a, b, c, x, levels);
  }
}

template <int Dim>
int CutGrid<Dim>::fluid_nodes(int d, const Index<Dim>& c) const {
  int count = 0;
  for (int k = 0; k < 1 << (Dim - 1); ++k) {
    Index<Dim> at = c;
    for (int e = 0, bit = 0; e < Dim; ++e)
      if (e != d) at[e] += (k >> bit++) & 1;
    count += is_fluid(node(at)) ? 1 : 0;
  }
  return count;
}

template <int Dim>
bool CutGrid<Dim>::is_cut(int d, const Index<Dim>& c) const {
  const int count = fluid_nodes(d, c);
  return count > 0 && count < 1 << (Dim - 1);
}

template <int Dim>
bool CutGrid<Dim>::is_full(int d, const Index<Dim>& c) const {
  return fluid_nodes(d, c) == 1 << (Dim - 1);
}

// The open part of the section of cell c at a place along an axis.
template <int Dim>
double CutGrid<Dim>::slice(const Index<Dim>& c, int axis, double at) const {
  const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
  Point x{};
  x[axis] = at;
  double levels[4];
  for (int k = 0; k < 4; ++k) {
    x[a] = edge(a, c[a] + (k == 1 || k == 2 ? 1 : 0));
    x[b] = edge(b, c[b] + (k >= 2 ? 1 : 0));
    levels[k] = level_(x);
  }
  const auto count = std::ranges::count_if(levels, is_fluid);
  if (count == 0 || count == 4) return count == 4 ? 1.0 : 0.0;
  return polygon(a, b, c, x, levels).fraction;
}

// Sections are taken along the axis along which the level changes least: across a surface their
// open part would jump.
template <int Dim>
double CutGrid<Dim>::fluid(const Index<Dim>& c) const {
  int count = 0;
  double change[Dim] = {};
  for (int k = 0; k < 1 << Dim; ++k) {
    const double level = node(corner_of(c, k));
    count += is_fluid(level) ? 1 : 0;
    for (int d = 0; d < Dim; ++d) change[d] += (k >> d) & 1 ? level : -level;
  }
  if (count == 0 || count == 1 << Dim) return count == 0 ? 0.0 : 1.0;
  if constexpr (Dim == 2) return slice(c, 2, 0);
  int axis = Dim - 1;
  for (int d = Dim - 2; d >= 0; --d)
    if (std::abs(change[d]) < std::abs(change[axis])) axis = d;
  return (slice(c, axis, edge(axis, c[axis])) + 4 * slice(c, axis, centre(axis, c[axis])) +
          slice(c, axis, edge(axis, c[axis] + 1))) /
         6;
}

template <int Dim>
std::vector<Point> CutGrid<Dim>::crossings(const Index<Dim>& c) const {
  std::vector<Point> found;
  for (int e = 0; e < Dim; ++e)
    for (int k = 0; k < 1 << Dim; ++k) {
      if ((k >> e) & 1) continue;
      const Index<Dim> from = corner_of(c, k), to = from.shifted(e, 1);
      const double below = node(from), above = node(to);
      if (is_fluid(below) == is_fluid(above)) continue;
      const Point p = place(from), q = place(to);
      const double share =
          root_between([&](double s) { return level_(between(p, q, s)); }, below, above);
      const Point x = between(p, q, share);
      if (std::ranges::find(found, x) == found.end()) found.push_back(x);
    }
  return found;
}

template <int Dim>
double CutGrid<Dim>::distance(const Point& x, int axis, int side, double most) const {
  Point end = x;
  end[axis] += side == 0 ? -most : most;
  const double here = level_(x), there = level_(end);
  if (is_fluid(there)) return -1;
  if (!is_fluid(here)) return 0;
  return most * root_between([&](double s) { return level_(between(x, end, s)); }, here, there);
}

template class CutGrid<2>;
template class CutGrid<3>;

}  // namespace hodge::sim
