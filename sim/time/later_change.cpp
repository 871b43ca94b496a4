#include "sim/time/later_change.hpp"

#include <algorithm>
#include <cmath>

namespace hodge::sim {
namespace {

constexpr int times_ahead = 64;
constexpr double negligible = 1e-6;

}  // namespace

LaterChange::LaterChange(const Problem& problem, const Grid& grid) {
  const auto add = [&](const Expression& value, const auto& samples) {
    if (value.depends_on_time()) drivers_.push_back({value, samples()});
  };
  const auto in_box = [&] { return samples_in_box(grid); };
  if (problem.prescribed_velocity)
    for (const Expression& u : *problem.prescribed_velocity) add(u, in_box);
  for (const Expression& f : problem.force) add(f, in_box);
  for (const auto& f : problem.flow_force)
    if (f && f->depends_on_time()) drivers_.push_back({*f, in_box(), true, grid.dim()});
  for (const ScalarProblem& scalar : problem.scalars) {
    add(scalar.source, in_box);
    if (scalar.reaction && scalar.reaction->depends_on_time())
      drivers_.push_back({*scalar.reaction, in_box(), true});
  }
  for (const Solid& solid : problem.solids)
    for (const SolidScalar& of : solid.scalars) {
      add(of.surface.value, in_box);
      add(of.surface.coefficient, in_box);
      if (of.heat) add(of.heat->source, in_box);
    }
  for (const BoxSide& at : sides_of_box(grid.dim())) {
    const auto in_side = [&] { return samples_in_side(grid, at); };
    const Side& side = problem.boundaries.sides[at.axis][at.side];
    for (const Expression& u : side.velocity) add(u, in_side);
    add(side.pressure, in_side);
    if (const auto& rate = problem.flow_rate[at.axis]; rate && at.side == 0) add(*rate, in_side);
    for (const ScalarProblem& scalar : problem.scalars) {
      add(scalar.sides[at.axis][at.side].value, in_side);
      add(scalar.sides[at.axis][at.side].coefficient, in_side);
    }
  }
}

bool LaterChange::changes(const Driver& driver, double time, double end,
                          std::span<const double> scalars) {
  const auto value = [&](const FormulaSample& at, double t) {
    return driver.is_reaction ? driver.value(at.x(), t, scalars)
                              : driver.value.value_over(at.box, t);
  };
  double largest = 0, change = 0;
  for (const FormulaSample& at : driver.samples) {
    const double now = value(at, time);
    for (int k = 1; k <= times_ahead; ++k) {
      const double later = value(at, time + (end - time) * k / times_ahead);
      largest = std::max({largest, std::abs(now), std::abs(later)});
      change = std::max(change, std::abs(later - now));
    }
  }
  return change > negligible * largest;
}

bool LaterChange::comes(double time, double end, std::span<const double> sizes) const {
  constexpr double shares[] = {1, 0.5, 0.1};
  return std::ranges::any_of(drivers_, [&](const Driver& driver) {
    if (!driver.is_reaction) return changes(driver, time, end, {});
    return std::ranges::any_of(shares, [&](double share) {
      std::vector<double> scalars(static_cast<std::size_t>(driver.velocities), 1.0);
      scalars.insert(scalars.end(), sizes.begin(), sizes.end());
      for (double& c : scalars) c *= share;
      return changes(driver, time, end, scalars);
    });
  });
}

}  // namespace hodge::sim
