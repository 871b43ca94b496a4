// The constants of a grid of equal cells are the numbers that its arrays hold.
#include "sim/discrete/grid/uniform_grid.hpp"

#include <gtest/gtest.h>

#include "sim/discrete/grid/sampling.hpp"
#include "sim/discrete/operators/diffusion.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

TEST(UniformGrid, has_the_numbers_of_the_arrays_bit_for_bit) {
  const Grid box = test::grid_of({{.cells = 7, .lower = -0.3, .upper = 0.8},
                                  {.cells = 5, .lower = 0.1, .upper = 3.7},
                                  {.cells = 3, .lower = 0, .upper = 0.7}});
  const DeviceGrid<3, test::Host> metrics(box, test::with_periodic({0, 2}));
  const GridView<3> arrays = metrics.view();
  const auto uniform = uniform_grid<3>(box, metrics.layout());
  ASSERT_TRUE(uniform);
  Box<3> padded = metrics.layout().padded();
  for (int d = 0; d < 3; ++d) ++padded.lower[d];  // the first face with a distance
  for_each_on_host(padded, [&](const Index<3>& c) {
    for (int d = 0; d < 3; ++d) {
      EXPECT_EQ(uniform->face_area(d, c), arrays.face_area(d, c));
      EXPECT_EQ(uniform->inverse_distance(d, c[d]), arrays.inverse_distance(d, c[d]));
      for (int location = at_cells; location < 3; ++location) {
        EXPECT_EQ(conductance(*uniform, location, d, c), conductance(arrays, location, d, c));
        EXPECT_EQ(uniform->inverse_control_volume(location, c),
                  arrays.inverse_control_volume(location, c));
      }
    }
  });
}

TEST(UniformGrid, is_none_of_a_stretched_grid) {
  const Grid box = test::grid_of({test::uneven(4, 0, 1), test::uneven(5, 0, 1)});
  EXPECT_FALSE(uniform_grid<2>(box, layout_of<2>(box)));
}

}  // namespace
}  // namespace hodge::sim
