#include "sim/app/run/preview.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <utility>

#include "linalg/base/errors.hpp"
#include "sim/app/output/probe_files.hpp"
#include "sim/app/run/blow_up.hpp"
#include "sim/app/run/doubts.hpp"
#include "sim/app/run/schedule.hpp"
#include "sim/base/key_error.hpp"
#include "sim/compare/compared_system.hpp"
#include "sim/discrete/bodies/body_frames.hpp"
#include "sim/discrete/bodies/surface.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/flow/checks.hpp"
#include "sim/flow/inflow_profiles.hpp"
#include "sim/time/fluid_domain.hpp"
#include "sim/time/step_control.hpp"

namespace hodge::sim {
namespace {

constexpr long long most_sampled_cells = 1 << 16;
constexpr double rounding = 1e-12;  // of flow rates, relative to the largest that could be

// max over cells of |u_d| h_d, and of what the step follows.
struct Motion {
  double cfl_rate = 0, max_speed = 0, largest_product = 0;
  double velocity_rate = 0;  // sampled: not known
  PresentDiffusion diffusion{};

  void add(const Grid& grid, const Index<3>& c, const std::array<double, 3>& u) {
    double rate = 0;
    for (int d = 0; d < grid.dim(); ++d) {
      const double h = grid.axis(d).widths[c[d]];
      rate += std::abs(u[d]) / h;
      largest_product = std::max(largest_product, std::abs(u[d]) * h);
    }
    cfl_rate = std::max(cfl_rate, rate);
    max_speed = std::max(max_speed, std::hypot(u[0], u[1], u[2]));
  }
};

// Every cell, or some of them that are spread evenly.
template <class Visit>
void for_some(const Box<3>& box, const Visit& visit) {
  const long long stride = 1 + box.size() / most_sampled_cells;
  const std::array<long long, 2> extent{box.upper[0] - box.lower[0], box.upper[1] - box.lower[1]};
  for (long long i = 0; i < box.size(); i += stride)
    visit(Index<3>{{box.lower[0] + static_cast<int>(i % extent[0]),
                    box.lower[1] + static_cast<int>(i / extent[0] % extent[1]),
                    box.lower[2] + static_cast<int>(i / (extent[0] * extent[1]))}});
}

// Of the formulas in sides.
Motion motion_of_sides(const Problem& problem, const Grid& grid) {
  Motion motion;
  if (problem.prescribed_velocity) return motion;
  for (const auto [axis, side] : sides_of_box(grid.dim())) {
    const Side& of = problem.boundaries.sides[axis][side];
    if (!of.traits().takes_velocity()) continue;
    const auto moves = vector_function(of.velocity);
    for_some(cells_along_side(grid, axis, side), [&, axis = axis, side = side](const auto& c) {
      motion.add(grid, c, moves(point_in_side(grid, axis, side, c), 0));
    });
  }
  return motion;
}

// And of the velocity in cells.
Motion sampled_motion(const Problem& problem, const Grid& grid) {
  Motion motion = motion_of_sides(problem, grid);
  std::function<std::array<double, 3>(const Point&)> velocity = problem.initial_velocity;
  if (problem.prescribed_velocity)
    velocity = [f = vector_function(*problem.prescribed_velocity)](const Point& x) {
      return f(x, 0);
    };
  if (velocity)
    for_some(all_cells(grid), [&](const Index<3>& c) {
      Point x{};
      for (int d = 0; d < grid.dim(); ++d) x[d] = grid.axis(d).centre(c[d]);
      motion.add(grid, c, velocity(x));
    });
  return motion;
}

// max |u_d| h_d of the present fields and of the sides.
double largest_product(const Flow& flow, const Problem& problem) {
  const CellArray velocity = flow.cell_arrays({"velocity"}).front();
  Motion motion = motion_of_sides(problem, flow.grid());
  std::size_t next = 0;
  for_each_on_host(all_cells(flow.grid()), [&](const Index<3>& c) {
    std::array<double, 3> u{};
    for (int d = 0; d < velocity.components; ++d) u[d] = velocity.values[next++];
    motion.add(flow.grid(), c, u);
  });
  return motion.largest_product;
}

class NoComparison : public ComparisonSink {
  void add(ComparedSystem) override {}
};

// What a run refuses of a flow that is made.
void check_made(Flow& flow, const Settings& settings, const Problem& problem,
                const Diagnostics& now) {
  check_fixed_step(settings, problem, flow.grid(), now.cfl_rate, now.max_speed, now.diffusion);
  if (const auto complaint = BlowUpTest(problem, now, &flow.grid()).complaint(now))
    throw NumericalError("the initial state: " + *complaint);
  NoComparison none;
  flow.compare_solvers(settings, &none);
  flow.compare_solvers({}, nullptr);
  if (settings.probes.any())
    (void)flow.make_sampler(sampled_points(settings.probes), settings.probes.fields);
}

Motion computed_motion(const Settings& settings, const Problem& problem, Preview& preview) {
  Settings on_cpu = settings;
  on_cpu.device = "cpu";
  const std::unique_ptr<Flow> flow = make_flow(on_cpu, problem);
  const Diagnostics now = flow->diagnostics();
  check_made(*flow, on_cpu, problem, now);
  double area = 0;
  for (int axis = 0; axis < flow->grid().dim(); ++axis)
    area = std::max(area, side_area(flow->grid(), axis));
  for (Quantity& quantity : flow->quantities())
    if (quantity.name.starts_with("flow_rate_")) {
      if (std::abs(quantity.value) <= rounding * now.max_speed * area) quantity.value = 0;
      preview.flow_rates.push_back(std::move(quantity));
    }
  return {now.cfl_rate, now.max_speed, largest_product(*flow, problem), now.velocity_rate,
          now.diffusion};
}

// Through inflow sides, by their formulas over the whole side, and over the faces that are open.
// What passes open sides is not known without the flow.
void add_flow_rates(const Problem& problem, const Grid& grid,
                    const std::vector<std::uint8_t>& bodies, Preview& preview) {
  for (const auto [axis, side] : sides_of_box(grid.dim())) {
    if (!problem.boundaries.sides[axis][side].traits().is_inflow()) continue;
    const SideFlux flux = flux_of_formula(problem.boundaries, grid, bodies, {axis, side}, 0,
                                          openings_of_side(grid, problem, {axis, side}));
    const std::string name = "flow_rate_" + side_name(axis, side);
    preview.formula_rates.push_back({name, flux.whole});
    if (!preview.is_computed) preview.flow_rates.push_back({name, flux.open});
  }
}

void add_first_step(const Settings& settings, const Problem& problem, const Grid& grid,
                    const Motion& motion, Preview& preview) {
  const Schedule schedule(settings);
  const StepControl steps(settings, problem, grid);
  const StepState first = steps.state({.next_stop = schedule.next_stop_of_any(0),
                                       .cfl_rate = motion.cfl_rate,
                                       .max_speed = motion.max_speed,
                                       .velocity_rate = motion.velocity_rate,
                                       .diffusion = motion.diffusion});
  preview.dt = steps.next(first);
  StepState otherwise = first;
  otherwise.motion = std::numeric_limits<double>::infinity();
  preview.is_about_to_move = first.motion < largest_step(steps.settings(), otherwise) ||
                             steps.settings().max != settings.time.step.max;  // from rest
  preview.cfl = preview.dt * motion.cfl_rate;
  if (!problem.prescribed_velocity)
    preview.cell_reynolds = motion.largest_product / problem.viscosity;
  for (const ScalarProblem& scalar : problem.scalars)
    preview.cell_peclets.push_back({scalar.name, motion.largest_product / scalar.diffusivity});
}

// Fields of another run are not sampled.
void add_beginning(const Settings& settings, const Problem& problem, const Grid& grid,
                   const std::vector<std::uint8_t>& bodies, Preview& preview) {
  add_flow_rates(problem, grid, bodies, preview);
  if (preview.is_computed) {
    const Motion motion = computed_motion(settings, problem, preview);
    return add_first_step(settings, problem, grid, motion, preview);
  }
  if (problem.stored_state) return;
  const Motion motion = sampled_motion(problem, grid);
  try {
    check_fixed_step(settings, problem, grid, motion.cfl_rate, motion.max_speed);
  } catch (const KeyError& error) {  // the projection may still slow the fluid down
    preview.doubts.push_back({error.key, error.what()});
  }
  add_first_step(settings, problem, grid, motion, preview);
}

}  // namespace

CellWidths cell_widths(const Grid& grid) {
  CellWidths found{grid.axis(0).widths[0], grid.axis(0).widths[0]};
  for (int d = 0; d < grid.dim(); ++d) {
    const std::vector<double>& h = grid.axis(d).widths;
    for (std::size_t i = 0; i < h.size(); ++i) {
      found.smallest = std::min(found.smallest, h[i]);
      found.largest = std::max(found.largest, h[i]);
      const double ratio = i == 0 ? 1 : std::max(h[i] / h[i - 1], h[i - 1] / h[i]);
      if (ratio <= found.largest_ratio) continue;
      found.largest_ratio = ratio;
      found.axis = d;
    }
  }
  return found;
}

Preview preview(const Settings& settings, const Problem& problem, bool restarts) {
  const Grid grid(settings.grid);
  Preview preview;
  preview.widths = cell_widths(grid);
  const FluidDomain domain = fluid_domain(grid, problem);
  (void)body_frames(grid, problem, domain.bodies, domain.cut, settings.forces);  // do boxes fit?
  preview.solid_cells.resize(problem.solids.size());
  for (const std::uint8_t body : domain.bodies)
    if (body != 0) ++preview.solid_cells[body - 1];
  preview.is_computed = grid.cell_count() <= most_computed_cells;
  if (!restarts) add_beginning(settings, problem, grid, domain.bodies, preview);
  preview.surfaces = surfaces_of(problem.solids);
  for (Doubt& doubt : doubts_about(settings, problem, grid, domain.bodies, preview))
    preview.doubts.push_back(std::move(doubt));
  return preview;
}

}  // namespace hodge::sim
