#include "tools/hodge/validate/centreline.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/errors.hpp"

namespace hodge::tools {
namespace {

// The polynomial through points first ... first + count - 1 at x (Lagrange's form).
double lagrange(const Profile& profile, std::size_t first, std::size_t count, double x) {
  double sum = 0;
  for (std::size_t i = first; i < first + count; ++i) {
    double weight = 1;
    for (std::size_t k = first; k < first + count; ++k) {
      if (k == i) continue;
      weight *= (x - profile.positions[k]) / (profile.positions[i] - profile.positions[k]);
    }
    sum += weight * profile.values[i];
  }
  return sum;
}

// Where a window of `count` points begins that has `before` of them below index i, moved inside the
// profile.
std::size_t window(const Profile& profile, std::size_t i, std::size_t before, std::size_t count) {
  const std::size_t first = i > before ? i - before : 0;
  return std::min(first, profile.positions.size() - count);
}

}  // namespace

// With c a mean of two faces h apart, c = u + h^2/8 u'', so that across the line
//   near = mean of c(+-h/2) = u + 2 h^2/8 u'',   far = mean of c(+-3h/2) = u + 10 h^2/8 u'',
//   u = 5/4 near - 1/4 far + O(h^4).
Profile centreline(const sim::Flow& flow, int component, int axis, CentrelineEnds ends) {
  const sim::Grid& grid = flow.grid();
  const int across = 1 - axis, n = grid.cells(axis), m = grid.cells(across);
  if (grid.dim() != 2 || !grid.uniform() || m % 2 != 0 || m < 4) {
    throw ShapeError("centreline: a uniform 2D grid with an even number of cells is needed");
  }
  const std::vector<double> velocity = flow.cell_arrays({"velocity"})[0].values;
  const auto value = [&](int along, int over) {
    const int i = axis == 0 ? along : over, j = axis == 0 ? over : along;
    return velocity[3 * static_cast<std::size_t>(i + grid.cells(0) * j) +
                    static_cast<std::size_t>(component)];
  };
  Profile profile{{grid.axis(axis).lower()}, {ends.lower_wall}};
  for (int k = 0; k < n; ++k) {
    const double near = 0.5 * (value(k, m / 2 - 1) + value(k, m / 2));
    const double far = 0.5 * (value(k, m / 2 - 2) + value(k, m / 2 + 1));
    profile.positions.push_back(grid.axis(axis).centre(k));
    profile.values.push_back(1.25 * near - 0.25 * far);
  }
  profile.positions.push_back(grid.axis(axis).upper());
  profile.values.push_back(ends.upper_wall);
  return profile;
}

double interpolate(const Profile& profile, double position) {
  const auto above = std::upper_bound(profile.positions.begin(), profile.positions.end(), position);
  const auto index = static_cast<std::size_t>(above - profile.positions.begin());
  return lagrange(profile, window(profile, index, 2, 4), 4, position);
}

// The quartic has one extremum between the neighbours of the best point; golden section finds it.
Extremum extremum(const Profile& profile, int sign) {
  const auto less = [sign](double a, double b) { return sign * a < sign * b; };
  const auto best = std::max_element(profile.values.begin() + 1, profile.values.end() - 1, less);
  const auto index = static_cast<std::size_t>(best - profile.values.begin());
  const std::size_t first = window(profile, index, 2, 5);
  const auto at = [&](double x) { return sign * lagrange(profile, first, 5, x); };
  const double golden = 0.5 * (std::sqrt(5.0) - 1.0);
  double lower = profile.positions[index - 1], upper = profile.positions[index + 1];
  while (upper - lower > 1e-9) {
    const double a = upper - golden * (upper - lower), b = lower + golden * (upper - lower);
    (at(a) > at(b) ? upper : lower) = at(a) > at(b) ? b : a;
  }
  const double position = 0.5 * (lower + upper);
  return {position, sign * at(position)};
}

}  // namespace hodge::tools
