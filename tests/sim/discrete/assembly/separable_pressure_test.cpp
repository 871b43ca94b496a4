#include "sim/discrete/assembly/separable_pressure.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "sim/discrete/assembly/numbering.hpp"
#include "sim/discrete/assembly/pressure.hpp"
#include "sim/discrete/bodies/staircase.hpp"
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
  sim::assemble_pressure<Dim, Host>({domain.metrics.view(), unknowns, domain.sides},
                                    {domain.metrics.view()}, matrix);
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

// Beside solids, which touch sides and cut off a cell, the matrix is the same system without the
// solid cells: products read its arrays.
template <int Dim>
void expect_box_beside_solids(const Domain<Dim>& domain) {
  const auto layout = domain.metrics.layout();
  std::vector<std::uint8_t> cells;
  for (long long i = 0; i < layout.interior().size(); ++i) {
    const auto in = [&](std::initializer_list<long long> list) {
      return std::find(list.begin(), list.end(), i) != list.end();
    };
    cells.push_back(in({1, 4, 11, 18}) || (Dim == 3 && in({24, 40, 41, 42})) ? 1 : 0);
  }
  const sim::Bodies<Dim, Host> bodies(layout, sim::staircase(layout, cells, domain.boundaries));
  const sim::NumberedUnknowns<Dim, Host> unknowns(sim::at_cells, layout, domain.sides,
                                                  bodies.view());
  linalg::CsrMatrix<Host> matrix(sim::build_pattern<Dim, Host>(unknowns.view()),
                                 linalg::Symmetry::symmetric);
  sim::assemble_pressure<Dim, Host>({domain.metrics.view(), unknowns.view(), domain.sides},
                                    {domain.metrics.view()}, matrix);
  const std::vector<int> pinned{0};
  for (const bool pins : {false, true}) {
    if (pins) sim::pin(linalg::Buffer<int, Host>(std::span<const int>(pinned)), matrix);
    matrix.describe_as(std::make_shared<linalg::SeparableSystem>(
        sim::separable_pressure(domain.grid, domain.boundaries)));
    EXPECT_TRUE(matrix.box_system());
    EXPECT_EQ(matrix.separable(), nullptr);
    EXPECT_LE(linalg::box_difference<Host>(matrix.view(), matrix.view().box), 1e-14);
  }
}

TEST(SeparablePressure, is_the_matrix_beside_solids_without_their_cells) {
  test::for_each_domain<2>(expect_box_beside_solids<2>);
  test::for_each_domain<3>(expect_box_beside_solids<3>);
}

}  // namespace
}  // namespace hodge
