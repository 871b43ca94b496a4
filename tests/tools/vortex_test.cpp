#include "tools/hodge/validate/cell_field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "tests/support/sampled_flow.hpp"

namespace hodge::tools {
namespace {

constexpr double pi = std::numbers::pi;

// psi = -a(x) b(y),  a = sin^2(pi x),  b = y^2 (1 - y): least at x = 1/2, y = 2/3, where it is
// -4/27.
std::array<double, 3> swirl(sim::Point x) {
  const double s = std::sin(pi * x[0]), y = x[1];
  return {-s * s * (2 * y - 3 * y * y), pi * std::sin(2 * pi * x[0]) * y * y * (1 - y), 0};
}

Vortex vortex_on(int cells) {
  sim::GridSettings grid;
  for (int d = 0; d < 2; ++d) grid.axes[d].cells = cells;
  return primary_vortex(test::SampledFlow(grid, swirl));
}

TEST(Vortex, is_where_the_stream_function_is_least) {
  const Vortex vortex = vortex_on(64);
  EXPECT_NEAR(vortex.psi, -4.0 / 27, 1e-4);
  EXPECT_NEAR(vortex.x, 0.5, 1e-6);
  EXPECT_NEAR(vortex.y, 2.0 / 3, 1e-3);
}

TEST(Vortex, converges_with_second_order) {
  const double coarse = std::abs(vortex_on(24).psi + 4.0 / 27);
  const double fine = std::abs(vortex_on(48).psi + 4.0 / 27);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

}  // namespace
}  // namespace hodge::tools
