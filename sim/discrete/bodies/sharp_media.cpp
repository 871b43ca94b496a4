#include "sim/discrete/bodies/sharp_media.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

constexpr double least_inclination = 1e-3;  // |n_e| of a surface with a resistance
constexpr double difference_share = 1e-3;   // of a width, for gradients of a level
constexpr int samples_of_way = 8;
constexpr double equal_gradients = 0.02;  // weight of both sides of a resistance having one

template <int Dim>
std::vector<int> key_of_cell(const Index<Dim>& c) {
  std::vector<int> key(Dim);
  for (int d = 0; d < Dim; ++d) key[static_cast<std::size_t>(d)] = c[d];
  return key;
}

// x of the least squares of rows * x = values, as the weights of the values in sum_j wanted_j x_j.
// Columns are scaled to 1, so that one which hardly has an effect becomes none.
class Fit {
 public:
  explicit Fit(std::size_t unknowns) : unknowns_(unknowns) {}

  void add(const std::vector<double>& row, double weight) {
    rows_.push_back(row);
    for (double& value : rows_.back()) value *= weight;
    weights_.push_back(weight);
  }
  std::vector<double> weights_of(std::vector<double> wanted) {
    std::vector<double> scale(unknowns_, 0.0);
    for (const std::vector<double>& row : rows_)
      for (std::size_t j = 0; j < unknowns_; ++j) scale[j] += row[j] * row[j];
    for (double& value : scale) value = value > 0 ? std::sqrt(value) : 1.0;
    std::vector<std::vector<double>> a(unknowns_, std::vector<double>(unknowns_, 0.0));
    for (std::size_t i = 0; i < unknowns_; ++i) {
      for (std::size_t j = 0; j < unknowns_; ++j)
        for (const std::vector<double>& row : rows_)
          a[i][j] += row[i] / scale[i] * row[j] / scale[j];
      a[i][i] += 1e-12;
      wanted[i] /= scale[i];
    }
    // a y = wanted, a symmetric and positive definite
    for (std::size_t k = 0; k < unknowns_; ++k)
      for (std::size_t i = k + 1; i < unknowns_; ++i) {
        const double factor = a[i][k] / a[k][k];
        for (std::size_t j = k; j < unknowns_; ++j) a[i][j] -= factor * a[k][j];
        wanted[i] -= factor * wanted[k];
      }
    for (std::size_t k = unknowns_; k-- > 0;) {
      for (std::size_t j = k + 1; j < unknowns_; ++j) wanted[k] -= a[k][j] * wanted[j];
      wanted[k] /= a[k][k];
    }
    std::vector<double> weights(rows_.size(), 0.0);
    for (std::size_t p = 0; p < rows_.size(); ++p)
      for (std::size_t j = 0; j < unknowns_; ++j)
        weights[p] += weights_[p] * rows_[p][j] / scale[j] * wanted[j];
    return weights;
  }

 private:
  std::size_t unknowns_;
  std::vector<std::vector<double>> rows_;
  std::vector<double> weights_;
};

bool conducts_alike(const HeatInside& a, const HeatInside& b) {
  return a.resistance == 0 && b.resistance == 0 && a.conductivity == b.conductivity &&
         a.capacity == b.capacity;
}

}  // namespace

// Bodies side by side in the list that conduct alike are one medium.
template <int Dim>
SharpMedia<Dim>::SharpMedia(const Grid& grid, const Problem& problem, const ScalarProblem& scalar,
                            const LevelFunction& blocked, const Box<Dim>& cells)
    : media_{{.conductivity = scalar.diffusivity}}, blocked_(blocked), known_(cells) {
  const std::vector<Solid>& solids = problem.solids;
  if (blocked_) blocked_cuts_.emplace(grid, problem.boundaries, blocked_, cells);
  LevelFunction least = blocked_;
  for (std::size_t first = 0; first < solids.size();) {
    const HeatInside* const heat = heat_in(solids[first], scalar.name);
    std::size_t last = first + 1;
    if (heat == nullptr) {
      first = last;
      continue;
    }
    for (; last < solids.size(); ++last) {
      const HeatInside* const next = heat_in(solids[last], scalar.name);
      if (next == nullptr || !conducts_alike(*heat, *next)) break;
    }
    Medium& made = media_.emplace_back();
    made = {heat->conductivity, heat->capacity, heat->resistance};
    made.bodies.emplace(grid, problem, [&](const Solid& of) {
      const auto k = static_cast<std::size_t>(&of - solids.data());
      return k >= first && k < last;
    });
    made.level = made.bodies->least();
    least = !least ? made.level
                   : [a = least, b = made.level](const Point& x) { return std::min(a(x), b(x)); };
    unions_.emplace_back(grid, problem.boundaries, least, cells);
    first = last;
  }
  for (int d = 0; d < Dim; ++d) {
    known_.lower[d] -= CutGrid<Dim>::margin - 1;
    known_.upper[d] += CutGrid<Dim>::margin - 1;
  }
  medium_of_.resize(static_cast<std::size_t>(known_.size()));
  for_each_by_threads(known_, [&](const Index<Dim>& c) {
    medium_of_[static_cast<std::size_t>(known_.position(c))] =
        static_cast<std::uint8_t>(medium_at(this->grid().middle(c)));
  });
}

