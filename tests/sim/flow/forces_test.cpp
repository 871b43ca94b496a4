#include "sim/flow/forces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "sim/base/formulas/expression.hpp"
#include "sim/discrete/bodies/body_frames.hpp"
#include "sim/discrete/bodies/staircase.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/discrete/operators/formula_field.hpp"
#include "sim/model/solid.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using linalg::Host;
using test::grid_of;
using test::stretched;
using test::uniform;
using test::with_periodic;

constexpr double density = 4, viscosity = 0.3;

// A grid with solids and fields on it, and the forces on them.
template <int Dim>
class Immersed {
 public:
  Immersed(const Grid& grid, const Boundaries& boundaries, const std::vector<Solid>& solids)
      : grid_(grid),
        boundaries_(boundaries),
        frames_(frames_of(grid, boundaries, solids)),
        metrics_(grid, boundaries),
        velocity_(metrics_.layout()),
        pressure_(metrics_.layout()),
        bodies_(metrics_.layout(),
                staircase(metrics_.layout(), cell_bodies(grid, solids), boundaries)) {}

  void set_pressure(const std::function<double(const Point&)>& f) {
    set(pressure_.view(), at_cells, f);
  }
  void set_velocity(int d, const std::function<double(const Point&)>& f) {
    set(velocity_[d].view(), d, f);
  }
  void set_force(const std::array<double, Dim>& f) {
    std::copy(f.begin(), f.end(), force_.begin());
  }
  std::vector<BodyForce> forces() const {
    linalg::Buffer<double, Host> results(frames_.size() * force_count<Dim>);
    std::vector<FormulaField<Dim, Host>> given;
    for (int d = 0; d < Dim; ++d) given.emplace_back(d, force_[d], metrics_);
    ForceFields<Dim> fields{metrics_.view(), velocity_.view(), pressure_.view(), bodies_.view()};
    for (int d = 0; d < Dim; ++d)
      fields.forcing[d] = Forcing<Dim>{metrics_.view(), d, given[d].at(0), given[d].uniform(0)};
    fields.density = density;
    fields.viscosity = viscosity;
    std::vector<Lever<Dim>> levers;
    for (const BodyFrame& frame : frames_)
      levers.push_back(lever_of<Dim>(frame, grid_, boundaries_));
    return body_forces(fields, frames_, levers, results);
  }
  const std::vector<BodyFrame>& frames() const { return frames_; }

 private:
  static std::vector<BodyFrame> frames_of(const Grid& grid, const Boundaries& boundaries,
                                          const std::vector<Solid>& solids) {
    Problem problem;
    problem.boundaries = boundaries;
    problem.solids = solids;
    return body_frames(grid, problem, cell_bodies(grid, solids), {}, std::nullopt);
  }
  // The cell that a ghost stands for: across a periodic axis, else the one beside it.
  Index<Dim> inner(Index<Dim> c) const {
    for (int d = 0; d < Dim; ++d) {
      const int n = grid_.cells(d);
      c[d] = boundaries_.periodic(d) ? (c[d] + n * ghost_width) % n : std::clamp(c[d], 0, n - 1);
    }
    return c;
  }
  void set(const FieldView<Dim>& values, int d, const std::function<double(const Point&)>& f) {
    for_each_on_host(metrics_.layout().padded(),
                     [&](const Index<Dim>& c) { values(c) = f(point_of(grid_, d, inner(c))); });
  }

  Grid grid_;
  Boundaries boundaries_;
  std::vector<BodyFrame> frames_;
  DeviceGrid<Dim, Host> metrics_;
  VelocityField<Dim, Host> velocity_;
  Field<Dim, Host> pressure_;
  Bodies<Dim, Host> bodies_;
  std::array<Expression, Dim> force_{};  // a unit of mass
};

Grid plane() {
  return grid_of({uniform(12, 3), stretched(16, 2)});
}
Grid space() {
  return grid_of({uniform(10, 2), stretched(12, 2), stretched(9, 3)});
}

double volume(const Grid& grid, const std::vector<Solid>& solids) {
  const std::vector<std::uint8_t> bodies = cell_bodies(grid, solids);
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const std::size_t nx = grid.cells(0), ny = grid.cells(1);
    double cell = grid.axis(0).widths[i % nx] * grid.axis(1).widths[i / nx % ny];
    if (grid.dim() == 3) cell *= grid.axis(2).widths[i / (nx * ny)];
    sum += bodies[i] != 0 ? cell : 0.0;
  }
  return sum;
}

