#include "sim/run/blow_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hodge::sim {

namespace {

constexpr double explosion_factor = 1e4;

double largest_wall_speed(const Boundaries& boundaries) {
  double largest = 0;
  for (const auto& sides : boundaries.sides) {
    for (const Side& side : sides) {
      const auto& [u, v, w] = side.velocity;
      largest = std::max(largest, std::hypot(u, v, w));
    }
  }
  return largest;
}

}  // namespace

BlowUpTest::BlowUpTest(const Problem& problem, const Diagnostics& initial) {
  const double reference = std::max(initial.max_speed, largest_wall_speed(problem.boundaries));
  largest_sane_speed_ =
      reference > 0 ? explosion_factor * reference : std::numeric_limits<double>::infinity();
}

std::optional<std::string> BlowUpTest::complaint(const Diagnostics& now) const {
  if (!now.finite) return "the velocity or the pressure is no longer a finite number";
  if (now.max_speed <= largest_sane_speed_) return std::nullopt;
  return fmt::format("the velocity explodes: max |u| is {:.3g}, {:.0e} times what the case sets",
                     now.max_speed, explosion_factor * now.max_speed / largest_sane_speed_);
}

}  // namespace hodge::sim
