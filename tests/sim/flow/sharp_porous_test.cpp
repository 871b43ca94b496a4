// Porous bodies and sponges beside sharp solids: profiles of second order where solids cut the
// porous body, one steady state of all schemes, the balance of forces, restart.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/restored_flow.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::sim {
namespace {

template <class Space>
class PorousBesideSharpBodies : public tests::SpaceTest<Space> {
 public:
  static Settings settings(const std::string& scheme, int cells_x, int cells_y) {
    Settings settings = test::flow_settings_on<Space>(2, cells_y, scheme);
    settings.grid.axes[0].cells = cells_x;
    settings.grid.axes[0].upper = static_cast<double>(cells_x) / cells_y;
    settings.pressure.preconditioner = {"multigrid", {}};
    return settings;
  }
};
TYPED_TEST_SUITE(PorousBesideSharpBodies, tests::Spaces, tests::SpaceName);

constexpr const char* schemes_beside[] = {"bdf2", "backward_euler", "cn_ab2", "rk3", "ab2"};

// A channel between sharp walls at `below` and `above`, porous from 0.5 up to `porous_end`, driven
// along x:
//
//   nu u'' - nu d u + 1 = 0  in the porous part,  nu u'' + 1 = 0  below
struct LayeredChannel {
  static constexpr double nu = 0.1, d = 30, below = 0.137, middle = 0.5, above = 0.868;

