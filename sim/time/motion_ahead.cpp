#include "sim/time/motion_ahead.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/discrete/grid/sampling.hpp"
#include "sim/model/driving.hpp"
#include "sim/time/formula_samples.hpp"

namespace hodge::sim {
namespace {

using Vector = MotionAhead::Vector;
using Sample = FormulaSample;
using Term = MotionAhead::Term;

constexpr int looks = 8, looks_at_start = 64, most_halvings = 60;
constexpr double precision = 1e-3;  // of the step that is found

// A velocity (power 0) or an acceleration (power 1).
Term term_of(const std::array<Expression, 3>& f, int power, std::vector<Sample> samples) {
  return {
      .value = [f](const Sample& at, double t) -> Vector {
        return {f[0].value_over(at.box, t), f[1].value_over(at.box, t), f[2].value_over(at.box, t)};
      },
      .power = power,
      .varies = std::ranges::any_of(f, &Expression::depends_on_time),
      .samples = std::move(samples)};
}

bool is_zero(const std::array<Expression, 3>& f) {
  return std::ranges::all_of(f, &Expression::is_zero);
}

void add_sides(const Problem& problem, const Grid& grid, std::vector<Term>& terms) {
  for (const BoxSide& at : sides_of_box(grid.dim())) {
    const Side& side = problem.boundaries.sides[at.axis][at.side];
    if (side.traits().takes_velocity() && !is_zero(side.velocity))
      terms.push_back(term_of(side.velocity, 0, samples_in_side(grid, at)));
  }
}

void add_flow_rates(const Problem& problem, const Grid& grid, std::vector<Term>& terms) {
  for (int axis = 0; axis < grid.dim(); ++axis) {
    const auto& rate = problem.flow_rate[axis];
    if (!rate) continue;
    terms.push_back({.value = [axis, q = *rate, area = side_area(grid, axis)](const Sample& at,
                                                                              double t) -> Vector {
                       Vector u{};
                       u[axis] = q(point_of(at.box), t) / area;
                       return u;
                     },
                     .varies = rate->depends_on_time(),
                     .samples = samples_in_side(grid, {axis, 0})});
  }
}

auto mean_of_formula(const Expression& f) {
  return [f](const MeanBox& box, double t) { return f.value_over(box, t); };
}

// buoyancy value(box, t)
template <class Value>
auto lift(const Vector& buoyancy, const Value& value) {
  return [=](const Sample& at, double t) -> Vector {
    const double c = value(at.box, t);
    return {buoyancy[0] * c, buoyancy[1] * c, buoyancy[2] * c};
  };
}

// A flux warms the cell beside the side at the rate flux / h.
void add_buoyancy_of_side(const ScalarProblem& scalar, const Grid& grid, const BoxSide& at,
                          const Vector& neutral, std::vector<Term>& terms) {
  const ScalarSide& side = scalar.sides[at.axis][at.side];
  if (side.is_without_flux()) return;
  const bool gives_flux = side.traits().gives_flux();
  Term term{.value = lift(scalar.buoyancy, mean_of_formula(side.value)),
            .power = gives_flux ? 2 : 1,
            .varies = side.value.depends_on_time(),
            .reference = gives_flux ? Vector{} : neutral,
            .samples = samples_in_side(grid, at)};
  if (gives_flux)
    for (Sample& sample : term.samples) {
      const double inverse_depth = sample.inverse_widths[at.axis];
      for (double& inverse : sample.inverse_widths) inverse *= inverse_depth;
    }
  terms.push_back(std::move(term));
}

// A body may be anywhere in the box; its source warms it at the rate source / capacity.
void add_buoyancy_of_body(const ScalarProblem& scalar, const SolidScalar& of, const Grid& grid,
                          const Vector& neutral, std::vector<Term>& terms) {
  const Expression& value = of.heat ? of.heat->source : of.surface.value;
  if (of.heat ? value.is_zero() : of.surface.is_without_flux()) return;
  const bool gives_rate = of.heat || of.surface.traits().gives_flux();
  Term term{.value = lift(scalar.buoyancy, mean_of_formula(value)),
            .power = gives_rate ? 2 : 1,
            .varies = value.depends_on_time(),
            .reference = gives_rate ? Vector{} : neutral,
            .samples = samples_in_box(grid)};
  for (Sample& sample : term.samples) {
    const double largest = *std::ranges::max_element(sample.inverse_widths);
    const double scale = of.heat ? 1 / of.heat->capacity : gives_rate ? largest : 1.0;
    for (double& inverse : sample.inverse_widths) inverse *= scale;
  }
  terms.push_back(std::move(term));
}

void add_buoyancy(const Problem& problem, const ScalarProblem& scalar, const Grid& grid,
                  std::vector<Term>& terms) {
  const Vector& b = scalar.buoyancy;
  if (b == Vector{}) return;
  Vector neutral{};
  for (int d = 0; d < 3; ++d) neutral[d] = b[d] * scalar.neutral;
  const auto initial = [f = scalar.initial](const MeanBox& cell, double) {
    return f ? f(point_of(cell)) : 0.0;
  };
  terms.push_back({.value = lift(b, initial),
                   .power = 1,
                   .varies = false,
                   .reference = neutral,
                   .samples = samples_in_box(grid)});
  if (!scalar.source.is_zero())
    terms.push_back({.value = lift(b, mean_of_formula(scalar.source)),
                     .power = 2,
                     .varies = scalar.source.depends_on_time(),
                     .samples = samples_in_box(grid)});
  for (const Solid& solid : problem.solids)
    if (const SolidScalar* const of = scalar_of(solid, scalar.name))
      add_buoyancy_of_body(scalar, *of, grid, neutral, terms);
  for (const BoxSide& at : sides_of_box(grid.dim()))
    if (problem.boundaries.sides[at.axis][at.side].traits().takes_scalar_condition())
      add_buoyancy_of_side(scalar, grid, at, neutral, terms);
}

// One term of all open sides: what drives is the difference between any two of their points.
void add_pressures(const Problem& problem, const Grid& grid, std::vector<Term>& terms) {
  if (!has_pressure_difference(problem.boundaries)) return;
  double shortest = std::numeric_limits<double>::infinity(), finest = shortest;
  for (int d = 0; d < grid.dim(); ++d) {
    shortest = std::min(shortest, grid.axis(d).length());
    finest = std::min(finest, *std::ranges::min_element(grid.axis(d).widths));
  }
  std::vector<Expression> pressures;
  Term term{.power = 1, .is_range = true};
  for (const BoxSide& at : sides_of_box(grid.dim())) {
    const Side& side = problem.boundaries.sides[at.axis][at.side];
    if (!side.traits().is_open()) continue;
    for (Sample sample : samples_in_side(grid, at)) {
      sample.part = static_cast<int>(pressures.size());
      sample.inverse_widths = {1 / (problem.density * shortest * finest), 0, 0};
      term.samples.push_back(sample);
    }
    pressures.push_back(side.pressure);
  }
  term.varies = std::ranges::any_of(pressures, &Expression::depends_on_time);
  term.value = [pressures](const Sample& at, double t) -> Vector {
    return {pressures[static_cast<std::size_t>(at.part)].value_over(at.box, t), 0, 0};
  };
  terms.push_back(std::move(term));
}

// A term in a step from `time`: where it changes something, the values that it starts from.
struct Acting {
  const Term* term;
  std::vector<Vector> start;
};

Acting acting(const Term& term, double time, bool is_first) {
  Acting from{&term, std::vector<Vector>(term.samples.size(), term.reference)};
  if (is_first || term.power == 0) return from;
  for (std::size_t i = 0; i < from.start.size(); ++i)
    from.start[i] = term.value(term.samples[i], time);
  return from;
}

// Without the power of s. What is no finite number is left to the step, which meets it.
double size_of(const Acting& of, double time) {
  double least = std::numeric_limits<double>::infinity(), most = -least, largest = 0;
  for (std::size_t i = 0; i < of.start.size(); ++i) {
    const Sample& at = of.term->samples[i];
    const Vector value = of.term->value(at, time);
    double sum = 0;
    for (int d = 0; d < 3; ++d) sum += std::abs(value[d] - of.start[i][d]) * at.inverse_widths[d];
    if (!std::isfinite(sum)) continue;
    largest = std::max(largest, sum);
    const double change = (value[0] - of.start[i][0]) * at.inverse_widths[0];
    least = std::min(least, change);
    most = std::max(most, change);
  }
  return of.term->is_range ? std::max(0.0, most - least) : largest;
}

// r(s)
double courant_rate(const std::vector<Acting>& terms, double time, double s) {
  double speed = 0, gained = 0;
  for (const Acting& of : terms) {
    const double size = size_of(of, time + s);
    if (of.term->power == 0)
      speed = std::max(speed, size);
    else
      gained += size * std::pow(s, of.term->power);
  }
  return speed + gained;
}

}  // namespace

MotionAhead::MotionAhead(const Problem& problem, const Grid& grid) {
  if (problem.prescribed_velocity) {
    if (!is_zero(*problem.prescribed_velocity))
      terms_.push_back(term_of(*problem.prescribed_velocity, 0, samples_in_box(grid)));
    return;
  }
  add_sides(problem, grid, terms_);
  add_flow_rates(problem, grid, terms_);
  if (!is_zero(problem.force)) terms_.push_back(term_of(problem.force, 1, samples_in_box(grid)));
  for (const ScalarProblem& scalar : problem.scalars) add_buoyancy(problem, scalar, grid, terms_);
  add_pressures(problem, grid, terms_);
}

double MotionAhead::longest_step(double time, bool is_first, double cfl, double longest) const {
  std::vector<Acting> terms;
  for (const Term& term : terms_)
    if (is_first || term.varies) terms.push_back(acting(term, time, is_first));
  if (terms.empty()) return longest;
  double kept = 0, broken = longest, largest_rate = 0;
  const auto keeps = [&](double s) {
    const double rate = std::max(largest_rate, courant_rate(terms, time, s));
    if (s * rate > cfl * (1 + 1e-9)) return false;
    kept = s;
    largest_rate = rate;
    return true;
  };
  const int count = is_first ? looks_at_start : looks;
  for (int look = 1; look <= count; ++look) {
    broken = longest * look / count;
    if (!keeps(broken)) break;
  }
  if (kept == longest) return longest;
  for (int k = 0; k < most_halvings && broken - kept > precision * broken; ++k) {
    const double middle = 0.5 * (kept + broken);
    if (!keeps(middle)) broken = middle;
  }
  return kept > 0 ? kept : broken;
}

}  // namespace hodge::sim
