// Flows around sharp bodies: mass in every cell, fluids at rest, the order of the velocity, forces.
// Over 400 lines: one set of bodies serves all cases.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sim/discrete/bodies/cut_grid.hpp"
#include "sim/discrete/fields/layout.hpp"
#include "sim/discrete/grid/metrics.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/flow/flow.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/restored_flow.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::sim {
namespace {

template <class Space>
class FlowsWithSharpBodies : public tests::SpaceTest<Space> {
 public:
  static Settings settings(const std::string& scheme, int dim, int cells) {
    Settings settings = test::flow_settings_on<Space>(dim, cells, scheme);
    for (int d = 0; d < dim; ++d) {
      settings.grid.axes[d].lower = -1;
      settings.grid.axes[d].upper = 1;
    }
    settings.pressure.preconditioner = {"multigrid", {}};
    settings.pressure.tolerance = settings.transport.tolerance = 1e-11;
    return settings;
  }
};
TYPED_TEST_SUITE(FlowsWithSharpBodies, tests::Spaces, tests::SpaceName);

constexpr Point inside{0.031, 0.017, -0.043}, across_a_side{0.031, 0.917, -0.043};
constexpr double sharp_radius = 0.5;

Solid sharp_ball(const Point& middle) {
  return {.name = "ball", .region = Region{SphereShape{middle, sharp_radius}}, .sharp = true};
}

// The padded values of one part of a state.
class OnePart final : public StateVisitor {
 public:
  explicit OnePart(std::string name) : name_(std::move(name)) {}
  bool restores() const override { return false; }
  std::string subject(const std::string& name) const override { return name; }
  void visit_part(const std::string& name, StatePart part) override {
    const auto* const list = std::get_if<std::span<double>>(&part);
    if (name == name_ && list != nullptr) values.assign(list->begin(), list->end());
  }
  std::vector<double> values;

