#include "sim/time/step_control.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "sim/base/times.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/model/schemes.hpp"

namespace hodge::sim {
namespace {

constexpr double least_steps = 100;  // of a run at rest, and of one in which diffusion is faster
constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr int times_of_a_formula = 16;
constexpr double rounding_of_a_formula = 1e-12;  // sin(t) as cos(t - pi/2) is 6e-17 at t = 0
constexpr long long most_looks = 1 << 20;        // at faces of a component, for a velocity

// Whether f is other than 0 at the centre of a face normal to axis d; large grids are strided.
template <class Velocity>
bool moves_at_a_face(const Grid& grid, int d, const Velocity& f) {
  Box<3> faces = all_cells(grid);
  ++faces.upper[d];
  const auto stride = static_cast<int>(1 + grid.cell_count() / most_looks);
  Index<3> c{};
  for (c[2] = 0; c[2] < faces.upper[2]; ++c[2])
    for (c[1] = 0; c[1] < faces.upper[1]; ++c[1])
      for (c[0] = (c[1] + c[2]) % stride; c[0] < faces.upper[0]; c[0] += stride) {
        Point x{};
        for (int e = 0; e < grid.dim(); ++e)
          x[e] = e == d ? grid.edges(e)[c[e]] : grid.axis(e).centre(c[e]);
        if (f(x) != 0) return true;
      }
  return false;
}

bool fluid_moves(const Problem& problem, const Grid& grid) {
  if (!problem.prescribed_velocity && !problem.initial_velocity) return false;
  for (int d = 0; d < grid.dim(); ++d)
    if (moves_at_a_face(grid, d, [&](const Point& x) {
          return problem.prescribed_velocity ? (*problem.prescribed_velocity)[d](x, 0)
                                             : problem.initial_velocity(x)[d];
        }))
      return true;
  return false;
}

// Whether the mean of a formula is other than 0 at t = 0, beyond rounding of those that it has up
// to `end`.
bool starts_moving(const Expression& u, const MeanBox& face, double end) {
  const double start = std::abs(u.value_over(face, 0));
  if (start == 0 || !u.depends_on_time()) return start != 0;
  double largest = start;
  for (int k = 1; k <= times_of_a_formula; ++k)
    largest = std::max(largest, std::abs(u.value_over(face, end * k / times_of_a_formula)));
  return start > rounding_of_a_formula * largest;
}

// At t = 0; a side at rest then may move later.
bool sides_move(const Problem& problem, const Grid& grid, double end) {
  for (const auto [axis, side] : sides_of_box(grid.dim())) {
    const Side& of = problem.boundaries.sides[axis][side];
    if (!of.traits().takes_velocity()) continue;
    bool moves = false;
    for_each_on_host(cells_along_side(grid, axis, side), [&, axis = axis, side = side](auto c) {
      if (moves) return;
      const MeanBox face = mean_box_in_side(grid, axis, side, c);
      for (const Expression& u : of.velocity) moves = moves || starts_moving(u, face, end);
    });
    if (moves) return true;
  }
  for (const auto& rate : problem.flow_rate)
    if (rate && starts_moving(*rate, {}, end)) return true;
  return false;
}

bool motion_of_sides_changes(const Problem& problem, const Grid& grid) {
  if (problem.prescribed_velocity) return false;
  for (const auto [axis, side] : sides_of_box(grid.dim())) {
    const Side& of = problem.boundaries.sides[axis][side];
    if (of.traits().takes_velocity() &&
        std::ranges::any_of(of.velocity, &Expression::depends_on_time))
      return true;
  }
  return std::ranges::any_of(problem.flow_rate,
                             [](const auto& rate) { return rate && rate->depends_on_time(); });
}

// h^2 / nu of implicit diffusion.
double diffusion_time(const Settings& settings, const Problem& problem, double length) {
  const bool is_implicit = find_time_scheme(settings.time.scheme).implicit.diffusion > 0;
  if (problem.prescribed_velocity || !is_implicit) return unlimited;
  return length * length / problem.viscosity;
}

double finest_width(const Grid& grid) {
  double finest = unlimited;
  for (int d = 0; d < grid.dim(); ++d)
    finest = std::min(finest, *std::ranges::min_element(grid.axis(d).widths));
  return finest;
}

// Infinite in a periodic box.
double shortest_between_sides(const Problem& problem, const Grid& grid) {
  double shortest = unlimited;
  for (int d = 0; d < grid.dim(); ++d)
    if (!problem.boundaries.periodic(d)) shortest = std::min(shortest, grid.axis(d).length());
  return shortest;
}

// The time in which the fastest implicit diffusion, of velocity or of a scalar, takes a profile
// down by e between the closest sides (in a box that is periodic all around, its shortest length):
// H^2 / (pi^2 D).
double fastest_decay(const Settings& settings, const Problem& problem, const Grid& grid) {
  if (find_time_scheme(settings.time.scheme).implicit.diffusion == 0) return unlimited;
  double length = shortest_between_sides(problem, grid);
  for (int d = 0; d < grid.dim() && is_periodic(problem.boundaries, grid.dim()); ++d)
    if (grid.cells(d) > 1) length = std::min(length, grid.axis(d).length());
  const double diffusivity = largest_diffusivity(problem);
  return diffusivity > 0 ? length * length / (std::numbers::pi * std::numbers::pi * diffusivity)
                         : unlimited;
}

}  // namespace

double largest_diffusivity(const Problem& problem) {
  double largest = problem.prescribed_velocity ? 0 : problem.viscosity;
  for (const ScalarProblem& scalar : problem.scalars)
    largest = std::max(largest, scalar.diffusivity);
  return largest;
}

double short_time_of_sides(const Settings& settings, const Problem& problem, const Grid& grid) {
  constexpr double share_of_first_step = 1e-3;
  if (!motion_of_sides_changes(problem, grid)) return 0;
  const StepSettings& step = settings.time.step;
  const double longest =
      step.size.value_or(std::min(step.max.value_or(settings.time.end), settings.time.end));
  return share_of_first_step *
         MotionAhead(problem, grid).longest_step(0, true, step.cfl.value_or(1.0), longest);
}

std::optional<double> longest_step_from_rest(const Settings& settings, const Problem& problem,
                                             const Grid& grid) {
  if (settings.time.step.max || settings.time.step.size) return std::nullopt;
  if (!problem.prescribed_velocity && sides_move(problem, grid, settings.time.end))
    return std::nullopt;
  if (fluid_moves(problem, grid)) return std::nullopt;
  return settings.time.end / least_steps;
}

StepControl::StepControl(const Settings& settings, const Problem& problem, const Grid& grid)
    : settings_(settings.time.step),
      stable_(settings, problem, grid),
      ahead_(problem, grid),
      layer_time_(diffusion_time(settings, problem, finest_width(grid))),
      crossing_time_(diffusion_time(settings, problem, shortest_between_sides(problem, grid))),
      decay_time_(fastest_decay(settings, problem, grid)),
      longest_beside_diffusion_(settings.time.step.max ? unlimited
                                                       : settings.time.end / least_steps),
      width_under_forces_(has_flow_force(problem) ? finest_width(grid) : unlimited) {
  if (const auto longest = longest_step_from_rest(settings, problem, grid)) settings_.max = longest;
}

StepState StepControl::state(const Present& now) const {
  StepState state{.time = now.time,
                  .next_stop = now.next_stop,
                  .cfl_rate = now.cfl_rate,
                  .previous_dt = now.previous_dt,
                  .limit = stable_.largest(now.cfl_rate, now.max_speed, now.diffusion)};
  if (settings_.size) divide_first_size(now, *settings_.size, state);
  if (!settings_.cfl) return state;
  constexpr double little_decay = 0.1;
  const double planned = largest_step(settings_, state);
  state.motion = ahead_.longest_step(now.time, now.previous_dt == 0, *settings_.cfl, planned);
  if (planned > little_decay * decay_time_)
    state.motion = std::min(state.motion, longest_beside_diffusion_);
  if (now.previous_dt == 0 && now.velocity_rate > 0)
    state.motion =
        std::min(state.motion, std::sqrt(*settings_.cfl * width_under_forces_ / now.velocity_rate));
  if (now.previous_dt == 0 && starts_with_layers(now, std::min(planned, state.motion)))
    state.motion = std::min(state.motion, layer_time_);
  return state;
}

bool StepControl::starts_with_layers(const Present& now, double planned) const {
  constexpr double little = 0.01;  // of the velocity
  return now.velocity_rate * planned > little * now.max_speed;
}

void StepControl::divide_first_size(const Present& now, double size, StepState& state) const {
  constexpr double most = 0.5;  // of the time in which diffusion crosses the box
  if (size <= most * crossing_time_ || has_reached(now.time, size, size)) return;
  if (now.previous_dt == 0 && !starts_with_layers(now, size)) return;
  state.next_stop = std::min(state.next_stop, size);
  state.motion = now.previous_dt > 0 ? largest_growth * now.previous_dt : layer_time_;
}

}  // namespace hodge::sim