template <int Dim>
bool SharpMedia<Dim>::is_near(const Index<Dim>& c) const {
  return std::ranges::any_of(unions_,
                             [&](const CutFaces<Dim>& cuts) { return cuts.grid().is_near(c); });
}

// A point in a blocked body stands for the one of its surface that is nearest.
template <int Dim>
int SharpMedia<Dim>::medium_at(Point x) const {
  if (blocked_ && blocked_(x) <= 0) {
    const double level = blocked_(x);
    Point gradient{};
    double squares = 0;
    const double step = difference_share * grid().width(0, 0);
    for (int d = 0; d < Dim; ++d) {
      Point above = x, below = x;
      above[d] += step;
      below[d] -= step;
      gradient[d] = (blocked_(above) - blocked_(below)) / (2 * step);
      squares += gradient[d] * gradient[d];
    }
    const double away = -level + step;
    for (int d = 0; d < Dim && squares > 0; ++d) x[d] += away * gradient[d] / squares;
  }
  for (int m = 1; m < count(); ++m)
    if (medium(m).level(x) <= 0) return m;
  return 0;
}

template <int Dim>
int SharpMedia<Dim>::medium_of(const Index<Dim>& c) const {
  if (!known_.contains(c)) return medium_at(grid().middle(c));
  return medium_of_[static_cast<std::size_t>(known_.position(c))];
}

template <int Dim>
std::uint8_t SharpMedia<Dim>::body_of(int m, const Point& x) const {
  return m == 0 ? std::uint8_t{0} : medium(m).bodies->nearest(x);
}

// What each medium takes of what the ones before it have left open.
template <int Dim>
std::vector<double> SharpMedia<Dim>::parts(const std::function<double(CutFaces<Dim>&)>& open) {
  std::vector<double> parts(media_.size(), 0.0);
  double left = blocked_cuts_ ? open(*blocked_cuts_) : 1.0;
  for (std::size_t m = 1; m < media_.size(); ++m) {
    const double now = std::min(left, open(unions_[m - 1]));
    parts[m] = left - now;
    left = now;
  }
  parts[0] = left;
  return parts;
}
template <int Dim>
const std::vector<double>& SharpMedia<Dim>::parts_of_cell(const Index<Dim>& c) {
  const auto [at, is_new] = parts_.try_emplace(key_of_cell(c));
  if (is_new) at->second = parts([&](CutFaces<Dim>& cuts) { return cuts.fluid(c); });
  return at->second;
}
template <int Dim>
std::vector<double> SharpMedia<Dim>::parts_of_face(int d, const Index<Dim>& c) {
  return parts([&](CutFaces<Dim>& cuts) { return cuts.face(d, c).fraction; });
}

// Less than 0 in the medium that comes first in the list.
template <int Dim>
double SharpMedia<Dim>::level_between(int a, int b, const Point& x) const {
  const int first = a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
  return medium(first).level(x);
}
template <int Dim>
Point SharpMedia<Dim>::normal_between(int a, int b, const Point& x, const Index<Dim>& c) const {
  Point normal{};
  double squares = 0;
  for (int d = 0; d < Dim; ++d) {
    const double step = difference_share * grid().width(d, c[d]);
    Point above = x, below = x;
    above[d] += step;
    below[d] -= step;
    normal[d] = (level_between(a, b, above) - level_between(a, b, below)) / (2 * step);
    squares += normal[d] * normal[d];
  }
  for (double& part : normal) part = squares > 0 ? part / std::sqrt(squares) : 0.0;
  return normal;
}