TEST(Forces, of_a_fluid_at_rest_are_the_weight_of_the_fluid_displaced_2d) {
  const std::vector<Solid> solids{{"ball", SphereShape{{1.4, 0.9}, 0.6}}};
  Immersed<2> immersed(plane(), test::walls(), solids);
  immersed.set_force({-2 / density, 5 / density});
  immersed.set_pressure([](const Point& x) { return 7 - 2 * x[0] + 5 * x[1]; });
  const std::vector<BodyForce> forces = immersed.forces();
  ASSERT_EQ(forces.size(), 1);
  EXPECT_EQ(forces[0].body, "ball");
  EXPECT_NEAR(forces[0].pressure[0], 2 * volume(plane(), solids), 1e-12);
  EXPECT_NEAR(forces[0].pressure[1], -5 * volume(plane(), solids), 1e-12);
  EXPECT_EQ(forces[0].pressure[2], 0);
  EXPECT_EQ(forces[0].viscous, (std::array<double, 3>{}));
}

TEST(Forces, of_a_fluid_at_rest_are_the_weight_of_the_fluid_displaced_3d) {
  const std::vector<Solid> solids{{"", SphereShape{{0.9, 1.1, 1.4}, 0.6}}};
  Immersed<3> immersed(space(), test::walls(), solids);
  immersed.set_force({1 / density, -2 / density, 3 / density});
  immersed.set_pressure([](const Point& x) { return 1 + x[0] - 2 * x[1] + 3 * x[2]; });
  const std::array<double, 3> gradient{1, -2, 3};
  for (int d = 0; d < 3; ++d)
    EXPECT_NEAR(immersed.forces()[0].pressure[d], -gradient[d] * volume(space(), solids), 1e-12);
}

TEST(Forces, of_a_fluid_at_rest_have_no_moment_about_the_centroid) {
  const std::vector<Solid> solids{{"wedge", SphereShape{{1.4, 0.9}, 0.6}},
                                  {"foot", BoxShape{{0.2, 1.2}, {0.6, 1.6}}}};
  Immersed<2> immersed(plane(), test::walls(), solids);
  immersed.set_pressure([](const Point& x) { return 7 - 2 * x[0] + 5 * x[1]; });
  immersed.set_force({-2 / density, 5 / density});
  for (const BodyForce& force : immersed.forces()) EXPECT_NEAR(force.pressure_moment[2], 0, 1e-12);
}

// A body across the seam of a periodic axis; pressure 3 on the part of its roof behind x = 2.75.
TEST(Forces, have_moments_about_the_centroid_across_a_periodic_seam) {
  const Grid grid = grid_of({uniform(12, 3), uniform(8, 2)});
  Immersed<2> immersed(grid, with_periodic({0}),
                       {{"a", BoxShape{{2.5, 0.5}, {3, 1}}}, {"b", BoxShape{{0, 0.5}, {0.5, 1}}}});
  ASSERT_EQ(immersed.frames()[0].cells.lower[0], 10);
  immersed.set_pressure([](const Point& x) { return x[1] > 1 && x[0] > 2.75 ? 3.0 : 0.0; });
  const BodyForce force = immersed.forces()[0];
  EXPECT_NEAR(force.pressure[1], -3 * 0.25, 1e-14);
  EXPECT_NEAR(force.pressure_moment[2], -3 * 0.25 * 0.125, 1e-14);
}

TEST(Forces, push_along_the_normal_into_the_body) {
  Immersed<2> immersed(plane(), test::walls(), {{"", BoxShape{{1, 0.5}, {2, 1.5}}}});
  immersed.set_pressure([](const Point& x) { return x[0] < 1 ? 4.0 : 0.0; });  // upstream alone
  EXPECT_NEAR(immersed.forces()[0].pressure[0],
              4 * volume(plane(), {{"", BoxShape{{1, 0.5}, {2, 1.5}}}}), 1e-12);
  EXPECT_EQ(immersed.forces()[0].pressure[1], 0);
}

