// Over 400 lines: the patches and both fits at them ask one maker for the level and its slope.
#include "sim/discrete/probes/sharp_surface.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "sim/base/small_system.hpp"
#include "sim/discrete/grid/metrics.hpp"
#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

constexpr double least_area = 1e-9;        // of a cell's faces
constexpr double fit_reach = ghost_width;  // of a fit, in widths of cells
constexpr double most_of_slopes = 8;       // sum of abs(weight phi) of a fit; 1 of exact ones
constexpr double least_towards = 0.3;      // share of the slope of the level along the normal
constexpr double difference_step = 1e-3;   // of a width, for the slope of the level function
constexpr double most_of_a_cell = 4;       // weight of a cell in a value or flux, flux in units
constexpr double one_gradient = 1e4;       // weight of both sides of a surface having one, of all

double dot(const Point& a, const Point& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Point moved(const Point& from, double way, const Point& along) {
  return {from[0] + way * along[0], from[1] + way * along[1], from[2] + way * along[2]};
}

Point mean_of(const std::vector<Point>& points) {
  Point mean{};
  for (const Point& x : points) mean = moved(mean, 1.0 / static_cast<double>(points.size()), x);
  return mean;
}

// Dim - 1 axes in the surface with a normal.
template <int Dim>
std::vector<Point> axes_across(const Point& normal) {
  if constexpr (Dim == 2) return {{-normal[1], normal[0], 0}};
  std::size_t least = 0;
  for (std::size_t d = 1; d < 3; ++d)
    if (std::abs(normal[d]) < std::abs(normal[least])) least = d;
  Point axis{};
  axis[least] = 1;
  const Point across = cross(normal, axis);
  const Point first = moved({}, 1 / std::sqrt(dot(across, across)), across);
  return {first, cross(normal, first)};
}

// In the order of a walk around the normal; in 2D the two that are farthest apart, the fluid to the
// left of the way from the first to the second.
template <int Dim>
std::vector<Point> walk(std::vector<Point> points, const Point& normal) {
  if constexpr (Dim == 2) {
    const Point along{normal[1], -normal[0], 0};
    std::ranges::sort(points, {}, [&](const Point& x) { return dot(x, along); });
    return {points.front(), points.back()};
  }
  const Point middle = mean_of(points);
  const std::vector<Point> axes = axes_across<Dim>(normal);
  const Point &a = axes[0], &b = axes[1];
  std::ranges::sort(points, {}, [&](const Point& x) {
    const Point from = moved(x, -1, middle);
    return std::atan2(dot(from, b), dot(from, a));
  });
  return points;
}

// The centroid: of the triangles of a polygon with its first corner.
Point centroid_of(const std::vector<Point>& corners) {
  if (corners.size() < 3) return mean_of(corners);
  Point sum{};
  double all = 0;
  for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
    const Point turned =
        cross(moved(corners[k], -1, corners[0]), moved(corners[k + 1], -1, corners[0]));
    const double area = std::sqrt(dot(turned, turned));
    sum = moved(sum, area, mean_of({corners[0], corners[k], corners[k + 1]}));
    all += area;
  }
  return all > 0 ? moved({}, 1 / all, sum) : mean_of(corners);
}

template <int Dim>
std::array<int, 3> place_in_box(const Index<Dim>& c) {
  std::array<int, 3> place{};
  for (int d = 0; d < Dim; ++d) place[static_cast<std::size_t>(d)] = c[d];
  return place;
}

}  // namespace

template <int Dim>
SharpSurface<Dim>::SharpSurface(const Grid& grid, const Problem& problem,
                                const ScalarProblem* scalar)
    : boundaries_(problem.boundaries),
      cells_(layout_of<Dim>(grid).interior()),
      levels_(grid, problem,
              [scalar](const Solid& solid) {
                if (scalar == nullptr) return true;
                const SolidScalar* const of = scalar_of(solid, scalar->name);
                return of != nullptr && of->surface.traits().condition == Condition::value;
              }),
      level_(levels_.least()),
      faces_(grid, boundaries_, level_, cells_) {}

template <int Dim>
Index<Dim> SharpSurface<Dim>::cell_of(const SurfacePatch& patch) const {
  Index<Dim> c{};
  for (int d = 0; d < Dim; ++d) c[d] = patch.cell[static_cast<std::size_t>(d)];
  return c;
}

