#include "sim/discrete/grid/sampling.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "sim/discrete/grid/metrics.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

Grid box(int n) {
  return test::grid_of(
      {test::uneven(n, -0.4, 0.7), test::uneven(n + 1, 0.3, 1.5), test::uneven(n + 2, 0, 2)});
}

// Of 8 and, by several threads, of 20 cells along an axis.
TEST(Sampling, takes_each_value_at_its_own_point_and_leaves_ghosts_at_0) {
  const auto f = [](const Point& x) { return 1 + x[0] + 10 * x[1] + 100 * x[2]; };
  for (const int n : {8, 20}) {
    const Grid grid = box(n);
    const Layout<3> layout = layout_of<3>(grid);
    for (const int d : {at_cells, 0, 1, 2}) {
      std::atomic<long long> calls = 0;
      const std::vector<double> values = sample<3>(grid, layout, d, [&](const MeanBox& box) {
        ++calls;
        return f(point_of(box));
      });
      const auto view = view_of(layout, values.data());
      Box<3> points = layout.interior();
      if (d != at_cells) ++points.upper[d];
      EXPECT_EQ(calls, points.size());
      for_each_on_host(layout.padded(), [&](const Index<3>& c) {
        ASSERT_EQ(view(c), points.contains(c) ? f(point_of<3>(grid, d, c)) : 0.0);
      });
    }
  }
}

TEST(Sampling, an_error_of_the_function_reaches_the_caller) {
  for (const int n : {3, 20}) {
    const Grid grid = box(n);
    const auto fails = [](const MeanBox& box) -> double {
      if (box.place[2] > 1) throw std::domain_error("above 1");
      return 0;
    };
    EXPECT_THROW(sample<3>(grid, layout_of<3>(grid), at_cells, fails), std::domain_error) << n;
  }
}

}  // namespace
}  // namespace hodge::sim
