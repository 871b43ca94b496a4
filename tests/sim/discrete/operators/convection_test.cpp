#include "sim/discrete/operators/convection.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "sim/discrete/bodies/staircase.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge::sim {
namespace {

// Which of five cells along the flow are solid, and of which cells the values count.
struct SolidsAlongFlow {
  std::array<bool, 5> solid;
  std::array<int, 5> taken;
};

TEST(Convection, values_of_a_scalar_in_solids_are_those_of_the_fluid_beside_them) {
  const SolidsAlongFlow solids[] = {{{false, false, false, false, false}, {0, 1, 2, 3, 4}},
                                    {{false, false, false, false, true}, {0, 1, 2, 3, 3}},
                                    {{false, false, false, true, true}, {0, 1, 2, 2, 2}},
                                    {{true, false, false, false, false}, {1, 1, 2, 3, 4}},
                                    {{false, true, false, false, false}, {0, 2, 2, 3, 4}},
                                    {{true, true, false, false, false}, {2, 2, 2, 3, 4}},
                                    {{true, true, false, false, true}, {2, 2, 2, 3, 3}}};
  const test::Domain<2> domain{test::grid_of({test::uniform(8, 1), test::uniform(3, 1)}),
                               test::walls()};
  const Layout<2> layout = domain.metrics.layout();
  Field<2, linalg::Host> field(layout);
  const ConstFieldView<2> q = field.view();
  for_each_on_host(layout.interior(),
                   [&](const Index<2>& c) { field.view()(c) = 1 + c[0] * c[0] + 100 * c[1]; });
  for (const double flux : {2.0, -2.0})
    for (const SolidsAlongFlow& along : solids) {
      const auto at = [&](int k) { return Index<2>{{flux > 0 ? 1 + k : 6 - k, 1}}; };
      std::vector<std::uint8_t> cells(8 * 3);
      for (int k = 0; k < 5; ++k)
        cells[static_cast<std::size_t>(layout.interior().position(at(k)))] = along.solid[k];
      const Bodies<2, linalg::Host> bodies(layout, staircase(layout, cells, domain.boundaries));
      double s[5];
      values_along_flow(q, bodies.view(), at_cells, 0, flux, Index<2>{{4, 1}}, s);
      for (int k = 0; k < 5; ++k) EXPECT_EQ(s[k], q(at(along.taken[k]))) << k;
    }
}

}  // namespace
}  // namespace hodge::sim
