#include "sim/discrete/bodies/covered_part.hpp"

#include <array>
#include <cmath>
#include <functional>

namespace hodge::sim {
namespace {

constexpr int lines = 4;  // along each axis beside that of the lines

Point corner(const MeanBox& box, int number, int dim) {
  Point x{};
  for (int d = 0; d < dim; ++d) x[d] = (number >> d & 1) != 0 ? box.upper[d] : box.lower[d];
  return x;
}

// What a body covers of the line from a to b along axis d, with these levels there: the integral of
// `at`, by its value in the middle.
double along_line(int d, Point a, double level_a, const Point& b, double level_b,
                  const std::function<double(const Point&)>& at) {
  double from = a[d], to = b[d];
  if (level_a >= 0 && level_b >= 0) return 0;
  if ((level_a < 0) != (level_b < 0)) {
    const double surface = from + level_a / (level_a - level_b) * (to - from);
    (level_a < 0 ? to : from) = surface;
  }
  if (!(to > from)) return 0;
  a[d] = 0.5 * (from + to);
  return (to - from) * at(a);
}

// Along which the level changes most.
int axis_across(const std::array<double, 8>& levels, int dim) {
  int across = 0;
  double most = -1;
  for (int d = 0; d < dim; ++d) {
    double change = 0;
    for (int k = 0; k < 1 << dim; ++k) change += (k >> d & 1) != 0 ? levels[k] : -levels[k];
    if (std::abs(change) > most) {
      most = std::abs(change);
      across = d;
    }
  }
  return across;
}

}  // namespace

double covered_mean(const LevelSet& body, const MeanBox& box, int dim,
                    const std::function<double()>& whole,
                    const std::function<double(const Point&)>& at) {
  std::array<double, 8> levels{};
  int inside = 0;
  for (int k = 0; k < 1 << dim; ++k) {
    levels[k] = body.level(corner(box, k, dim));
    inside += levels[k] < 0;
  }
  Point middle{};
  for (int d = 0; d < dim; ++d) middle[d] = 0.5 * (box.lower[d] + box.upper[d]);
  const bool has_middle = body.level(middle) < 0;
  if (inside == 0 && !has_middle) return 0;
  if (inside == 1 << dim && has_middle) return whole();
  const int d = axis_across(levels, dim), e = (d + 1) % dim, f = 3 - d - e;
  const int count = dim == 2 ? lines : lines * lines;
  double sum = 0;
  for (int n = 0; n < count; ++n) {
    Point low{};
    low[d] = box.lower[d];
    low[e] = box.lower[e] + (n % lines + 0.5) / lines * (box.upper[e] - box.lower[e]);
    if (dim == 3) low[f] = box.lower[f] + (n / lines + 0.5) / lines * (box.upper[f] - box.lower[f]);
    Point half = low, up = low;
    half[d] = middle[d];
    up[d] = box.upper[d];
    const double at_half = body.level(half);
    sum += along_line(d, low, body.level(low), half, at_half, at);
    sum += along_line(d, half, at_half, up, body.level(up), at);
  }
  return sum / (count * (box.upper[d] - box.lower[d]));
}

double covered_part(const LevelSet& body, const MeanBox& box, int dim) {
  return covered_mean(
      body, box, dim, [] { return 1.0; }, [](const Point&) { return 1.0; });
}

}  // namespace hodge::sim
