// The closures of every condition at every side: the table of field_boundary.hpp, on a box with
// other ends along each axis.
#include "sim/discrete/boundaries/field_boundary.hpp"

#include <gtest/gtest.h>

#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

using test::Domain;
using test::Host;

constexpr double diffusivity = 0.3, time = 1.5, dt = 0.2;

// A box whose cells differ along each axis, and fields with their ghosts on it.
struct Box3 {
  Domain<3> domain{test::grid_of({test::uneven(4, -0.3, 0.7), test::uneven(6, 0.5, 2.5),
                                  test::uneven(5, -1.0, -0.4)}),
                   test::walls()};
  Layout<3> layout = domain.metrics.layout();
  VelocityField<3, Host> convecting{layout};
  Field<3, Host> now{layout}, before{layout};
  SideFlow flow{0.0, 2.0, 3.0, 1.5};  // of every side, whose areas are 1

  Box3() {
    std::mt19937 generator(5);
    std::uniform_real_distribution<double> number(-1, 1);
    for (Field<3, Host>* field : {&convecting[0], &convecting[1], &convecting[2], &now, &before}) {
      std::vector<double> values(layout.size());
      for (double& value : values) value = number(generator);
      field->values().upload(values);
    }
  }

  BoundaryStep<3> step(const TimeWeights& weights) const {
    BoundaryStep<3> step;
    step.time = time;
    step.dt = dt;
    step.weights = weights;
    step.convecting = convecting.view();
    for (const auto [axis, side] : sides_of_box(3)) {
      step.side_flows.of[axis][side] = &flow;
      step.open_area[axis][side] = 1;
    }
    step.old_level = now.view();
    step.older_level = before.view();
    return step;
  }
  // delta: of cells on both sides of a side, or of the face in it and the next.
  double distance(int axis, int side) const {
    const std::vector<double>& widths = domain.grid.axis(axis).widths;
    return side == 0 ? widths.front() : widths.back();
  }
  // The outward velocity at the side for the value at c.
  double outward(int location, int axis, int side, Index<3> c) const {
    const auto u = convecting.view()[axis];
    c[axis] = side == 0 ? 0 : layout.cells[axis];
    const bool between = location != at_cells && location != axis;
    const double local = between ? 0.5 * (u(c) + u(c.shifted(location, -1))) : u(c);
    return side == 0 ? -local : local;
  }
};

// visit(axis, side, c, offset, slope) at the cells of every side, with the same condition on all.
template <class Visit>
void for_each_closure(const Box3& box, int location, const FieldSide& condition,
                      const BoundaryStep<3>& step, Visit visit) {
  FieldSides sides;
  for (auto& axis : sides) axis = {condition, condition};
  FieldBoundary<3, Host> boundary(location, sides, diffusivity, box.domain.metrics, {});
  boundary.refresh(step);
  const ClosureView<3> closure = boundary.view();
  for (const auto [axis, side] : sides_of_box(3))
    for_each_on_host(
        side_faces(box.layout, axis), [&, axis = axis, side = side](const Index<3>& c) {
          visit(axis, side, c, closure.offset(axis, side, c), closure.slope(axis, side, c));
        });
}

double value_at(const Box3& box, int location, int axis, int side, const Index<3>& c) {
  Point x = point_of<3>(box.domain.grid, location, c);
  const std::vector<double>& edges = box.domain.grid.edges(axis);
  x[static_cast<std::size_t>(axis)] = side == 0 ? edges.front() : edges.back();
  return 1 + x[0] - 2 * x[1] * x[2] + time;
}
const Expression formula = Expression::parse("1 + x - 2*y*z + t");

TEST(FieldBoundary, a_value_is_half_way_between_cells_or_in_the_side) {
  const Box3 box;
  for (const int location : {at_cells, 0, 1, 2})
    for_each_closure(box, location, {Condition::value, formula}, box.step({}),
                     [&](int axis, int side, const Index<3>& c, double offset, double slope) {
                       const double w = value_at(box, location, axis, side, c);
                       EXPECT_NEAR(offset, location == axis ? w : 2 * w, 1e-14);
                       EXPECT_EQ(slope, location == axis ? 0.0 : -1.0);
                     });
}

TEST(FieldBoundary, a_flux_enters_where_it_is_positive) {
  const Box3 box;
  for_each_closure(box, at_cells, {Condition::flux, formula}, box.step({}),
                   [&](int axis, int side, const Index<3>& c, double offset, double slope) {
                     const double g = value_at(box, at_cells, axis, side, c);
                     const double delta = box.distance(axis, side);
                     EXPECT_EQ(slope, 1.0);
                     EXPECT_NEAR(diffusivity * offset / delta, g, 1e-13);
                   });
}

// -D (ghost - inner) / delta = k ((ghost + inner) / 2 - w), whatever the inner value.
TEST(FieldBoundary, a_convective_side_loses_in_proportion_to_the_difference) {
  const Box3 box;
  const Expression k = Expression::parse("0.5 + t");
  for_each_closure(box, at_cells, {Condition::convective, formula, k}, box.step({}),
                   [&](int axis, int side, const Index<3>& c, double offset, double slope) {
                     const double w = value_at(box, at_cells, axis, side, c);
                     const double delta = box.distance(axis, side);
                     for (const double inner : {0.0, 3.0}) {
                       const double ghost = offset + slope * inner;
                       EXPECT_NEAR(-diffusivity * (ghost - inner) / delta,
                                   (0.5 + time) * (0.5 * (ghost + inner) - w), 1e-12);
                     }
                   });
}

