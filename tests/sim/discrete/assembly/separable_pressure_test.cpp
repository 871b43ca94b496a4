#include "sim/discrete/assembly/separable_pressure.hpp"

#include <gtest/gtest.h>

#include "sim/discrete/assembly/pressure.hpp"
#include "tests/support/separable.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge {
namespace {

using test::Domain;
using test::Host;

// Entry for entry: the separable system of a box is its CSR matrix.
template <int Dim>
void expect_same_matrix(const Domain<Dim>& domain) {
  const auto unknowns = sim::cell_unknowns(domain.metrics.layout(), domain.sides);
  linalg::CsrMatrix<Host> matrix(sim::build_pattern<Dim, Host>(unknowns));
  sim::assemble_pressure<Dim, Host>({domain.metrics.view(), unknowns, domain.sides}, matrix);
  const tests::HostMatrix separable =
      tests::matrix_of(sim::separable_pressure(domain.grid, domain.boundaries));
  EXPECT_LT(tests::largest_difference(test::dense(matrix), separable), 4e-15);
}

TEST(SeparablePressure, is_the_matrix_of_every_kind_of_box) {
  test::for_each_domain<2>(expect_same_matrix<2>);
  test::for_each_domain<3>(expect_same_matrix<3>);
}

TEST(SeparablePressure, is_the_matrix_of_boxes_with_open_sides) {
  for (int open = 1; open < 16; ++open) {
    sim::Boundaries boundaries = test::walls();
    for (int side = 0; side < 4; ++side)
      if ((open >> side & 1) != 0)
        boundaries.sides[side / 2][side % 2].kind =
            side == 0 ? sim::SideKind::pressure : sim::SideKind::outflow;
    expect_same_matrix(
        Domain<2>{test::grid_of({test::uneven(6, 2, 3), test::uneven(5, -1, 1)}), boundaries});
  }
}

}  // namespace
}  // namespace hodge
