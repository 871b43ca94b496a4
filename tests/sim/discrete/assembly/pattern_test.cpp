#include "sim/discrete/assembly/pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/discrete/assembly/transfer.hpp"
#include "tests/support/sim_objects.hpp"

namespace hodge {
namespace {

using sim::Index;
using test::Domain;
using test::Host;

// Columns of the row of c, by trying all unknowns: c itself, and those one step away along one
// axis.
template <int Dim>
std::vector<int> columns_by_search(const sim::Unknowns<Dim>& unknowns, const Index<Dim>& c) {
  std::vector<int> columns;
  sim::for_each_on_host(unknowns.box, [&](const Index<Dim>& other) {
    int axes = 0;
    bool near = true;
    for (int d = 0; d < Dim; ++d) {
      const int distance = std::abs(other[d] - c[d]), n = unknowns.box.extent(d);
      if (distance == 0) continue;
      ++axes;
      near = near && (distance == 1 || (unknowns.periodic[d] && distance == n - 1));
    }
    if (near && axes <= 1) columns.push_back(unknowns.row(other));
  });
  return columns;  // ascending, because the search is by row
}

template <int Dim>
void expect_pattern(const sim::Unknowns<Dim>& unknowns) {
  const auto pattern = sim::build_pattern<Dim, Host>(unknowns);
  const std::vector<int> offsets = pattern->row_offsets().to_host();
  const std::vector<int> columns = pattern->columns().to_host();
  ASSERT_EQ(pattern->rows(), unknowns.box.size());
  ASSERT_EQ(pattern->nonzeros(), offsets.back());
  EXPECT_EQ(sim::nonzero_count(unknowns), offsets.back());
  sim::for_each_on_host(unknowns.box, [&](const Index<Dim>& c) {
    const int row = unknowns.row(c);
    const std::vector<int> found(columns.begin() + offsets[row],
                                 columns.begin() + offsets[row + 1]);
    EXPECT_EQ(found, columns_by_search(unknowns, c)) << "row " << row;
  });
}

template <int Dim>
void expect_patterns(const Domain<Dim>& domain) {
  expect_pattern(sim::cell_unknowns(domain.metrics.layout(), domain.sides));
  for (int d = 0; d < Dim; ++d)
    expect_pattern(sim::unknowns_at(d, domain.metrics.layout(), domain.sides));
}

TEST(Pattern, has_the_neighbours_in_ascending_order_also_where_axes_wrap) {
  test::for_each_domain<2>(expect_patterns<2>);
  test::for_each_domain<3>(expect_patterns<3>);
}

TEST(Pattern, of_the_smallest_periodic_box_couples_all_cells_of_a_line) {
  const Domain<2> domain{test::grid_of({test::uniform(3, 1), test::uniform(3, 1)}),
                         test::with_periodic({0, 1})};
  expect_patterns(domain);
}

TEST(Unknowns, are_the_inner_faces_between_walls_and_all_faces_once_on_periodic_axes) {
  const sim::Layout<2> layout{{{4, 5}}};
  const auto mixed = sim::side_kinds<2>(test::with_periodic({0}));
  EXPECT_EQ(sim::unknowns_at(0, layout, mixed).box.size(), 4 * 5);
  EXPECT_EQ(sim::unknowns_at(1, layout, mixed).box.size(), 4 * 4);
  EXPECT_EQ(sim::unknowns_at(1, layout, mixed).box.lower[1], 1);
}

TEST(Transfer, brings_unknowns_back_where_they_came_from) {
  const Domain<2> domain{test::grid_of({test::uniform(4, 1), test::uniform(5, 1)}), test::walls()};
  const auto velocity = test::random_velocity<2>(domain, 1);
  const auto unknowns = sim::unknowns_at(0, domain.metrics.layout(), domain.sides);
  linalg::Vector<Host> x(static_cast<int>(unknowns.box.size()));
  sim::gather(unknowns, velocity[0], 2.0, x);
  sim::Field<2, Host> copy(domain.metrics.layout());
  sim::scatter(unknowns, x, copy);
  sim::for_each_on_host(domain.metrics.layout().padded(), [&](const Index<2>& c) {
    EXPECT_EQ(std::as_const(copy).view()(c),
              unknowns.box.contains(c) ? 2 * velocity.view()[0](c) : 0.0);
  });
}

}  // namespace
}  // namespace hodge
