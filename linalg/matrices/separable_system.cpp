#include "linalg/matrices/separable_system.hpp"

#include <algorithm>
#include <climits>
#include <cmath>
#include <string>

#include "linalg/base/errors.hpp"
#include "linalg/base/number_text.hpp"

namespace hodge::linalg {

namespace {

bool near(double a, double b) {
  return std::abs(a - b) <= 4e-16 * std::abs(b);
}

bool is_positive(double value) {
  return value > 0 && std::isfinite(value);
}

void check_axis(const SeparableAxis& axis, const std::string& name) {
  if (axis.weights.empty() || axis.couplings.size() != axis.weights.size() + 1)
    throw ShapeError(name + " has " + std::to_string(axis.weights.size()) + " weights and " +
                     std::to_string(axis.couplings.size()) +
                     " couplings, expected n > 0 weights and n + 1 couplings");
  for (const double weight : axis.weights)
    if (!is_positive(weight))
      throw ShapeError(name + " has the weight " + number_text(weight) + ", expected a number > 0");
  for (std::size_t i = 0; i < axis.couplings.size(); ++i) {
    const bool at_end = !axis.periodic && (i == 0 || i + 1 == axis.couplings.size());
    const double coupling = axis.couplings[i];
    if (!is_positive(coupling) && !(at_end && coupling == 0))
      throw ShapeError(name + " has the coupling " + number_text(coupling) +
                       ", expected a number > 0, or 0 at an end");
  }
  if (axis.periodic && axis.couplings.front() != axis.couplings.back())
    throw ShapeError(name + " is periodic, but its first and its last coupling differ");
}

}  // namespace

bool SeparableAxis::is_uniform() const {
  const bool equal = std::all_of(weights.begin(), weights.end(),
                                 [&](double weight) { return near(weight, weights.front()); });
  const std::size_t last = couplings.size() - 1;
  if (!equal) return false;
  if (periodic)
    return std::all_of(couplings.begin(), couplings.end(),
                       [&](double k) { return near(k, couplings.front()); });
  if (points() == 1) return couplings[0] == 0 && couplings[1] == 0;
  for (std::size_t i = 1; i < last; ++i)
    if (!near(couplings[i], couplings[1])) return false;
  const auto fits = [&](double k) { return k == 0 || near(k, 2 * couplings[1]); };
  return fits(couplings[0]) && fits(couplings[last]);
}

AxisEnds SeparableAxis::ends() const {
  if (periodic) return AxisEnds::periodic;
  if (couplings.front() == 0)
    return couplings.back() == 0 ? AxisEnds::closed : AxisEnds::closed_half;
  return couplings.back() == 0 ? AxisEnds::half_closed : AxisEnds::half;
}

long long SeparableSystem::rows() const {
  long long rows = 1;
  for (const SeparableAxis& axis : axes) rows *= axis.points();
  return rows;
}

bool SeparableSystem::is_singular() const {
  return shift == 0 && std::all_of(axes.begin(), axes.end(),
                                   [](const SeparableAxis& axis) { return axis.is_singular(); });
}

std::size_t SeparableSystem::most_transform_values() const {
  auto values = static_cast<std::size_t>(rows());
  for (const SeparableAxis& axis : axes) values += axis.weights.size() * (axis.weights.size() + 1);
  return values;
}

void SeparableSystem::check() const {
  if (axes.empty() || axes.size() > 3)
    throw ShapeError("a separable system of " + std::to_string(axes.size()) +
                     " axes, expected 1 to 3");
  for (std::size_t d = 0; d < axes.size(); ++d)
    check_axis(axes[d], "axis " + std::to_string(d) + " of a separable system");
  const bool fits =
      shift >= 0 && factor >= 0 && std::isfinite(shift + factor) && shift + factor > 0;
  if (!fits)
    throw ShapeError("a separable system with the shift " + number_text(shift) +
                     " and the factor " + number_text(factor) +
                     ", expected numbers >= 0, not both 0");
  if (rows() > INT_MAX)
    throw ShapeError("a separable system of " + std::to_string(rows()) +
                     " rows, expected fewer than 2^31");
}

}  // namespace hodge::linalg