 private:
  std::string name_;
};

template <int Dim>
std::array<std::vector<double>, Dim> velocity_at_faces(Flow& flow) {
  std::array<std::vector<double>, Dim> velocity;
  for (int d = 0; d < Dim; ++d) {
    OnePart part(std::string("velocity/") + "uvw"[d] + "/now");
    flow.visit_state(part);
    velocity[d] = part.values;
  }
  return velocity;
}

// Of a box that is two long and repeats.
template <int Dim>
CutGrid<Dim> cut_by_ball(const Grid& grid, const Point& middle) {
  const LevelFunction level = [middle](const Point& x) {
    Point from{};
    for (int d = 0; d < Dim; ++d) from[d] = std::remainder(x[d] - middle[d], 2);
    return std::hypot(from[0], from[1], from[2]) - sharp_radius;
  };
  const Boundaries walls;
  return CutGrid<Dim>(grid, walls, level, layout_of<Dim>(grid).interior());
}

// Driven through a periodic box; the ball goes on across the sides along y.
Problem through_a_box(int dim) {
  Problem problem;
  problem.viscosity = 0.05;
  for (int d = 0; d < dim; ++d) problem.boundaries.set(d, SideKind::periodic);
  problem.force = {1, Expression::parse("0.4*sin(3*x)"), dim == 3 ? 0.3 : 0.0};
  problem.initial_velocity = [](Point) { return std::array{1.0, 0.5, 0.2}; };
  problem.solids = {sharp_ball(across_a_side)};
  return problem;
}

template <int Dim, class Test>
void expect_mass_in_every_cell(const std::string& scheme) {
  const int n = Dim == 2 ? 24 : 12;
  const Settings settings = Test::settings(scheme, Dim, n);
  const auto flow = make_flow(settings, through_a_box(Dim));
  for (int k = 0; k < 3; ++k) ASSERT_TRUE(flow->advance(0.01).ok);
  const auto velocity = velocity_at_faces<Dim>(*flow);
  const CutGrid<Dim> cut = cut_by_ball<Dim>(flow->grid(), across_a_side);
  const Layout<Dim> layout = layout_of<Dim>(flow->grid()).dense();
  double speed = 0, largest = 0;
  int cut_cells = 0;
  for_each_on_host(layout.interior(), [&](const Index<Dim>& c) {
    double sum = 0;
    for (int d = 0; d < Dim; ++d)
      for (int side = 0; side < 2; ++side) {
        const Index<Dim> face = c.shifted(d, side);
        const double u = view_of(layout, velocity[d].data())(face);
        speed = std::max(speed, std::abs(u));
        sum += (side == 0 ? -1 : 1) * cut.face(d, face).fraction * u * n / 2;
      }
    const double fluid = cut.fluid(c);
    cut_cells += fluid > 0 && fluid < 1;
    largest = std::max(largest, std::abs(sum));
  });
  EXPECT_GT(speed, 0.3);
  EXPECT_GT(cut_cells, 20);
  EXPECT_LT(largest, 1e-7) << scheme << " in " << Dim << "D";
}

constexpr const char* all_schemes[] = {"bdf2", "backward_euler", "cn_ab2", "rk3", "ab2"};

TYPED_TEST(FlowsWithSharpBodies, keep_mass_in_every_cell) {
  for (const std::string scheme : all_schemes) {
    expect_mass_in_every_cell<2, FlowsWithSharpBodies<TypeParam>>(scheme);
    expect_mass_in_every_cell<3, FlowsWithSharpBodies<TypeParam>>(scheme);
  }
}

template <class Test>
void expect_fluid_at_rest(const std::string& scheme, int dim, const Point& middle) {
  Problem problem;
  problem.density = 3;
  problem.viscosity = 0.1;
  problem.force = {2, -9, dim == 3 ? 1.0 : 0.0};
  problem.solids = {sharp_ball(middle)};
  Settings settings = Test::settings(scheme, dim, dim == 2 ? 24 : 14);
  settings.forces.emplace();
  const auto flow = make_flow(settings, problem);
  for (int k = 0; k < 2; ++k) ASSERT_TRUE(flow->advance(0.01).ok);
  EXPECT_LT(flow->diagnostics().max_speed, 1e-9) << scheme << dim;
  const BodyForce force = flow->forces().at(0);
  const double r = sharp_radius, pi = std::numbers::pi;
  const double weight = 3 * (dim == 2 ? pi * r * r : 4.0 / 3.0 * pi * r * r * r);
  ASSERT_TRUE(force.control.has_value());
  for (int d = 0; d < dim; ++d) {
    const double f = problem.force[d]({}, 0);
    EXPECT_NEAR(force.pressure[d] + force.viscous[d], -weight * f, 4e-3 * weight * 9);
    EXPECT_NEAR(force.viscous[d], 0, (dim == 2 ? 1e-8 : 2e-2) * weight);
    EXPECT_NEAR((*force.control)[d], force.pressure[d] + force.viscous[d], 1e-8 * weight)
        << scheme << dim;
  }
}

// The force is the weight of what the body displaces, and that of a box around it is the same.
TYPED_TEST(FlowsWithSharpBodies, leave_a_heavy_fluid_at_rest) {
  using Flows = FlowsWithSharpBodies<TypeParam>;
  for (const std::string scheme : {"bdf2", "cn_ab2", "rk3", "ab2"})
    for (const int dim : {2, 3}) expect_fluid_at_rest<Flows>(scheme, dim, inside);
  // The tips of the body are that near to faces that these, full as they are, have no unknown.
  expect_fluid_at_rest<Flows>("bdf2", 2, {0.0254 / 12, 0.5414 / 12, 0});
  expect_fluid_at_rest<Flows>("bdf2", 2, {0.7623 / 12, 0.0021 / 12, 0});
  expect_fluid_at_rest<Flows>("bdf2", 3, {0.53 / 7, 0.49 / 7, 0.52 / 7});
}

// As cells of staircases have none; the solver's own faces there keep theirs.
TYPED_TEST(FlowsWithSharpBodies, have_no_velocity_in_cells_that_are_the_bodys_for_the_most_part) {
  Problem problem;
  problem.viscosity = 0.1;
  problem.boundaries.set(0, SideKind::periodic);
  problem.force[0] = 1;
  problem.solids = {sharp_ball(inside)};
  const auto flow = make_flow(this->settings("bdf2", 2, 24), problem);
  for (int k = 0; k < 5; ++k) ASSERT_TRUE(flow->advance(0.05).ok);
  const std::vector<CellArray> of =
      flow->cell_arrays({"open_fraction", "velocity", "speed", "vorticity"});
  int at_rest = 0, moving = 0;
  for (std::size_t c = 0; c < of[0].values.size(); ++c) {
    const double open = of[0].values[c];
    const bool is_still = of[1].values[3 * c] == 0 && of[1].values[3 * c + 1] == 0;
    EXPECT_EQ(is_still, open < 0.5) << open;
    EXPECT_EQ(of[2].values[c] == 0, open < 0.5);
    EXPECT_TRUE(of[3].values[c] != 0 || open == 0 || open == 1) << open;
    at_rest += open > 0 && open < 0.5;
    moving += open >= 0.5 && open < 1;
  }
  EXPECT_GT(at_rest, 5);
  EXPECT_GT(moving, 5);
}

// A block on the floor: nothing pushes it from below.
TYPED_TEST(FlowsWithSharpBodies,
           feel_the_pressure_alone_of_a_fluid_at_rest_around_a_block_on_a_wall) {
  Problem problem;
  problem.viscosity = 0.1;
  problem.force = {1, -2, 0};
  const BoxShape block{{-0.431, -1.3, 0}, {0.513, -0.317, 0}};
  problem.solids = {{.name = "block", .region = {block, {}, false}, .sharp = true}};
  for (const std::string scheme : {"bdf2", "rk3"}) {
    Settings settings = this->settings(scheme, 2, 24);
    settings.forces.emplace();
    const auto flow = make_flow(settings, problem);
    for (int k = 0; k < 2; ++k) ASSERT_TRUE(flow->advance(0.01).ok);
    const BodyForce force = flow->forces().at(0);
    ASSERT_TRUE(force.control.has_value());
    for (int d = 0; d < 2; ++d) {
      EXPECT_GT(std::abs(force.pressure[d]), 0.5);
      EXPECT_NEAR(force.viscous[d], 0, 1e-4) << scheme << d;  // corners of cells are cut
      EXPECT_NEAR((*force.control)[d], force.pressure[d] + force.viscous[d], 1e-8) << scheme;
    }
  }
}

// All around a cylinder turns, A (r - R^2 / r), with the pressure that holds it on its circles: an
// exact flow, whose torque is 4 pi A R^2 density viscosity.
Problem turning_around_a_cylinder() {
  Problem problem;
  problem.density = 2;
  problem.viscosity = 0.1;
  const std::string share = "(1 - 0.25/((x - 0.031)^2 + (y - 0.017)^2))";
  const Expression u = Expression::parse("-(y - 0.017)*" + share),
                   v = Expression::parse("(x - 0.031)*" + share);
  for (int d = 0; d < 2; ++d)
    for (Side& side : problem.boundaries.sides[d]) side = {SideKind::inflow, {u, v, 0}};
  problem.initial_velocity = [u, v](Point x) { return std::array{u(x, 0), v(x, 0), 0.0}; };
  problem.solids = {sharp_ball(inside)};
  return problem;
}

struct ErrorsBesideCylinder {
  double l2 = 0, max = 0, torque = 0;
};

ErrorsBesideCylinder errors_beside_cylinder(const Settings& settings) {
  const Problem problem = turning_around_a_cylinder();
  const auto flow = make_flow(settings, problem);
  for (int k = 0; k < 20; ++k) EXPECT_TRUE(flow->advance(0.05).ok);
  const auto velocity = velocity_at_faces<2>(*flow);
  const CutGrid<2> cut = cut_by_ball<2>(flow->grid(), inside);
  const Layout<2> layout = layout_of<2>(flow->grid()).dense();
  ErrorsBesideCylinder errors;
  for (int d = 0; d < 2; ++d)
    for_each_on_host(layout.interior(), [&](const Index<2>& c) {
      const OpenPart part = cut.face(d, c);
      if (part.fraction < 0.05) return;
      const double exact = problem.initial_velocity(part.centroid)[d];
      const double error = std::abs(view_of(layout, velocity[d].data())(c) - exact);
      errors.max = std::max(errors.max, error);
      errors.l2 += error * error / static_cast<double>(layout.interior().size());
    });
  errors.l2 = std::sqrt(errors.l2);
  const BodyForce force = flow->forces().at(0);
  const double exact = 4 * std::numbers::pi * 0.25 * 0.2;
  errors.torque = (force.pressure_moment[2] + force.viscous_moment[2]) / exact - 1;
  return errors;
}

TYPED_TEST(FlowsWithSharpBodies, have_velocities_of_second_order_around_them) {
  const auto errors = [&](int cells) {
    return errors_beside_cylinder(this->settings("bdf2", 2, cells));
  };
  const ErrorsBesideCylinder coarse = errors(20), fine = errors(40);
  EXPECT_GT(std::log2(coarse.l2 / fine.l2), 1.9) << coarse.l2 << ' ' << fine.l2;
  EXPECT_GT(std::log2(coarse.max / fine.max), 1.7) << coarse.max << ' ' << fine.max;
  EXPECT_LT(std::abs(fine.torque), 3e-3);
  EXPECT_GT(std::log2(std::abs(coarse.torque / fine.torque)), 1.8)
      << coarse.torque << ' ' << fine.torque;
}

// All schemes have one steady state, whatever of it is implicit.
TYPED_TEST(FlowsWithSharpBodies, have_the_same_steady_force_with_every_scheme) {
  std::vector<BodyForce> forces;
  for (const std::string scheme : all_schemes) {
    const auto flow = make_flow(this->settings(scheme, 2, 16), turning_around_a_cylinder());
    const int steps = scheme == "ab2" || scheme == "rk3" ? 250 : 80;
    for (int k = 0; k < steps; ++k) ASSERT_TRUE(flow->advance(4.0 / steps).ok) << scheme << k;
    forces.push_back(flow->forces().at(0));
  }
  const double torque = forces[0].viscous_moment[2];
  for (std::size_t k = 1; k < forces.size(); ++k) {
    EXPECT_NEAR(forces[k].viscous_moment[2], torque, 1e-6 * torque) << all_schemes[k];
    EXPECT_NEAR(forces[k].pressure_moment[2], forces[0].pressure_moment[2], 1e-6 * torque)
        << all_schemes[k];
  }
}

// Through the open parts of the faces of a section across an axis.
double flow_through(Flow& flow, const CutGrid<2>& cut, int axis, int section) {
  const auto velocity = velocity_at_faces<2>(flow);
  const Layout<2> layout = layout_of<2>(flow.grid()).dense();
  double sum = 0;
  for (int k = 0; k < flow.grid().cells(1 - axis); ++k) {
    Index<2> c{};
    c[axis] = section;
    c[1 - axis] = k;
    sum += cut.face(axis, c).fraction * view_of(layout, velocity[axis].data())(c) *
           flow.grid().axis(1 - axis).widths[static_cast<std::size_t>(k)];
  }
  return sum;
}

// Steps of other sizes in between, so that the mobility of faces is another one.
TYPED_TEST(FlowsWithSharpBodies, hold_flow_rates_through_every_section) {
  std::vector<BodyForce> forces;
  for (const std::string scheme : {"bdf2", "cn_ab2", "rk3", "ab2"}) {
    Problem problem = through_a_box(2);
    problem.viscosity = 0.2;
    problem.force = {0, 0, 0};
    problem.flow_rate = {Expression::parse("1 - exp(-4*t)"), 0.3, std::nullopt};
    const auto flow = make_flow(this->settings(scheme, 2, 16), problem);
    const CutGrid<2> cut = cut_by_ball<2>(flow->grid(), across_a_side);
    for (int k = 0; k < 6; ++k) ASSERT_TRUE(flow->advance(k < 3 ? 0.008 : 0.003).ok) << scheme;
    for (const int section : {0, 5, 9}) {
      EXPECT_NEAR(flow_through(*flow, cut, 0, section), -std::expm1(-4 * 0.033), 1e-8) << scheme;
      EXPECT_NEAR(flow_through(*flow, cut, 1, section), 0.3, 1e-8) << scheme;
    }
    for (int k = 0; k < 500; ++k) ASSERT_TRUE(flow->advance(0.008).ok) << scheme << k;
    forces.push_back(flow->forces().at(0));
    for (int d = 0; d < 2; ++d) {
      EXPECT_GT(forces[0].viscous[d], 0.1);
      EXPECT_NEAR(forces.back().viscous[d] / forces[0].viscous[d], 1, 1e-6) << scheme;
      EXPECT_NEAR(forces.back().pressure[d] / forces[0].pressure[d], 1, 1e-6) << scheme;
    }
  }
}

// The largest change of a face's velocity from the steps to those of half their size.
template <class Test>
double change_by_half_steps(const std::string& scheme, int steps) {
  Problem problem = through_a_box(2);
  problem.force[0] = Expression::parse("1 + cos(4*t)");
  problem.initial_velocity = [](Point) { return std::array{0.0, 0.0, 0.0}; };
  std::vector<double> velocity[2];
  for (const int half : {0, 1}) {
    const auto flow = make_flow(Test::settings(scheme, 2, 16), problem);
    for (int k = 0; k < steps << half; ++k)
      EXPECT_TRUE(flow->advance(0.6 / (steps << half)).ok) << scheme << k;
    for (const std::vector<double>& component : velocity_at_faces<2>(*flow))
      velocity[half].insert(velocity[half].end(), component.begin(), component.end());
  }
  double largest = 0;
  for (std::size_t i = 0; i < velocity[0].size(); ++i)
    largest = std::max(largest, std::abs(velocity[1][i] - velocity[0][i]));
  return largest;
}

TYPED_TEST(FlowsWithSharpBodies, are_of_the_order_of_their_scheme_in_time) {
  using Flows = FlowsWithSharpBodies<TypeParam>;
  for (const auto& [scheme, order] : {std::pair{"bdf2", 1.8}, {"cn_ab2", 1.8}, {"ab2", 1.8}}) {
    const double coarse = change_by_half_steps<Flows>(scheme, 24),
                 fine = change_by_half_steps<Flows>(scheme, 48);
    EXPECT_GT(std::log2(coarse / fine), order) << scheme << ' ' << coarse << ' ' << fine;
  }
}

// Central differences that do not conserve energy would let it grow.
TYPED_TEST(FlowsWithSharpBodies, stay_bounded_where_cells_are_coarse) {
  for (const std::string scheme : {"bdf2", "cn_ab2", "rk3", "ab2"}) {
    Problem problem = through_a_box(2);
    problem.viscosity = 0.002;
    problem.initial_velocity = [](Point) { return std::array{2.0, 1.0, 0.0}; };
    Settings settings = this->settings(scheme, 2, 24);
    settings.pressure.tolerance = settings.transport.tolerance = 1e-6;
    const auto flow = make_flow(settings, problem);
    const int steps = scheme.ends_with("ab2") ? 60 : 25;  // stable without bodies
    for (int k = 0; k < steps; ++k) ASSERT_TRUE(flow->advance(0.5 / steps).ok) << scheme << k;
    EXPECT_LT(flow->diagnostics().max_speed, 5) << scheme;
  }
}

// Faces around one at an edge of this box lie nearly in a plane.
TYPED_TEST(FlowsWithSharpBodies, stay_bounded_beside_edges_of_turned_boxes) {
  Problem problem;
  problem.viscosity = 0.004;
  problem.boundaries.sides[0][0] = {SideKind::inflow, {1, 0, 0}};
  problem.boundaries.sides[0][1] = {SideKind::outflow, {}};
  problem.boundaries.set(1, SideKind::slip);
  problem.initial_velocity = [](Point) { return std::array{1.0, 0.0, 0.0}; };
  const BoxShape shape{{-0.330037, -0.259262, -0.267969}, {0.266759, 0.337535, 0.328827}};
  Turning turned;
  turned.angle = 59.826917;
  turned.axis = Point{-0.930948, -0.514520, 0.594808};
  problem.solids = {{.name = "box", .region = {shape, turned, false}, .sharp = true}};
  for (const std::string scheme : {"rk3", "ab2"}) {
    Settings settings = this->settings(scheme, 3, 16);
    settings.pressure.tolerance = settings.transport.tolerance = 1e-5;
    const auto flow = make_flow(settings, problem);
    const double dt = scheme == "rk3" ? 0.035 : 0.022;
    for (int k = 0; k < 6; ++k) ASSERT_TRUE(flow->advance(dt).ok) << scheme << k;
    EXPECT_LT(flow->diagnostics().max_speed, 2) << scheme;
  }
}

std::vector<CellArray> beside_ball_on_threads(int threads, const Settings& settings) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(threads);
  const auto flow = make_flow(settings, through_a_box(settings.grid.dim));
  for (int k = 0; k < 2; ++k) EXPECT_TRUE(flow->advance(0.01).ok);
  omp_set_num_threads(before);
  return flow->cell_arrays({"velocity", "pressure"});
}