// Where a way along an axis passes from one medium into another.
template <int Dim>
std::vector<typename SharpMedia<Dim>::Crossing> SharpMedia<Dim>::crossings(const Point& x, int axis,
                                                                           double way, int first,
                                                                           int last) const {
  const auto at = [&](double share) {
    Point place = x;
    place[axis] += share * way;
    return medium_at(place);
  };
  std::vector<Crossing> found;
  int from = first;
  for (int k = 1; k <= samples_of_way; ++k) {
    const int to = k == samples_of_way ? last : at(k * (1.0 / samples_of_way));
    if (to == from) continue;
    double below = (k - 1) * (1.0 / samples_of_way), above = k * (1.0 / samples_of_way);
    for (int i = 0; i < 50; ++i) {
      const double middle = 0.5 * (below + above);
      (at(middle) == from ? below : above) = middle;
    }
    found.push_back({from, to, std::abs(way) * 0.5 * (below + above)});
    from = to;
  }
  return found;
}

template <int Dim>
double SharpMedia<Dim>::resistance(const Index<Dim>& c, int axis, double way, int first,
                                   int last) const {
  const Point x = grid().middle(c);
  double sum = 0, passed = 0;
  for (const Crossing& crossing : crossings(x, axis, way, first, last)) {
    sum += (crossing.at - passed) / conductivity(crossing.from);
    passed = crossing.at;
    const double resists = medium(crossing.from).resistance + medium(crossing.to).resistance;
    if (!(resists > 0)) continue;
    Point place = x;
    place[axis] += way < 0 ? -crossing.at : crossing.at;
    const Point normal = normal_between(crossing.from, crossing.to, place, c);
    sum += resists / std::max(std::abs(normal[axis]), least_inclination);
  }
  return sum + (std::abs(way) - passed) / conductivity(last);
}

template <int Dim>
double SharpMedia<Dim>::conductance_to_next(const Index<Dim>& c, int axis, int side) {
  const Index<Dim> there = c.shifted(axis, side == 0 ? -1 : 1);
  const double way = grid().centre(axis, there[axis]) - grid().centre(axis, c[axis]);
  const int first = medium_of(c), last = medium_of(there);
  if (first == last && !is_near(c)) return conductivity(first) / std::abs(way);
  return 1 / resistance(c, axis, way, first, last);
}
template <int Dim>
double SharpMedia<Dim>::conductance_over(const Index<Dim>& c, int axis, int side, double distance) {
  Point end = grid().middle(c);
  end[axis] += side == 0 ? -distance : distance;
  // Bodies with a value may lie in or touch a medium: what is on their surface is what ends there.
  Point before = end;
  before[axis] += (side == 0 ? 1e-6 : -1e-6) * distance;
  const int first = medium_of(c);
  return 1 / resistance(c, axis, side == 0 ? -distance : distance, first, medium_at(before));
}

