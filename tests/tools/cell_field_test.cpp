#include "tools/hodge/validate/cell_field.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/sampled_flow.hpp"

namespace hodge::tools {
namespace {

sim::GridSettings box(int dim, int cells, bool stretched = false) {
  sim::GridSettings grid;
  grid.dim = dim;
  for (int d = 0; d < dim; ++d) {
    grid.axes[d].cells = cells + cells / 6 * d;
    if (stretched) grid.axes[d].stretching = "tanh", grid.axes[d].strength = 1.5;
  }
  return grid;
}

std::array<double, 3> waves(sim::Point x) {
  return {std::sin(2 * x[0] + x[1]) * std::cos(x[2]), std::cos(x[0] - 3 * x[1]) + x[2],
          std::exp(x[0] + x[1] - x[2])};
}

// The largest error on a line, the two cells next to each end left out.
double error_on(const Line& line, int component, int cells, int dim, bool stretched) {
  const test::SampledFlow flow(box(dim, cells, stretched), waves);
  const Profile profile = CellField(flow, "velocity").line(component, line);
  double largest = 0;
  for (std::size_t i = 2; i + 2 < profile.size(); ++i) {
    sim::Point at = line.through;
    at[line.axis] = profile[i].position;
    largest = std::max(largest, std::abs(profile[i].value - waves(at)[component]));
  }
  return largest;
}

TEST(CellField, lines_are_of_fourth_order_on_uniform_grids) {
  for (const int component : {0, 1, 2})
    for (const int axis : {0, 1, 2}) {
      const Line line{axis, {0.4, 0.5, 0.45}};
      const double coarse = error_on(line, component, 12, 3, false);
      const double fine = error_on(line, component, 36, 3, false);
      EXPECT_GT(std::log(coarse / fine) / std::log(3), 3.5) << component << " along " << axis;
    }
}

TEST(CellField, lines_are_of_third_order_on_stretched_grids) {
  for (const int component : {0, 1}) {
    const Line line{1, {0.4, 0, 0}};
    const double coarse = error_on(line, component, 16, 2, true);
    const double fine = error_on(line, component, 64, 2, true);
    EXPECT_GT(std::log(coarse / fine) / std::log(4), 2.8) << component;
  }
}

TEST(CellField, values_are_exact_for_linear_fields_and_constant_beyond_the_centres) {
  const test::SampledFlow flow(box(2, 6, true), [](sim::Point x) {
    return std::array<double, 3>{1 + 2 * x[0] - 3 * x[1], 0, 0};
  });
  const CellField pressure(flow, "pressure");
  EXPECT_NEAR(pressure.value(0, {0.3, 0.6, 0}), 1 + 0.6 - 1.8, 1e-14);
  EXPECT_EQ(pressure.value(0, {0, 0, 0}), pressure(0, {0, 0, 0}));
  EXPECT_EQ(pressure.value(0, {1, 1, 0}), pressure(0, {5, 6, 0}));
}

TEST(CellField, ends_are_put_around_a_line) {
  const CellField velocity(test::SampledFlow(box(2, 6), waves), "velocity");
  const Profile line = velocity.line(0, {.axis = 0, .through = {0, 0.5, 0}});
  ASSERT_EQ(line.size(), 6U);
  Profile expected{{0, 3}};
  expected.insert(expected.end(), line.begin(), line.end());
  expected.push_back({1, 4});
  EXPECT_EQ(velocity.line(0, {.axis = 0, .through = {0, 0.5, 0}, .ends = {{3, 4}}}), expected);
}

}  // namespace
}  // namespace hodge::tools
