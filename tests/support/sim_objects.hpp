// Small grids, boundaries and fields for tests of sim, all in the Host space.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "linalg/matrices/csr.hpp"
#include "linalg/space/space.hpp"
#include "sim/discrete/boundaries/velocity_boundary.hpp"
#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/grid/metrics.hpp"
#include "sim/discrete/grid/sampling.hpp"

namespace hodge::test {

using linalg::Host;
using sim::Index;

inline sim::AxisSettings uniform(int cells, double upper) {
  return {.cells = cells, .lower = 0, .upper = upper};
}
// Cells that grow towards both ends, towards the upper one far more: no two ends are alike, so that
// a test sees where they are exchanged.
inline sim::AxisSettings uneven(int cells, double lower, double upper) {
  const double length = upper - lower;
  const sim::CoreSettings core{cells > 2 ? lower + 0.15 * length : lower, lower + 0.45 * length,
                               std::max(1, cells / 2)};
  return {.cells = cells,
          .lower = lower,
          .upper = upper,
          .stretching = "core",
          .strength = 0,
          .core = core};
}
inline sim::AxisSettings stretched(int cells, double upper) {
  return uneven(cells, 0, upper);
}
// Fine at both ends alike.
inline sim::AxisSettings symmetric(int cells, double upper) {
  return {.cells = cells, .lower = 0, .upper = upper, .stretching = "tanh", .strength = 1.5};
}

inline sim::Grid grid_of(std::vector<sim::AxisSettings> axes) {
  sim::GridSettings settings;
  settings.dim = static_cast<int>(axes.size());
  for (std::size_t d = 0; d < axes.size(); ++d) settings.axes[d] = axes[d];
  return sim::Grid(settings);
}

inline sim::Boundaries walls() {
  return {};
}
inline sim::Boundaries with_periodic(std::vector<int> axes) {
  sim::Boundaries boundaries;
  for (const int axis : axes)
    for (sim::Side& side : boundaries.sides[axis]) side.kind = sim::SideKind::periodic;
  return boundaries;
}

// A grid and its boundaries; for_each_domain visits walls, periodic axes and mixtures on a box off
// the origin with another count and other ends along each axis.
template <int Dim>
struct Domain {
  sim::Grid grid;
  sim::Boundaries boundaries;
  sim::DeviceGrid<Dim, Host> metrics{grid, boundaries};
  sim::SideKinds<Dim> sides = sim::side_kinds<Dim>(boundaries);
  std::shared_ptr<sim::VelocityBoundary<Dim, Host>> velocity = velocity_boundary();

  // Of walls, inflow and slip at t = 0; outflow sides have no gradient.
  std::shared_ptr<sim::VelocityBoundary<Dim, Host>> velocity_boundary() const {
    auto boundary = std::make_shared<sim::VelocityBoundary<Dim, Host>>(boundaries, metrics,
                                                                       sim::BodyView<Dim>{}, 0.0);
    boundary->refresh(boundary->step(0, 0, sim::backward_euler_weights(1), {}), nullptr, nullptr);
    return boundary;
  }
  sim::VelocityClosures<Dim> closures() const { return velocity->closures(); }
};

inline std::vector<sim::Boundaries> kinds_of_boundaries() {
  return {walls(), with_periodic({0, 1, 2}), with_periodic({0}), with_periodic({1})};
}

template <int Dim>
void for_each_domain(const std::function<void(const Domain<Dim>&)>& visit) {
  for (const sim::Boundaries& boundaries : kinds_of_boundaries()) {
    std::vector<sim::AxisSettings> axes{uneven(4, -0.3, 0.7), uneven(6, 0.5, 2.5)};
    if constexpr (Dim == 3) axes.push_back(uneven(3, -1.0, -0.4));
    visit({grid_of(axes), boundaries});
  }
}

// A velocity of random faces, zero at walls, ghosts filled.
template <int Dim>
sim::VelocityField<Dim, Host> random_velocity(const Domain<Dim>& domain, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform_number(-1, 1);
  sim::VelocityField<Dim, Host> velocity(domain.metrics.layout());
  for (int d = 0; d < Dim; ++d) {
    const auto u = velocity[d].view();
    sim::for_each_on_host(domain.metrics.layout().interior(),
                          [&](const Index<Dim>& c) { u(c) = uniform_number(generator); });
  }
  sim::fill_velocity_ghosts(velocity, domain.closures());
  return velocity;
}

template <int Dim>
sim::Field<Dim, Host> random_pressure(const Domain<Dim>& domain, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> uniform_number(-1, 1);
  sim::Field<Dim, Host> pressure(domain.metrics.layout());
  const auto p = pressure.view();
  sim::for_each_on_host(domain.metrics.layout().interior(),
                        [&](const Index<Dim>& c) { p(c) = uniform_number(generator); });
  sim::fill_pressure_ghosts(pressure, domain.sides);
  return pressure;
}

// Row-major dense copy of a matrix.
inline std::vector<std::vector<double>> dense(const linalg::CsrMatrix<Host>& matrix) {
  const auto a = matrix.view();
  std::vector<std::vector<double>> rows(a.rows, std::vector<double>(a.cols, 0.0));
  for (int i = 0; i < a.rows; ++i)
    for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      rows[i][a.columns[k]] = a.values[k];
  return rows;
}

}  // namespace hodge::test