template <int Dim>
double SharpSurface<Dim>::slope_of_level(const Point& x, const Index<Dim>& c,
                                         Point& gradient) const {
  for (int d = 0; d < Dim; ++d) {
    const double step = difference_step * faces_.grid().width(d, c[d]);
    Point above = x, below = x;
    above[d] += step;
    below[d] -= step;
    gradient[d] = (level_(above) - level_(below)) / (2 * step);
  }
  return std::sqrt(dot(gradient, gradient));
}

// The nearest point of the surface, by a step of Newton's method.
template <int Dim>
Point SharpSurface<Dim>::on_surface(Point x, const Index<Dim>& c) const {
  Point gradient{};
  const double slope = slope_of_level(x, c, gradient);
  return slope > 0 ? moved(x, -level_(x) / (slope * slope), gradient) : x;
}

template <int Dim>
std::vector<SurfacePatch> SharpSurface<Dim>::patches() {
  std::vector<SurfacePatch> patches;
  for_each_on_host(cells_, [&](const Index<Dim>& c) {
    if (!faces_.grid().is_near(c)) return;
    const std::optional<Index<Dim>> from = faces_.pressure_cell_of(c);
    if (!from) return;
    const WallPiece<Dim> piece = faces_.piece(c, *from);
    SurfacePatch patch;
    double scale = 0;
    for (int d = 0; d < Dim; ++d) {
      double across = 1;
      for (int e = 0; e < Dim; ++e) across *= e == d ? 1 : faces_.grid().width(e, c[e]);
      scale = std::max(scale, across);
      patch.normal[static_cast<std::size_t>(d)] = -piece.area[d];
    }
    patch.area = std::sqrt(dot(patch.normal, patch.normal));
    std::vector<Point> crossings = faces_.grid().crossings(c);
    if (patch.area <= least_area * scale || crossings.size() < Dim) return;
    patch.normal = moved({}, 1 / patch.area, patch.normal);
    patch.corners = walk<Dim>(std::move(crossings), patch.normal);
    patch.middle = on_surface(centroid_of(patch.corners), c);
    patch.cell = place_in_box(c);
    patch.pressure_cell = place_in_box(*from);
    patch.body = levels_.nearest(faces_.middle_of_surface(c));
    patches.push_back(std::move(patch));
  });
  return patches;
}

// Whether nothing of a body is between a patch and a point.
template <int Dim>
bool SharpSurface<Dim>::sees(const SurfacePatch& patch, const Point& x) const {
  const Point way = moved(x, -1, patch.middle);
  bool free = true;
  for (const double share : {0.25, 0.5, 0.75})
    free = free && level_(moved(patch.middle, share, way)) > 0;
  return free;
}

// Whether a value at c takes part in the fit of a patch, and where it is.
template <int Dim>
bool SharpSurface<Dim>::counts(int location, const Index<Dim>& c, const SurfacePatch& patch,
                               Point& x) {
  if (location != at_cells) {
    if (!faces_.is_in_box(location, c) || !faces_.has_unknown(location, c)) return false;
    x = faces_.face(location, c).centroid;
    return level_(x) > 0;
  }
  x = faces_.grid().middle(c);
  return is_in_box(c) && level_(x) > 0 && levels_.nearest(x) == patch.body;
}

template <int Dim>
bool SharpSurface<Dim>::is_in_box(const Index<Dim>& c) const {
  for (int d = 0; d < Dim; ++d)
    if (!boundaries_.periodic(d) && (c[d] < 0 || c[d] >= cells_.upper[d])) return false;
  return true;
}