// With a scalar that buoyancy has.
Problem heated_through_a_box(int dim) {
  Problem problem = through_a_box(dim);
  ScalarProblem c;
  c.name = "c";
  c.diffusivity = 0.02;
  c.initial = [](Point x) { return 1 + std::sin(3 * x[0]); };
  c.buoyancy = {0, 0.5, 0};
  problem.scalars = {c};
  problem.solids[0].scalars = {{"c", {ScalarSideKind::convective, 3, 0.05}, {}, {}}};
  return problem;
}

// Steps of other sizes in between, so that the matrix of the pressure is another one.
TYPED_TEST(FlowsWithSharpBodies, go_on_from_a_state_bit_for_bit) {
  for (const std::string scheme : {"bdf2", "cn_ab2", "rk3", "ab2"}) {
    Settings settings = this->settings(scheme, 2, 24);
    settings.scalar_convection = "central";
    Problem problem = heated_through_a_box(2);
    problem.flow_rate[0] = 2;
    const auto flow = make_flow(settings, problem), again = make_flow(settings, problem);
    SCOPED_TRACE(scheme);
    test::expect_same_after_restoring(*flow, *again, {"velocity", "pressure", "c"});
  }
}

TEST(SharpBodiesOnThreads, change_no_bit) {
  for (const std::string scheme : {"bdf2", "cn_ab2", "rk3"}) {
    Settings settings = test::flow_settings(3, 16, 2);
    for (int d = 0; d < 3; ++d)
      settings.grid.axes[d].lower = -2 + (settings.grid.axes[d].upper = 1);
    settings.time.scheme = scheme;
    settings.pressure.tolerance = settings.transport.tolerance = 1e-4;
    const std::vector<CellArray> one = beside_ball_on_threads(1, settings),
                                 two = beside_ball_on_threads(2, settings);
    for (std::size_t k = 0; k < one.size(); ++k) EXPECT_EQ(one[k].values, two[k].values);
  }
}

}  // namespace
}  // namespace hodge::sim
