#include "sim/discrete/operators/forcing.hpp"

#include <gtest/gtest.h>

#include "sim/discrete/assembly/unknowns.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

TEST(Forcing, by_a_linear_scalar_is_exact_at_faces_between_uneven_cells) {
  const test::Domain<2> domain{test::grid_of({test::uneven(6, -1, 0), test::uneven(7, 2, 4)}),
                               test::walls()};
  const Layout<2> layout = domain.metrics.layout();
  Field<2, linalg::Host> scalar(layout);
  const auto linear = [](const Point& x) { return 3 * x[0] - 5 * x[1]; };
  for_each_on_host(layout.interior(), [&](const Index<2>& c) {
    scalar.view()(c) = linear(point_of<2>(domain.grid, at_cells, c));
  });
  for (int d = 0; d < 2; ++d) {
    Forcing<2> forcing{domain.metrics.view(), d, 0.0, {}};
    forcing.terms = 1;
    forcing.term[0] = {scalar.view(), 2.0, 0.5};
    for_each_on_host(unknowns_at(d, layout, domain.sides).box, [&](const Index<2>& c) {
      EXPECT_NEAR(forcing_at(forcing, c), 2.0 * (linear(point_of<2>(domain.grid, d, c)) - 0.5),
                  1e-12);
    });
  }
}

}  // namespace
}  // namespace hodge::sim