// Weights of G_e, times factors[0] in between[0] and factors[1] in between[1]: where the surface
// resists, each side has a gradient of its own.
template <int Dim>
typename SharpMedia<Dim>::Taps SharpMedia<Dim>::gradient_along(
    int e, const Index<Dim>& c, const std::array<int, 2>& between, const Point& at,
    const Taps& around, const std::array<double, 2>& factors) {
  const auto [a, b] = between;
  const double resists = medium(a).resistance + medium(b).resistance;
  const bool is_one = !(resists > 0);
  const Point n = normal_between(a, b, at, c);
  // Two axes in the surface: what the axes of the grid other than that of the largest n_d have of
  // it, orthogonal to each other.
  std::vector<Point> axes;
  int largest = 0;
  for (int d = 1; d < Dim; ++d)
    if (std::abs(n[d]) > std::abs(n[largest])) largest = d;
  for (int d = 0; d < Dim; ++d) {
    if (d == largest) continue;
    Point t{};
    t[d] = 1;
    double along = n[d];
    for (int i = 0; i < Dim; ++i) t[i] -= along * n[i];
    for (const Point& other : axes) {
      along = t[0] * other[0] + t[1] * other[1] + t[2] * other[2];
      for (int i = 0; i < Dim; ++i) t[i] -= along * other[i];
    }
    const double length = std::hypot(t[0], t[1], t[2]);
    for (double& part : t) part /= length;
    axes.push_back(t);
  }
  const std::size_t sides = is_one ? 1 : 2, unknowns = 2 + sides * axes.size();
  const double best = std::max(conductivity(a), conductivity(b)), h = grid().width(e, c[e]);
  Fit fit(unknowns);
  const int first = a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
  for (const WeighedCell<Dim>& cell : around) {
    const Point x = grid().middle(cell.c);
    const int m = medium_of(cell.c);
    const double level = level_between(a, b, x);
    std::vector<double> row(unknowns, 0.0);
    row[0] = 1;
    row[1] = (level / conductivity(m) - (m == first ? resists : 0.0)) * best / h;
    const std::size_t from = !is_one && m == b ? 2 + axes.size() : 2;
    for (std::size_t k = 0; k < axes.size(); ++k)
      for (int d = 0; d < Dim; ++d) row[from + k] += (x[d] - at[d]) * axes[k][d] / h;
    fit.add(row, conductivity(m) / best);
  }
  for (std::size_t k = 0; k < axes.size() && !is_one; ++k) {
    std::vector<double> row(unknowns, 0.0);
    row[2 + k] = 1;
    row[2 + axes.size() + k] = -1;
    fit.add(row, equal_gradients);
  }
  std::vector<double> wanted(unknowns, 0.0);
  for (std::size_t k = 0; k < axes.size(); ++k) {
    wanted[2 + k] += axes[k][e] / h * (is_one ? factors[0] + factors[1] : factors[0]);
    if (!is_one) wanted[2 + axes.size() + k] += axes[k][e] / h * factors[1];
  }
  const std::vector<double> weights = fit.weights_of(wanted);
  Taps taps = around;
  for (std::size_t k = 0; k < taps.size(); ++k) taps[k].weight = weights[k];
  return taps;
}

template <int Dim>
typename SharpMedia<Dim>::Taps SharpMedia<Dim>::along_surface(
    int e, const Index<Dim>& c, const std::function<bool(const Index<Dim>&)>& has_value) {
  const Index<Dim> below = c.shifted(e, -1);
  if (!is_near(c) || !has_value(below) || !has_value(c)) return {};
  const int from = medium_of(below), to = medium_of(c);
  const std::vector<double> parts = parts_of_face(e, c);
  // The two media around.
  std::array<int, 2> between{from, to};
  const auto meets = [&](int m) {
    if (m == between[0] || m == between[1]) return true;
    if (between[0] != between[1]) return false;
    between[1] = m;
    return true;
  };
  for (int m = 0; m < count(); ++m)
    if (parts[static_cast<std::size_t>(m)] > 0 && !meets(m)) return {};
  if (between[0] == between[1]) return {};
  Box<Dim> block{below, c};
  for (int d = 0; d < Dim; ++d) {
    ++block.upper[d];
    if (d != e) --block.lower[d], ++block.upper[d];
  }
  Taps around;
  bool is_simple = true;
  for_each_on_host(block, [&](const Index<Dim>& at) {
    if (!has_value(at)) return;
    around.push_back({at, 0.0});
    is_simple = is_simple && meets(medium_of(at));
  });
  if (!is_simple) return {};
  const double delta = grid().centre(e, c[e]) - grid().centre(e, below[e]);
  Point at = grid().middle(c);
  at[e] = grid().edge(e, c[e]);
  // A K delta, of which each medium has its share of the way.
  double open = 0, ways[2] = {};
  for (const double part : parts) open += part;
  const double in_series = open * delta * conductance_to_next(below, e, 1);
  const std::vector<Crossing> passes = crossings(grid().middle(below), e, delta, from, to);
  if (passes.size() > 1) return {};
  const double first_way = passes.empty() ? 1.0 : passes[0].at / delta;
  ways[from == between[0] ? 0 : 1] += first_way;
  ways[to == between[0] ? 0 : 1] += 1 - first_way;
  if (!passes.empty()) at[e] = grid().centre(e, below[e]) + passes[0].at;
  std::array<double, 2> factors{};
  for (std::size_t k = 0; k < 2; ++k) {
    const auto m = static_cast<std::size_t>(between[k]);
    factors[k] = parts[m] * medium(between[k]).conductivity - in_series * ways[k];
  }
  // Towards c goes what falls along e.
  Taps taps = gradient_along(e, c, between, at, around, {-factors[0], -factors[1]});
  std::erase_if(taps, [](const WeighedCell<Dim>& tap) { return tap.weight == 0; });
  return taps;
}

template class SharpMedia<2>;
template class SharpMedia<3>;

}  // namespace hodge::sim