TEST(Forces, take_the_pressure_of_the_cell_in_a_gap_of_one) {
  const Grid grid = grid_of({uniform(5, 5), uniform(3, 3)});
  Immersed<2> immersed(grid, test::walls(),
                       {{"a", BoxShape{{1, 1}, {2, 2}}}, {"b", BoxShape{{3, 1}, {4, 2}}}});
  immersed.set_pressure([](const Point& x) { return x[0] > 2 && x[0] < 3 ? 6.0 : 0.0; });
  const std::vector<BodyForce> forces = immersed.forces();
  EXPECT_NEAR(forces[0].pressure[0], -6, 1e-14);
  EXPECT_NEAR(forces[1].pressure[0], 6, 1e-14);
}

// A plate on the floor and one on the ceiling of a channel that is periodic along x; the fluid
// shears between them, the ceiling's plate moving with it.
TEST(Forces, of_a_shear_flow_are_its_shear_times_the_area_2d) {
  const Grid grid = grid_of({stretched(6, 3), uniform(16, 2)});
  const double floor = grid.edges(1)[3], ceiling = grid.edges(1)[12], rate = 1.7;
  const std::vector<Solid> plates{{"lower", BoxShape{{-1, -1}, {4, floor}}},
                                  {"upper", BoxShape{{-1, ceiling}, {4, 3}}}};
  Immersed<2> over_floor(grid, with_periodic({0}), plates);
  over_floor.set_velocity(0, [&](const Point& x) { return rate * (x[1] - floor); });
  over_floor.set_pressure([](const Point&) { return 2.0; });
  const BodyForce lower = over_floor.forces()[0];
  EXPECT_NEAR(lower.viscous[0], density * viscosity * rate * 3, 1e-13);
  EXPECT_EQ(lower.viscous[1], 0);
  EXPECT_EQ(lower.pressure[0], 0);
  EXPECT_NEAR(lower.pressure[1], -2.0 * 3, 1e-13);
  Immersed<2> under_ceiling(grid, with_periodic({0}), plates);
  under_ceiling.set_velocity(0, [&](const Point& x) { return rate * (ceiling - x[1]); });
  EXPECT_NEAR(under_ceiling.forces()[1].viscous[0], density * viscosity * rate * 3, 1e-13);
}

TEST(Forces, of_a_shear_flow_are_its_shear_times_the_area_3d) {
  const Grid grid = grid_of({uniform(10, 2), uniform(12, 3), uniform(9, 1)});
  for (int normal = 0; normal < 3; ++normal)
    for (int t = 0; t < 3; ++t) {
      if (t == normal) continue;
      const int other = 3 - normal - t;
      Boundaries boundaries = with_periodic({t, other});
      BoxShape plate{{-9, -9, -9}, {9, 9, 9}};
      plate.upper[normal] = grid.edges(normal)[4];
      Immersed<3> immersed(grid, boundaries, {{"", plate}});
      immersed.set_velocity(t,
                            [&](const Point& x) { return 2 * (x[normal] - plate.upper[normal]); });
      std::array<double, 3> expected{};
      expected[t] = density * viscosity * 2 * grid.axis(t).length() * grid.axis(other).length();
      for (int d = 0; d < 3; ++d)
        EXPECT_NEAR(immersed.forces()[0].viscous[d], expected[d], 1e-12) << normal << t << d;
    }
}

TEST(Forces, do_not_act_where_a_body_meets_the_side_of_the_box) {
  const Grid grid = grid_of({uniform(4, 4), uniform(4, 4)});
  Immersed<2> immersed(grid, test::walls(), {{"", BoxShape{{0, 0}, {2, 1}}}});
  immersed.set_pressure([](const Point&) { return 3.0; });
  EXPECT_EQ(immersed.forces()[0].pressure, (std::array<double, 3>{-3, -6, 0}));
}

TEST(Forces, act_across_periodic_sides) {
  const Grid grid = grid_of({uniform(4, 4), uniform(4, 4)});
  Immersed<2> immersed(grid, with_periodic({0, 1}), {{"", BoxShape{{0, 0}, {2, 1}}}});
  immersed.set_pressure([](const Point& x) { return x[0] > 3 ? 3.0 : 0.0; });
  immersed.set_velocity(0, [](const Point& x) { return x[1] > 3 ? 5.0 : 0.0; });
  const BodyForce force = immersed.forces()[0];
  EXPECT_NEAR(force.pressure[0], 3, 1e-14);
  EXPECT_NEAR(force.viscous[0], density * viscosity * 2 * 5 * 2, 1e-13);
}

