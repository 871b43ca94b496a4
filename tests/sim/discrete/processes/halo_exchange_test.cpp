#include "sim/discrete/processes/halo_exchange.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "sim/discrete/grid/sampling.hpp"
#include "tests/support/processes_in_threads.hpp"

namespace hodge::sim {
namespace {

using linalg::Host;

constexpr double untouched = -1.0;

// A value that tells the cell of the whole box, going round periodic axes.
template <int Dim>
double value_at(int field, const Index<Dim>& c, const Index<Dim>& cells) {
  double value = field + 1;
  for (int d = 0; d < Dim; ++d) value = value * 1000 + (c[d] + cells[d]) % cells[d];
  return value;
}

// Two fields, whose values in and beside the slab are those of the whole box. Every ghost beyond
// cuts must then be that of the whole box, corners included, and of `layers` alone. `in_place`:
// rows as those of a GPU, without packing.
template <int Dim>
void expect_ghosts_of_the_whole_box(const Index<Dim>& cells, int processes, bool periodic,
                                    bool in_place, int layers) {
  constexpr int last = Dim - 1;
  const Decomposition slabs(cells[last], processes);
  tests::run_in_processes(processes, [&](linalg::Communicator& own) {
    Layout<Dim> layout{cells};
    if (in_place) layout.alignment = row_alignment_on_gpu;
    layout.before[last] = slabs.first(own.rank());
    layout.cells[last] = slabs.last(own.rank()) - layout.before[last];
    Field<Dim, Host> a(layout), b(layout);
    const FieldView<Dim> fields[] = {a.view(), b.view()};
    a.values().fill(untouched);
    b.values().fill(untouched);
    Box<Dim> filled = layout.padded();  // but for the ghosts of the last axis
    filled.lower[last] = 0;
    filled.upper[last] = layout.cells[last];
    for (int f = 0; f < 2; ++f)
      linalg::for_each<Host>(filled, [&](const Index<Dim>& c) {
        fields[f](c) = value_at(f, layout.in_whole(c), cells);
      });
    HaloExchange<Dim> halo(own, slabs, layout, periodic, layers);
    if (in_place)
      halo.fill_in_place(fields);
    else
      halo.fill(fields);

    int ghosts = 0;
    for_each_on_host(layout.padded(), [&](const Index<Dim>& c) {
      if (c[last] >= 0 && c[last] < layout.cells[last]) return;
      const bool is_near = c[last] >= -layers && c[last] < layout.cells[last] + layers;
      const bool comes = is_near && halo.has_neighbour(last, c[last] < 0 ? 0 : 1);
      ghosts += comes ? 1 : 0;
      for (int f = 0; f < 2; ++f)
        EXPECT_EQ(fields[f](c), comes ? value_at(f, layout.in_whole(c), cells) : untouched)
            << "process " << own.rank();
    });
    EXPECT_GT(ghosts, 0);
  });
}

template <int Dim>
void expect_ghosts_of_the_whole_box(const Index<Dim>& cells, int processes, bool periodic) {
  for (const bool in_place : {false, true})
    for (const int layers : {1, ghost_width})
      expect_ghosts_of_the_whole_box(cells, processes, periodic, in_place, layers);
}

TEST(HaloExchange, brings_the_cells_beyond_cuts_and_their_corners) {
  expect_ghosts_of_the_whole_box<2>({{20, 7}}, 2, false);
  expect_ghosts_of_the_whole_box<2>({{37, 11}}, 3, true);
  expect_ghosts_of_the_whole_box<3>({{35, 7, 10}}, 3, true);
  expect_ghosts_of_the_whole_box<3>({{8, 6, 13}}, 4, false);
}

TEST(HaloExchange, serves_a_process_that_is_the_neighbour_on_both_sides) {
  expect_ghosts_of_the_whole_box<2>({{16, 9}}, 2, true);
  expect_ghosts_of_the_whole_box<3>({{32, 6, 6}}, 2, true);
}

}  // namespace
}  // namespace hodge::sim