  static Problem problem(double porous_end) {
    Problem problem;
    problem.viscosity = nu;
    problem.boundaries.set(0, SideKind::periodic);
    problem.force = {1, 0, 0};
    problem.solids = {
        {.name = "below", .region = Region{BoxShape{{-1, -1, 0}, {3, below, 0}}}, .sharp = true},
        {.name = "above", .region = Region{BoxShape{{-1, above, 0}, {3, 2, 0}}}, .sharp = true}};
    problem.resistances.porous = {
        {.region = Region{BoxShape{{-1, middle, 0}, {3, porous_end, 0}}}, .darcy = d}};
    return problem;
  }
  // Below u = -s^2 / (2 nu) + a s, s from the wall; above, with r from the other wall,
  // u = (1 - cosh(k r)) / (nu d) + b sinh(k r), k^2 = d. Equal values and slopes between them.
  static double at(double y) {
    const double s = middle - below, r = above - middle, k = std::sqrt(d);
    const double p = (1 - std::cosh(k * r)) / (nu * d), slope = k * std::sinh(k * r) / (nu * d);
    // a s - s^2/(2 nu) = p + b sinh;  a - s/nu = slope - b k cosh
    const double b =
        (s * slope + s * s / (2 * nu) - p) / (std::sinh(k * r) + s * k * std::cosh(k * r));
    const double a = slope - b * k * std::cosh(k * r) + s / nu;
    if (y < middle) return a * (y - below) - (y - below) * (y - below) / (2 * nu);
    return (1 - std::cosh(k * (above - y))) / (nu * d) + b * std::sinh(k * (above - y));
  }
};

// Cell means of u along y in the steady state.
std::vector<double> steady_profile(const Settings& settings, const Problem& problem, double dt,
                                   int steps) {
  const auto flow = make_flow(settings, problem);
  for (int k = 0; k < steps; ++k) EXPECT_TRUE(flow->advance(dt).ok);
  const CellArray velocity = flow->cell_arrays({"velocity"})[0];
  const auto components = static_cast<std::size_t>(velocity.components);
  std::vector<double> profile;
  const auto row = static_cast<std::size_t>(flow->grid().cells(0)) * components;
  for (std::size_t j = 0; j * row < velocity.values.size(); ++j)
    profile.push_back(velocity.values[j * row]);
  return profile;
}

TYPED_TEST(PorousBesideSharpBodies, have_profiles_of_second_order) {
  for (const std::string scheme : {"bdf2", "cn_ab2", "rk3", "ab2"}) {
    const auto error = [&](int n) {
      const bool is_explicit = scheme == "rk3" || scheme == "ab2";
      const double dt = is_explicit ? 1.0 / (8 * 0.1 * n * n) : 0.05;
      const std::vector<double> u =
          steady_profile(this->settings(scheme, 4, n), LayeredChannel::problem(2), dt,
                         static_cast<int>(is_explicit ? 6 / dt : 120));
      double largest = 0;
      for (int j = 0; j < n; ++j) {
        const double y = (j + 0.5) / n;
        if (y > LayeredChannel::below + 0.5 / n && y < LayeredChannel::above - 0.5 / n)
          largest =
              std::max(largest, std::abs(u[static_cast<std::size_t>(j)] - LayeredChannel::at(y)));
      }
      return largest;
    };
    const double coarse = error(16), fine = error(32);
    EXPECT_GT(std::log2(coarse / fine), 1.7) << scheme << ' ' << coarse << ' ' << fine;
    EXPECT_LT(fine, 3e-3 * LayeredChannel::at(0.4)) << scheme;
  }
}

// What resists is the porous part of the fluid: where the porous body ends in the surface of a
// solid it resists as much as where it goes on behind it.
TYPED_TEST(PorousBesideSharpBodies, resist_in_the_fluid_of_cut_faces) {
  for (const std::string scheme : {"bdf2", "rk3"}) {
    const auto profile = [&](double end) {
      return steady_profile(this->settings(scheme, 4, 16), LayeredChannel::problem(end), 0.004,
                            250);
    };
    const std::vector<double> ends = profile(LayeredChannel::above), goes_on = profile(2);
    for (std::size_t j = 0; j < ends.size(); ++j) EXPECT_NEAR(ends[j], goes_on[j], 1e-9) << j;
  }
}

// In a periodic box all of which is porous, Darcy and Forchheimer.
Problem ball_in_a_bed(double darcy, double forchheimer) {
  Problem problem;
  problem.viscosity = 0.05;
  problem.boundaries.set(0, SideKind::periodic);
  problem.boundaries.set(1, SideKind::periodic);
  problem.force = {1, 0.2, 0};
  problem.solids = {
      {.name = "ball", .region = Region{SphereShape{{0.52, 0.49, 0}, 0.23}}, .sharp = true}};
  problem.resistances.porous = {{.darcy = darcy, .forchheimer = forchheimer}};
  return problem;
}

TYPED_TEST(PorousBesideSharpBodies, have_one_steady_state_with_every_scheme_and_step) {
  std::vector<BodyForce> forces;
  for (const double dt : {0.008, 0.004})
    for (const std::string scheme : schemes_beside) {
      const auto flow = make_flow(this->settings(scheme, 16, 16), ball_in_a_bed(40, 20));
      for (int k = 0; k < static_cast<int>(2.5 / dt); ++k)
        ASSERT_TRUE(flow->advance(dt).ok) << scheme;
      forces.push_back(flow->forces().at(0));
      for (int d = 0; d < 2; ++d) {
        const auto at = static_cast<std::size_t>(d);
        EXPECT_NEAR(forces.back().pressure[at], forces[0].pressure[at], 1e-6) << scheme << dt;
        EXPECT_NEAR(forces.back().viscous[at], forces[0].viscous[at], 1e-6) << scheme << dt;
      }
    }
  EXPECT_GT(forces[0].pressure[0] + forces[0].viscous[0], 0.1);
}

// The force that drives the fluid is what the bed takes, nu d times the flow, and the solid does.
TYPED_TEST(PorousBesideSharpBodies, share_the_force_with_the_bed) {
  const double darcy = 40;
  const auto flow = make_flow(this->settings("bdf2", 32, 32), ball_in_a_bed(darcy, 0));
  for (int k = 0; k < 120; ++k) ASSERT_TRUE(flow->advance(0.02).ok);
  const CellArray velocity = flow->cell_arrays({"velocity"})[0];
  double through = 0;  // a column that the ball is not in
  for (std::size_t j = 0; j < 32; ++j)
    through += velocity.values[32 * j * static_cast<std::size_t>(velocity.components)] / 32;
  const BodyForce force = flow->forces().at(0);
  const double driven = 1 - std::acos(-1) * 0.23 * 0.23;
  EXPECT_NEAR(force.pressure[0] + force.viscous[0] + 0.05 * darcy * through, driven,
              0.003 * driven);
  EXPECT_GT(force.pressure[0] + force.viscous[0], 0.1 * driven);
}

// A resistance that stops the fluid, at steps as long as without.
TYPED_TEST(PorousBesideSharpBodies, stay_bounded_in_a_bed_that_hardly_lets_through) {
  for (const std::string scheme : schemes_beside) {
    const auto flow = make_flow(this->settings(scheme, 16, 16), ball_in_a_bed(1e10, 1e4));
    for (int k = 0; k < 40; ++k) ASSERT_TRUE(flow->advance(0.02).ok) << scheme;
    for (const Quantity& quantity : flow->quantities())
      if (quantity.name == "max_speed") {
        EXPECT_LT(quantity.value, 1e-8) << scheme;
        EXPECT_GT(quantity.value, 1e-10) << scheme;
      }
  }
}

TYPED_TEST(PorousBesideSharpBodies, go_on_from_a_state_bit_for_bit) {
  for (const std::string scheme : schemes_beside) {
    Problem problem = ball_in_a_bed(40, 20);
    problem.resistances.sponges = {{.region = Region{BoxShape{{0.6, 0, 0}, {0.9, 1, 0}}},
                                    .rate = 3,
                                    .velocity = {{0.1, 0, 0}}}};
    const Settings settings = this->settings(scheme, 16, 16);
    const auto flow = make_flow(settings, problem), again = make_flow(settings, problem);
    SCOPED_TRACE(scheme);
    test::expect_same_after_restoring(*flow, *again, {"velocity", "pressure"});
  }
}

}  // namespace
}  // namespace hodge::sim