// What enters with speed w brings (1 + share) / 2 of its own momentum by convection and friction
// together: w (ghost + inner) / 2 + D (ghost - inner) / delta = w inner (1 + share) / 2.
// share = 1 / (1 + (1.5 / 3)^2).
void expect_entering(const Box3& box, int axis, int side, double w, double slope) {
  EXPECT_NEAR(w * (slope + 1) / 2 + diffusivity * (slope - 1) / box.distance(axis, side),
              w * (1 + 0.8) / 2, 1e-12);
}

// (a0 q + a1 q^n + a2 q^{n-1}) / dt + c (q - inner) / delta = 0 for the value q beyond the side.
void expect_outflow(int location, double mean) {
  Box3 box;
  box.flow.outward = mean;
  const TimeWeights weights = bdf2_weights(0.7);
  const auto now = std::as_const(box.now).view(), before = std::as_const(box.before).view();
  int leaving = 0;
  for_each_closure(
      box, location, {Condition::outflow}, box.step(weights),
      [&](int axis, int side, const Index<3>& c, double offset, double slope) {
        if (location == axis) return;  // the velocity across an open side is an unknown
        const double out = box.outward(location, axis, side, c);
        if (location != at_cells && out < 0) {
          EXPECT_EQ(offset, 0.0);
          expect_entering(box, axis, side, -out, slope);
          return;
        }
        const double diffusive = diffusivity / box.distance(axis, side);
        const double carried = std::max(out, mean);
        const double speed =
            carried >= diffusive
                ? carried
                : std::min(diffusive * diffusive / std::max(carried, 1e-300), 1000 * diffusive);
        const Index<3> beyond = with(c, axis, side == 0 ? -1 : box.layout.cells[axis]);
        const double inner = 0.8, q = offset + slope * inner;
        const double rate =
            (weights.a0 * q + weights.a1 * now(beyond) + weights.a2 * before(beyond)) / dt;
        EXPECT_NEAR(rate + speed * (q - inner) / box.distance(axis, side), 0,
                    1e-13 * (1 + speed / box.distance(axis, side)));
        leaving += out > 0 ? 1 : 0;
      });
  EXPECT_GT(leaving, 20);
}

TEST(FieldBoundary,
     an_outflow_carries_values_out_at_the_local_speed_the_mean_one_or_that_of_diffusion) {
  for (const int location : {at_cells, 0, 1, 2})
    for (const double mean : {-0.2, 0.0, 0.3}) expect_outflow(location, mean);
}

TEST(FieldBoundary, an_outflow_without_levels_has_no_gradient) {
  const Box3 box;
  BoundaryStep<3> step = box.step(backward_euler_weights(1));
  step.old_level = step.older_level = {};
  for_each_closure(box, at_cells, {Condition::outflow}, step,
                   [](int, int, const Index<3>&, double offset, double slope) {
                     EXPECT_EQ(offset, 0.0);
                     EXPECT_EQ(slope, 1.0);
                   });
}

TEST(FieldBoundary, entering_fluid_has_the_value_and_leaving_fluid_none) {
  const Box3 box;
  int entering = 0;
  for_each_closure(box, at_cells, {Condition::entering, formula}, box.step({}),
                   [&](int axis, int side, const Index<3>& c, double offset, double slope) {
                     const bool enters = box.outward(at_cells, axis, side, c) < 0;
                     const double w = value_at(box, at_cells, axis, side, c);
                     EXPECT_NEAR(offset, enters ? 2 * w : 0.0, 1e-14);
                     EXPECT_EQ(slope, enters ? -1.0 : 1.0);
                     entering += enters ? 1 : 0;
                   });
  EXPECT_GT(entering, 20);
}

TEST(FieldBoundary, along_a_free_side_entering_fluid_brings_a_share_of_its_own) {
  const Box3 box;
  int entering = 0;
  for (const int location : {0, 1, 2})
    for_each_closure(box, location, {Condition::free}, box.step({}),
                     [&](int axis, int side, const Index<3>& c, double offset, double slope) {
                       if (location == axis) return;
                       const double inward = -box.outward(location, axis, side, c);
                       EXPECT_EQ(offset, 0.0);
                       if (inward > 0)
                         expect_entering(box, axis, side, inward, slope);
                       else
                         EXPECT_EQ(slope, 1.0);
                       entering += inward > 0 ? 1 : 0;
                     });
  EXPECT_GT(entering, 20);
}

// What does not depend on time is evaluated once, what does at every refresh.
TEST(FieldBoundary, sides_follow_the_time) {
  const Box3 box;
  FieldSides sides;
  for (auto& axis : sides)
    axis = {FieldSide{Condition::value, formula},
            FieldSide{Condition::convective, 1.0, Expression::parse("1 + t")}};
  FieldBoundary<3, Host> boundary(at_cells, sides, diffusivity, box.domain.metrics, {});
  BoundaryStep<3> step = box.step({});
  boundary.refresh(step);
  const Index<3> c{{1, 2, 3}};
  const ClosureView<3> closure = boundary.view();
  EXPECT_TRUE(closure.slopes_change);
  const double offset = closure.offset(0, 0, c), slope = closure.slope(1, 1, c);
  step.time = time + 1;
  boundary.refresh(step);
  EXPECT_NEAR(closure.offset(0, 0, c), offset + 2, 1e-14);
  EXPECT_LT(closure.slope(1, 1, c), slope - 1e-3);
}

}  // namespace
}  // namespace hodge::sim
