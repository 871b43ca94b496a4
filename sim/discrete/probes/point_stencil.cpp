#include "sim/discrete/probes/point_stencil.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linalg/base/errors.hpp"

namespace hodge::sim {
namespace {

// Two neighbours along an axis and the weights of a coordinate between (or beyond) them.
struct Pair {
  int index[2];
  double weight[2];
};

int wrapped(int i, int n) {
  return (i + n) % n;
}

// Of cell i, or of the cell beyond a side: its mirror image, or the periodic one.
double centre_of(const Axis& axis, bool periodic, int i) {
  const int n = axis.cells();
  if (i == -1) return axis.lower() - 0.5 * (periodic ? axis.widths.back() : axis.widths.front());
  if (i == n) return axis.upper() + 0.5 * (periodic ? axis.widths.front() : axis.widths.back());
  return axis.centre(i);
}

Pair pair_of_faces(const Axis& axis, bool periodic, int cell, double x) {
  const double fraction = (x - axis.edges[cell]) / axis.widths[cell];
  const bool at_end = cell + 1 == axis.cells();
  return {{cell, periodic && at_end ? 0 : cell + 1}, {1 - fraction, fraction}};
}

Pair pair_of_centres(const Axis& axis, bool periodic, const std::array<bool, 2>& ghosts, int cell,
                     double x) {
  const int n = axis.cells();
  int lower = x < axis.centre(cell) ? cell - 1 : cell;
  if (!periodic && n > 1) {
    if (lower == -1 && !ghosts[0]) lower = 0;
    if (lower == n - 1 && !ghosts[1]) lower = n - 2;
  }
  const double first = centre_of(axis, periodic, lower);
  const double fraction = (x - first) / (centre_of(axis, periodic, lower + 1) - first);
  Pair pair{{lower, lower + 1}, {1 - fraction, fraction}};
  if (periodic)
    for (int& i : pair.index) i = wrapped(i, n);
  return pair;
}

// No extrapolation: the nearer of the two alone.
Pair clamped(const Pair& pair) {
  const double upper = std::clamp(pair.weight[1], 0.0, 1.0);
  return {{pair.index[0], pair.index[1]}, {1 - upper, upper}};
}

template <int Dim>
using Pairs = std::array<Pair, Dim>;

template <int Dim>
PointStencil<Dim> product(const Pairs<Dim>& pairs) {
  PointStencil<Dim> stencil{};
  for (int k = 0; k < PointStencil<Dim>::corners; ++k) {
    stencil.weight[k] = 1;
    for (int e = 0; e < Dim; ++e) {
      const int upper = (k >> e) & 1;
      stencil.at[k][e] = pairs[e].index[upper];
      stencil.weight[k] *= pairs[e].weight[upper];
    }
  }
  return stencil;
}

template <int Dim>
std::array<int, 3> cell_at(const Index<Dim>& c) {
  std::array<int, 3> cell{};
  for (int e = 0; e < Dim; ++e) cell[e] = c[e];
  return cell;
}

// The cell that the point is in. A point between cells belongs to a fluid cell if there is one.
template <int Dim>
Index<Dim> home_cell(const SampledBox& box, const Point& point) {
  Index<Dim> upper{};
  bool on_edge[Dim];
  for (int e = 0; e < Dim; ++e) {
    const std::vector<double>& edges = box.grid.edges(e);
    const double x = point[e];
    if (!(x >= edges.front() && x <= edges.back()))
      throw ConfigError(
          fmt::format("a point has {} = {}, expected a point in the box from {} to {}",
                      axis_names[e], x, edges.front(), edges.back()));
    const auto after = std::upper_bound(edges.begin(), edges.end(), x) - edges.begin();
    upper[e] = std::min(static_cast<int>(after) - 1, box.grid.cells(e) - 1);
    on_edge[e] = upper[e] > 0 && x == edges[static_cast<std::size_t>(upper[e])];
  }
  for (int k = 0; k < PointStencil<Dim>::corners; ++k) {
    Index<Dim> cell = upper;
    bool touches = true;
    for (int e = 0; e < Dim; ++e) {
      if (((k >> e) & 1) == 0) continue;
      --cell[e];
      touches = touches && on_edge[e];
    }
    if (touches && !box.solid(cell_at(cell))) return cell;
  }
  return upper;
}

// Weights of the corners that are in the same body as the point, or in the fluid (0), alone.
template <int Dim>
void leave_others_out(const SampledBox& box, int body, Pairs<Dim> pairs,
                      PointStencil<Dim>& stencil) {
  const auto is_other = [&](int k) { return box.body(cell_at(stencil.at[k])) != body; };
  bool any = false;
  for (int k = 0; k < PointStencil<Dim>::corners; ++k) any = any || is_other(k);
  if (!any) return;
  for (Pair& pair : pairs) pair = clamped(pair);
  stencil = product<Dim>(pairs);
  double sum = 0;
  for (int k = 0; k < PointStencil<Dim>::corners; ++k) {
    if (is_other(k)) stencil.weight[k] = 0;
    sum += stencil.weight[k];
  }
  for (double& weight : stencil.weight) weight /= sum;
}

// The value of a face within a solid is minus that of the free face across the surface.
template <int Dim>
void reflect_at_surfaces(const SampledBox& box, int d, PointStencil<Dim>& stencil) {
  const auto solid_cells = [&](const Index<Dim>& face) {
    return int{box.solid(cell_at(face))} + int{box.solid(cell_at(face.shifted(d, -1)))};
  };
  double added[PointStencil<Dim>::corners] = {};
  for (int k = 0; k < PointStencil<Dim>::corners; ++k) {
    if (solid_cells(stencil.at[k]) < 2) continue;
    int free = 0;
    for (int e = 0; e < Dim; ++e)
      if (e != d && solid_cells(stencil.at[k ^ (1 << e)]) == 0) ++free;
    for (int e = 0; e < Dim; ++e)
      if (e != d && solid_cells(stencil.at[k ^ (1 << e)]) == 0)
        added[k ^ (1 << e)] -= stencil.weight[k] / free;
    stencil.weight[k] = 0;
  }
  for (int k = 0; k < PointStencil<Dim>::corners; ++k) stencil.weight[k] += added[k];
}

}  // namespace

int SampledBox::body(std::array<int, 3> cell) const {
  if (bodies.empty()) return 0;
  std::size_t position = 0;
  for (int e = grid.dim() - 1; e >= 0; --e) {
    const int n = grid.cells(e);
    const int i = inner_cell(cell[e], n, boundaries.periodic(e));
    position = position * static_cast<std::size_t>(n) + static_cast<std::size_t>(i);
  }
  return bodies[position];
}

template <int Dim>
PointStencil<Dim> point_stencil(const SampledBox& box, const SampledLocation& location,
                                const Point& point) {
  const Index<Dim> home = home_cell<Dim>(box, point);
  const int body = box.body(cell_at(home));
  if (body != 0 && std::ranges::find(location.media, body) == location.media.end()) return {};
  Pairs<Dim> pairs;
  for (int e = 0; e < Dim; ++e) {
    const Axis& axis = box.grid.axis(e);
    const bool periodic = box.boundaries.periodic(e);
    pairs[e] = e == location.d
                   ? pair_of_faces(axis, periodic, home[e], point[e])
                   : pair_of_centres(axis, periodic, location.ghosts[e], home[e], point[e]);
  }
  PointStencil<Dim> stencil = product<Dim>(pairs);
  if (location.d == at_cells)
    leave_others_out<Dim>(box, body, pairs, stencil);
  else
    reflect_at_surfaces(box, location.d, stencil);
  return stencil;
}

template PointStencil<2> point_stencil<2>(const SampledBox&, const SampledLocation&, const Point&);
template PointStencil<3> point_stencil<3>(const SampledBox&, const SampledLocation&, const Point&);

}  // namespace hodge::sim
