#include "sim/time/later_change.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/discrete/grid/sampling.hpp"

namespace hodge::sim {
namespace {

constexpr int times_ahead = 64;
constexpr double negligible = 1e-6;

}  // namespace

LaterChange::LaterChange(const Problem& problem, const Grid& grid) {
  if (problem.prescribed_velocity)
    for (const Expression& u : *problem.prescribed_velocity) add(u, samples_in_box(grid));
  for (const Expression& f : problem.force) add(f, samples_in_box(grid));
  for (int axis = 0; axis < grid.dim(); ++axis)
    if (problem.flow_rate[axis]) add(*problem.flow_rate[axis], samples_in_side(grid, {axis, 0}));
  for (const ScalarProblem& scalar : problem.scalars) add(scalar.source, samples_in_box(grid));
  for (const BoxSide& at : sides_of_box(grid.dim())) {
    const Side& side = problem.boundaries.sides[at.axis][at.side];
    for (const Expression& u : side.velocity) add(u, samples_in_side(grid, at));
    add(side.pressure, samples_in_side(grid, at));
    for (const ScalarProblem& scalar : problem.scalars) {
      add(scalar.sides[at.axis][at.side].value, samples_in_side(grid, at));
      add(scalar.sides[at.axis][at.side].coefficient, samples_in_side(grid, at));
    }
  }
}

void LaterChange::add(const Expression& value, std::vector<FormulaSample> samples) {
  if (value.depends_on_time()) drivers_.push_back({value, std::move(samples)});
}

bool LaterChange::comes(double time, double end) const {
  return std::ranges::any_of(drivers_, [&](const Driver& driver) {
    double largest = 0, change = 0;
    for (const FormulaSample& at : driver.samples) {
      const double now = driver.value(at.x, time);
      for (int k = 1; k <= times_ahead; ++k) {
        const double later = driver.value(at.x, time + (end - time) * k / times_ahead);
        largest = std::max({largest, std::abs(now), std::abs(later)});
        change = std::max(change, std::abs(later - now));
      }
    }
    return change > negligible * largest;
  });
}

}  // namespace hodge::sim
