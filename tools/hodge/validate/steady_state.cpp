#include "tools/hodge/validate/steady_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iostream>

#include "linalg/errors.hpp"

namespace hodge::tools {
namespace {

constexpr int steps_between_looks = 10;

// Between which two cell centres a position lies, and how far towards the second; constant beyond
// the outermost ones.
struct Position {
  int cell;
  double fraction;
};

Position locate(const sim::Axis& axis, double x) {
  const int last = axis.cells() - 2;
  int cell = 0;
  while (cell < last && x > axis.centre(cell + 1)) ++cell;
  const double fraction = (x - axis.centre(cell)) / (axis.centre(cell + 1) - axis.centre(cell));
  return {cell, std::clamp(fraction, 0.0, 1.0)};
}

double bilinear(const sim::Grid& grid, const sim::CellArray& array, int component,
                const sim::Point& point) {
  const Position x = locate(grid.axis(0), point[0]), y = locate(grid.axis(1), point[1]);
  const auto value = [&](int i, int j) {
    const auto cell = static_cast<std::size_t>(i + grid.cells(0) * j);
    return array.values[cell * static_cast<std::size_t>(array.components) +
                        static_cast<std::size_t>(component)];
  };
  const double below = std::lerp(value(x.cell, y.cell), value(x.cell + 1, y.cell), x.fraction);
  const double above =
      std::lerp(value(x.cell, y.cell + 1), value(x.cell + 1, y.cell + 1), x.fraction);
  return std::lerp(below, above, y.fraction);
}

void step(sim::Flow& flow, double dt, const std::string& name) {
  const sim::StepReport report = flow.advance(dt);
  if (!report.ok) throw NumericalError(fmt::format("{}: {}", name, report.failure));
}

// True when steady.
bool look(const sim::Flow& flow, const sim::Settings& settings, const std::string& name) {
  const sim::Diagnostics now = flow.diagnostics();
  if (!now.finite) {
    throw NumericalError(
        fmt::format("{}: the fields are not finite at t = {:.6g}", name, flow.time()));
  }
  if (now.rate_of_change <= settings.time.steady_tolerance.value()) return true;
  if (flow.time() >= settings.time.end) {
    throw NumericalError(
        fmt::format("{}: not steady at t = {:.6g}: max |du/dt| = {:.3g}, expected {:.3g}", name,
                    flow.time(), now.rate_of_change, settings.time.steady_tolerance.value()));
  }
  return false;
}

}  // namespace

std::unique_ptr<sim::Flow> run_to_steady_state(const sim::Settings& settings,
                                               const sim::Problem& problem,
                                               const std::string& name) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  std::cout << "  " << name << ": " << std::flush;
  auto flow = sim::make_flow(settings, problem);
  do {
    for (int i = 0; i < steps_between_looks; ++i)
      step(*flow, settings.time.step.size.value(), name);
  } while (!look(*flow, settings, name));
  const std::chrono::duration<double> seconds = Clock::now() - start;
  std::cout << fmt::format("steady at t = {:.4g} after {} steps, {:.1f} s", flow->time(),
                           flow->step(), seconds.count())
            << std::endl;
  return flow;
}

sim::Problem started_from(const sim::Flow& flow, sim::Problem problem) {
  const sim::Grid grid = flow.grid();
  const auto arrays = flow.cell_arrays({"velocity", "pressure"});
  problem.initial_velocity = [grid, velocity = arrays[0]](sim::Point x) {
    return std::array<double, 3>{bilinear(grid, velocity, 0, x), bilinear(grid, velocity, 1, x), 0};
  };
  problem.initial_pressure = [grid, pressure = arrays[1]](sim::Point x) {
    return bilinear(grid, pressure, 0, x);
  };
  return problem;
}

}  // namespace hodge::tools
