#include "sim/app/run/blow_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hodge::sim {
namespace {

constexpr double explosion_factor = 1e4;

constexpr double unbounded = std::numeric_limits<double>::infinity();

double size(const Expression& expression) {
  return expression.is_constant() ? expression({}, 0) : unbounded;
}

double largest_side_speed(const Boundaries& boundaries) {
  double largest = 0;
  for (const auto& sides : boundaries.sides) {
    for (const Side& side : sides) {
      const auto& [u, v, w] = side.velocity;
      largest = std::max(largest, std::hypot(size(u), size(v), size(w)));
    }
  }
  return largest;
}

bool is_driven_inside(const Problem& problem) {
  const auto is_zero = [](const Expression& f) { return f.is_zero(); };
  const auto is_passive = [](const ScalarProblem& s) {
    return s.buoyancy == std::array<double, 3>{};
  };
  return !std::all_of(problem.force.begin(), problem.force.end(), is_zero) ||
         !std::all_of(problem.scalars.begin(), problem.scalars.end(), is_passive);
}

}  // namespace

BlowUpTest::BlowUpTest(const Problem& problem, const Diagnostics& initial, const Grid* grid)
    : scalars_(problem, initial, grid, explosion_factor) {
  const double reference = std::max(initial.max_speed, largest_side_speed(problem.boundaries));
  const bool known = reference > 0 && !is_driven_inside(problem);
  largest_sane_speed_ = known ? explosion_factor * reference : unbounded;
}

std::optional<std::string> BlowUpTest::complaint(const Diagnostics& now, double time) const {
  if (!now.finite) return "the velocity or the pressure is no longer a finite number";
  if (now.max_speed <= largest_sane_speed_) return scalars_.complaint(now, time);
  return fmt::format("the velocity explodes: max |u| is {:.3g}, {:.0e} times what the case sets",
                     now.max_speed, explosion_factor * now.max_speed / largest_sane_speed_);
}

}  // namespace hodge::sim