// The half cell before the body takes up density (v / 2)^2 and density nu v / h of the last free
// face, and half of what the tangential faces carry into it at (w, v') of its free neighbours.
TEST(Forces, take_up_the_momentum_that_flows_into_the_half_cells) {
  const Grid grid = grid_of({uniform(6, 3), uniform(5, 5)});
  Immersed<2> immersed(grid, test::walls(), {{"", BoxShape{{2, 2}, {2.5, 3}}}});
  const double v = 0.7, w = 0.4, beside = 1.1;
  immersed.set_velocity(0, [&](const Point& x) {
    if (std::abs(x[0] - 1.5) < 0.1 && std::abs(x[1] - 2.5) < 0.1) return v;
    return std::abs(x[0] - 2) < 0.1 && std::abs(x[1] - 1.5) < 0.1 ? beside : 0.0;
  });
  immersed.set_velocity(1, [&](const Point& x) {
    return std::abs(x[0] - 1.75) < 0.1 && std::abs(x[1] - 2) < 0.1 ? w : 0.0;
  });
  const BodyForce force = immersed.forces()[0];
  const double width = 0.5, height = 1;
  EXPECT_NEAR(force.pressure[0], density * (height * 0.25 * v * v + 0.5 * width * w * 0.5 * beside),
              1e-14);
  const double below = 2 * 0.5 * beside / height * width;  // of the cell under the body
  EXPECT_NEAR(force.viscous[0], density * viscosity * (v / width * height + below), 1e-14);
  EXPECT_NEAR(force.viscous[1], density * viscosity * 2 * 0.5 * w / width * height, 1e-14);
}

TEST(Forces, of_bodies_that_touch_are_those_on_their_own_faces) {
  const Grid grid = grid_of({uniform(6, 6), uniform(5, 5)});
  Immersed<2> immersed(grid, test::walls(),
                       {{"left", BoxShape{{1, 2}, {3, 3}}}, {"right", BoxShape{{3, 2}, {4, 3}}}});
  immersed.set_pressure([](const Point&) { return 1.0; });
  const std::vector<BodyForce> forces = immersed.forces();
  EXPECT_EQ(forces[0].pressure, (std::array<double, 3>{1, 0, 0}));
  EXPECT_EQ(forces[1].pressure, (std::array<double, 3>{-1, 0, 0}));
}

// A force drives a flow around a body and a plate; it becomes steady when the drag takes all of it.
TEST(Forces, on_bodies_in_a_periodic_box_balance_the_force_that_drives_the_flow) {
  for (const char* solid : {"round", "square"}) {
    Settings settings = test::flow_settings(2, 24, 3.0);
    settings.grid.axes[1].stretching = "tanh";
    settings.grid.axes[1].strength = 1;
    settings.pressure.tolerance = 1e-9;
    Problem problem;
    problem.density = 2;
    problem.viscosity = 0.2;
    for (auto& sides : problem.boundaries.sides)
      for (Side& side : sides) side.kind = SideKind::periodic;
    problem.force = {1, 0.25, 0};
    problem.solids = {{"body", SphereShape{{1.4, 1.3}, 0.6}},
                      {"plate", BoxShape{{2.2, 2.1}, {2.4, 2.5}}}};
    if (solid == std::string("square"))
      problem.solids[0].region.shape = BoxShape{{1, 1}, {1.6, 1.7}};
    const auto flow = make_flow(settings, problem);
    do {
      for (int i = 0; i < 20; ++i) ASSERT_TRUE(flow->advance(0.1).ok);
    } while (flow->diagnostics().rate_of_change > 1e-9);
    ASSERT_GT(flow->diagnostics().max_speed, 0.05);
    const Grid grid(settings.grid);
    const double mass = problem.density * (9 - volume(grid, problem.solids));
    std::array<double, 3> sum{};
    for (const BodyForce& force : flow->forces())
      for (int d = 0; d < 2; ++d) sum[d] += force.pressure[d] + force.viscous[d];
    EXPECT_NEAR(sum[0], mass, 1e-7 * mass) << solid;
    EXPECT_NEAR(sum[1], 0.25 * mass, 1e-7 * mass) << solid;
  }
}

}  // namespace
}  // namespace hodge::sim