template <int Dim>
std::vector<typename SharpSurface<Dim>::Sample> SharpSurface<Dim>::samples(
    int location, const SurfacePatch& patch) {
  const Index<Dim> cell = cell_of(patch);
  const CutGrid<Dim>& grid = faces_.grid();
  const auto width = [&](int d) { return grid.width(d, cell[d]); };
  Box<Dim> around{cell, cell};
  for (int d = 0; d < Dim; ++d) around.lower[d] -= ghost_width, around.upper[d] += ghost_width + 1;
  Point gradient{};
  const double slope = slope_of_level(patch.middle, cell, gradient);
  std::vector<Sample> found;
  for_each_on_host(around, [&](const Index<Dim>& c) {
    double about = 0;  // the value is within half a width of this place
    for (int d = 0; d < Dim; ++d) {
      const double at = d == location ? grid.edge(d, c[d]) : grid.centre(d, c[d]);
      const double r = std::max(0.0, std::abs(at - patch.middle[d]) / width(d) - 0.5);
      about += r * r;
    }
    Point x{};
    if (about > fit_reach * fit_reach || !counts(location, c, patch, x)) return;
    Sample sample{};
    for (int d = 0; d < Dim; ++d) sample.tap.shift[d] = static_cast<std::int8_t>(c[d] - cell[d]);
    const double phi = slope > 0 ? level_(x) / slope : 0;
    double squares = 0;
    Point place{};
    for (int d = 0; d < Dim; ++d) {
      const double r = (x[d] - patch.middle[d]) / width(d);
      squares += r * r;
      place[static_cast<std::size_t>(d)] = r;
    }
    std::size_t next = 0;
    sample.row[next++] = phi;
    for (std::size_t d = 0; d < Dim; ++d) sample.row[next++] = phi * place[d];
    for (std::size_t d = 0; d < Dim; ++d)
      for (std::size_t e = d; e < Dim; ++e) sample.row[next++] = phi * place[d] * place[e];
    if (squares >= fit_reach * fit_reach || !sees(patch, x)) return;
    // Beyond an edge, or the middle of a gap, the nearest surface is another one.
    const double step = difference_step * width(0);
    const double rise =
        level_(moved(x, step, patch.normal)) - level_(moved(x, -step, patch.normal));
    if (rise < least_towards * slope * 2 * step) return;
    const double share = 1 - squares / (fit_reach * fit_reach);
    sample.weight = share * share;
    if (location == at_cells) sample.foot = levels_.in_box(on_surface(x, c));
    found.push_back(sample);
  });
  return found;
}

// Where the points do not tell b or B, these are held near 0, B first, until the weights are
// bounded.
template <int Dim>
PatchTaps SharpSurface<Dim>::slope_taps(int location, const SurfacePatch& patch) {
  constexpr std::size_t n = unknowns;
  using Row = std::array<double, n>;
  const std::vector<Sample> found = samples(location, patch);
  PatchTaps result;
  std::array<Row, n> sums{};
  for (const Sample& sample : found)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        sums[i][j] += sample.weight * sample.row[i] * sample.row[j];
  if (!(sums[0][0] > 0)) return result;
  double flatter = 1e-6, all = 0;
  do {
    std::array<Row, n> bounded = sums;
    for (std::size_t i = 1; i < n; ++i)
      bounded[i][i] += (i <= Dim ? flatter * flatter : flatter) * sums[0][0];
    Row first{};
    first[0] = 1;
    const Row g = solve_small<n>(bounded, first);
    result = {};
    all = 0;
    for (const Sample& sample : found) {
      PatchTap tap = sample.tap;
      tap.weight = sample.weight * std::inner_product(g.begin(), g.end(), sample.row.begin(), 0.0);
      all += std::abs(tap.weight * sample.row[0]);
      result.taps.push_back(tap);
      if (location == at_cells) result.feet.push_back(sample.foot);
    }
    flatter *= 10;
  } while (all > most_of_slopes && flatter < 1e6);
  return result;
}

