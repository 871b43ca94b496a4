// Errors against an exact solution are those of the fluid: what bodies have in them does not count.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "sim/flow/flow.hpp"
#include "tests/support/flow_settings.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::sim {
namespace {

template <class Space>
class ErrorsBesideBodies : public tests::SpaceTest<Space> {
 public:
  static Settings settings(int dim, int cells) {
    Settings settings = test::flow_settings_on<Space>(dim, cells, "bdf2");
    settings.pressure.preconditioner = {"multigrid", {}};
    return settings;
  }
};
TYPED_TEST_SUITE(ErrorsBesideBodies, tests::Spaces, tests::SpaceName);

constexpr Point middle_of_errors{0.51, 0.48, 0.53};
constexpr double radius_of_errors = 0.23;

bool is_in_ball(const Point& x, int dim, double less = 0) {
  double squares = 0;
  for (std::size_t d = 0; d < static_cast<std::size_t>(dim); ++d)
    squares += (x[d] - middle_of_errors[d]) * (x[d] - middle_of_errors[d]);
  return squares < (radius_of_errors - less) * (radius_of_errors - less);
}

// A heavy fluid at rest around a ball. The exact fields are what they are, and anything in the ball
// where that is a staircase, or cuts no cell whose centre it has.
Problem at_rest_around_ball(int dim, bool sharp, ScalarSideKind kind) {
  Problem problem;
  problem.density = 3;
  problem.viscosity = 0.1;
  problem.force = {2, -9, 0};
  problem.solids = {{.name = "ball",
                     .region = Region{SphereShape{middle_of_errors, radius_of_errors}},
                     .sharp = sharp}};
  problem.exact = {
      [=](Point x, double) {
        const double less = sharp ? 0.08 : 0;  // a centroid of an open part may be in the ball
        return is_in_ball(x, dim, less) ? std::array{5.0, -7.0, 3.0} : std::array{0.0, 0.0, 0.0};
      },
      [=](Point x, double) {
        return 3 * (2 * x[0] - 9 * x[1]) + (!sharp && is_in_ball(x, dim) ? 1000 : 0);
      }};
  problem.scalars.resize(1);
  ScalarProblem& heat = problem.scalars[0];
  heat.name = "heat";
  heat.diffusivity = 0.1;
  heat.initial = [](Point) { return 0.75; };
  const bool everywhere = sharp && kind != ScalarSideKind::value;  // also at centres in the ball
  heat.exact = [=](Point x, double) { return !everywhere && is_in_ball(x, dim) ? 40 : 0.75; };
  if (kind == ScalarSideKind::value) problem.solids[0].scalars = {{"heat", {kind, 0.75}, {}, {}}};
  return problem;
}

TYPED_TEST(ErrorsBesideBodies, of_a_fluid_at_rest_are_rounding_whatever_is_in_the_body) {
  for (const int dim : {2, 3})
    for (const bool sharp : {false, true})
      for (const ScalarSideKind kind : {ScalarSideKind::flux, ScalarSideKind::value}) {
        const auto flow = make_flow(this->settings(dim, dim == 2 ? 24 : 14),
                                    at_rest_around_ball(dim, sharp, kind));
        for (int k = 0; k < 2; ++k) ASSERT_TRUE(flow->advance(0.01).ok);
        const ErrorNorms errors = *flow->error_norms();
        EXPECT_LT(errors.velocity_max, 1e-9) << dim << sharp;
        EXPECT_LT(errors.pressure_max, 1e-7) << dim << sharp;
        EXPECT_LT(errors.scalars.at(0).max, 1e-9) << dim << sharp;
      }
}

// By hand: on 4 x 4 cells a block leaves 14 of them, and 12 faces of each component.
TYPED_TEST(ErrorsBesideBodies, are_means_over_the_fluid) {
  Problem problem;
  problem.viscosity = 0.1;
  for (const int axis : {0, 1}) problem.boundaries.set(axis, SideKind::periodic);
  problem.solids = {{.name = "block", .region = Region{BoxShape{{0.25, 0.25}, {0.75, 0.5}}}}};
  problem.exact = {[](Point, double) {
                     return std::array{2.0, 3.0, 0.0};
                   },
                   [](Point x, double) { return x[0] < 0.25 ? 1.0 : 0.0; }};
  problem.scalars.resize(1);
  problem.scalars[0].exact = [](Point x, double) { return x[0] < 0.25 ? 1.0 : 0.0; };
  problem.scalars[0].diffusivity = 1;
  const ErrorNorms errors = *make_flow(this->settings(2, 4), problem)->error_norms();
  // Faces of the block, its sides included: 3 of u, 4 of v.
  EXPECT_NEAR(errors.velocity_l2, std::sqrt((13 * 4.0 + 12 * 9.0) / 14), 1e-12);
  EXPECT_EQ(errors.velocity_max, 3);
  const double mean = 4.0 / 14;
  EXPECT_NEAR(errors.pressure_l2, std::sqrt(mean * (1 - mean)), 1e-12);
  EXPECT_NEAR(errors.scalars.at(0).l2, std::sqrt(mean), 1e-12);
}

// All around a cylinder turns, r - R^2 / r: an exact flow.
TYPED_TEST(ErrorsBesideBodies, of_a_flow_around_a_sharp_body_are_of_second_order) {
  const auto errors = [&](int cells) {
    Problem problem;
    problem.viscosity = 0.1;
    const std::string share = "(1 - 0.0529/((x - 0.51)^2 + (y - 0.48)^2))";
    const Expression u = Expression::parse("-(y - 0.48)*" + share),
                     v = Expression::parse("(x - 0.51)*" + share);
    for (int d = 0; d < 2; ++d)
      for (Side& side : problem.boundaries.sides[d]) side = {SideKind::inflow, {u, v, 0}};
    problem.initial_velocity = [u, v](Point x) { return std::array{u(x, 0), v(x, 0), 0.0}; };
    problem.exact = {vector_function({u, v, 0}), nullptr};
    problem.solids = {{.name = "ball",
                       .region = Region{SphereShape{middle_of_errors, radius_of_errors}},
                       .sharp = true}};
    const auto flow = make_flow(this->settings(2, cells), problem);
    for (int k = 0; k < 20; ++k) EXPECT_TRUE(flow->advance(0.02).ok);
    return *flow->error_norms();
  };
  const ErrorNorms coarse = errors(20), fine = errors(40);
  EXPECT_GT(std::log2(coarse.velocity_l2 / fine.velocity_l2), 1.8)
      << coarse.velocity_l2 << ' ' << fine.velocity_l2;
  EXPECT_GT(std::log2(coarse.velocity_max / fine.velocity_max), 1.5)
      << coarse.velocity_max << ' ' << fine.velocity_max;
}

}  // namespace
}  // namespace hodge::sim
