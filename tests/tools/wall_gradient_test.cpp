#include "tools/hodge/validate/wall_gradient.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tests/support/fake_flow.hpp"

namespace hodge {
namespace {

// A flow whose scalar is a function of the position.
class ScalarFlow : public test::FakeFlow {
 public:
  ScalarFlow(sim::GridSettings grid, std::function<double(sim::Point)> scalar)
      : FakeFlow({}, grid), scalar_(std::move(scalar)) {}

  std::vector<sim::CellArray> cell_arrays(const std::vector<std::string>&) const override {
    const auto centre = [&](int d, int i) {
      return d < grid().dim() ? grid().axis(d).centre(i) : 0;
    };
    sim::CellArray array{"scalar", 1, {}};
    for (int k = 0; k < grid().cells(2); ++k)
      for (int j = 0; j < grid().cells(1); ++j)
        for (int i = 0; i < grid().cells(0); ++i)
          array.values.push_back(scalar_({centre(0, i), centre(1, j), centre(2, k)}));
    return {array};
  }

 private:
  std::function<double(sim::Point)> scalar_;
};

sim::GridSettings stretched_grid(int dim) {
  sim::GridSettings grid;
  grid.dim = dim;
  for (int d = 0; d < dim; ++d)
    grid.axes[d] = {.cells = 4 + d, .lower = 0, .upper = 2, .stretching = "tanh", .strength = 1.5};
  return grid;
}

double gradient(int dim, const std::function<double(sim::Point)>& scalar,
                const tools::FixedValueSide& side) {
  return tools::mean_wall_gradient(
      tools::CellField(ScalarFlow(stretched_grid(dim), scalar), "scalar"), side);
}

TEST(MeanWallGradient, is_the_mean_over_the_area_and_points_into_the_box) {
  const auto plane = [](sim::Point x) { return 3 + x[0] * (1 + x[1]); };
  EXPECT_NEAR(gradient(2, plane, {0, 0, 3}), 2, 1e-12);
  const auto space = [](sim::Point x) { return 3 + (2 - x[1]) * (1 + x[0] + 2 * x[2]); };
  EXPECT_NEAR(gradient(3, space, {1, 1, 3}), 4, 1e-12);
}

}  // namespace
}  // namespace hodge