// The columns of F and of the other side's w are in units of q: F h / (the lesser conductivity).
template <int Dim>
std::vector<typename SharpSurface<Dim>::ConductedSample> SharpSurface<Dim>::conducted_samples(
    const SurfacePatch& patch, double diffusivity, const HeatInside& heat,
    const LevelFunction& within) const {
  const Index<Dim> cell = cell_of(patch);
  const CutGrid<Dim>& grid = faces_.grid();
  Point normal{};
  const double slope = slope_of_level(patch.middle, cell, normal);
  normal = slope > 0 ? moved({}, 1 / slope, normal) : patch.normal;
  const std::vector<Point> axes = axes_across<Dim>(normal);
  const double poorer = std::min(diffusivity, heat.conductivity), h = grid.width(0, cell[0]);
  Box<Dim> around{cell, cell};
  for (int d = 0; d < Dim; ++d) around.lower[d] -= ghost_width, around.upper[d] += ghost_width + 1;
  std::vector<ConductedSample> found;
  for_each_on_host(around, [&](const Index<Dim>& c) {
    if (!is_in_box(c)) return;
    const Point x = grid.middle(c), way = moved(x, -1, patch.middle);
    double squares = 0;
    ConductedSample sample{};
    Point place{};
    for (int d = 0; d < Dim; ++d) {
      place[static_cast<std::size_t>(d)] = way[d] / grid.width(d, cell[d]);
      squares += place[d] * place[d];
      sample.tap.shift[d] = static_cast<std::int8_t>(c[d] - cell[d]);
    }
    if (squares >= fit_reach * fit_reach) return;
    const bool is_fluid = level_(x) > 0;
    if (is_fluid && levels_.nearest(x) != patch.body) return;
    const auto is_on_the_way = [&](double share) {
      const Point at = moved(patch.middle, share, way);
      return is_fluid ? level_(at) > 0 : within(at) <= 0;
    };
    for (const double share : {0.25, 0.5, 0.75, 1.0})
      if (!is_on_the_way(share)) return;
    const double share = 1 - squares / (fit_reach * fit_reach);
    sample.weight = share * share;
    sample.row[0] = 1;
    sample.row[1] = -dot(way, normal) / (is_fluid ? diffusivity : heat.conductivity);
    if (!is_fluid) sample.row[1] += heat.resistance;
    sample.row[1] *= poorer / h;
    std::size_t next = is_fluid ? 2 : 2 + on_side;
    for (const Point& along : axes) sample.row[next++] = dot(way, along) / h;
    for (std::size_t d = 0; d < Dim; ++d)
      for (std::size_t e = d; e < Dim; ++e) sample.row[next++] = place[d] * place[e];
    found.push_back(sample);
  });
  return found;
}

// Where the cells do not tell B or G, these are held near 0, B first, until the weights are
// bounded.
template <int Dim>
ConductedTaps SharpSurface<Dim>::conducted_taps(const SurfacePatch& patch, double diffusivity,
                                                const HeatInside& heat,
                                                const LevelFunction& within) const {
  constexpr std::size_t n = conducted;
  using Row = std::array<double, n>;
  const std::vector<ConductedSample> found = conducted_samples(patch, diffusivity, heat, within);
  const double flux_unit =
      std::min(diffusivity, heat.conductivity) / faces_.grid().width(0, patch.cell[0]);
  ConductedTaps result;
  std::array<Row, n> sums{};
  double all = 0;
  const auto add = [&](const Row& row, double weight) {
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) sums[i][j] += weight * row[i] * row[j];
  };
  for (const ConductedSample& sample : found) {
    add(sample.row, sample.weight);
    all += sample.weight;
  }
  if (found.empty()) return result;
  for (std::size_t k = 0; k + 1 < Dim && heat.resistance == 0; ++k) {
    Row equal{};
    equal[2 + k] = 1;
    equal[2 + on_side + k] = -1;
    add(equal, one_gradient * all);
  }
  Row scale{};
  for (std::size_t i = 0; i < n; ++i) scale[i] = sums[i][i] > 0 ? 1 / std::sqrt(sums[i][i]) : 1;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) sums[i][j] *= scale[i] * scale[j];
  double flatter = 1e-10, most = 0;
  do {
    std::array<Row, n> bounded = sums;
    bounded[0][0] += 1e-13;
    bounded[1][1] += 1e-13;
    for (std::size_t i = 2; i < n; ++i)
      bounded[i][i] += (i - 2) % on_side + 1 < Dim ? flatter * flatter + 1e-13 : flatter;
    Row of_value{}, of_flux{};
    of_value[0] = scale[0];
    of_flux[1] = scale[1];
    const Row value = solve_small<n>(bounded, of_value), flux = solve_small<n>(bounded, of_flux);
    result = {};
    most = 0;
    for (const ConductedSample& sample : found) {
      double weights[2] = {};
      for (std::size_t i = 0; i < n; ++i) {
        weights[0] += sample.weight * sample.row[i] * scale[i] * value[i];
        weights[1] += sample.weight * sample.row[i] * scale[i] * flux[i];
      }
      most = std::max(most, std::abs(weights[0]));
      most = std::max(most, std::abs(weights[1]));
      PatchTap tap = sample.tap;
      tap.weight = weights[0];
      result.value.push_back(tap);
      tap.weight = weights[1] * flux_unit;
      result.flux.push_back(tap);
    }
    flatter *= 100;
  } while (most > most_of_a_cell && flatter < 1e6);
  return result;
}

template class SharpSurface<2>;
template class SharpSurface<3>;

}  // namespace hodge::sim
