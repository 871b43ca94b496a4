#include "sim/discrete/processes/halo_exchange.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/processes_in_threads.hpp"

namespace hodge::sim {
namespace {

using linalg::Host;

constexpr double untouched = -1.0;

// A value that tells the cell of the whole box, going round periodic axes.
template <int Dim>
double value_at(int field, Index<Dim> c, const std::array<int, 3>& cells) {
  double value = field + 1;
  for (int d = 0; d < Dim; ++d) value = value * 1000 + (c[d] + cells[d]) % cells[d];
  return value;
}

// Two fields, whose inner values are those of the whole box; cut axes are filled in order. Every
// ghost beyond cuts alone must then be that of the whole box, corners included.
// `in_place`: rows as those of a GPU, and the last axis without packing.
template <int Dim>
void expect_ghosts_of_the_whole_box(const std::array<int, 3>& cells, const ProcessCounts& counts,
                                    const std::array<bool, 3>& periodic, bool in_place) {
  const Decomposition shared(Dim, cells, counts);
  tests::run_in_processes(shared.size(), [&](linalg::Communicator& own) {
    Layout<Dim> layout{};
    if (in_place) layout.alignment = row_alignment_on_gpu;
    Index<Dim> first{};
    for (int d = 0; d < Dim; ++d) {
      first[d] = shared.first(own.rank(), d);
      layout.cells[d] = shared.last(own.rank(), d) - first[d];
    }
    Field<Dim, Host> a(layout), b(layout);
    const FieldView<Dim> fields[] = {a.view(), b.view()};
    const auto whole = [&](Index<Dim> c) {
      for (int d = 0; d < Dim; ++d) c[d] += first[d];
      return c;
    };
    a.values().fill(untouched);
    b.values().fill(untouched);
    for (int f = 0; f < 2; ++f)
      linalg::for_each<Host>(layout.interior(), [&](const Index<Dim>& c) {
        fields[f](c) = value_at(f, whole(c), cells);
      });
    HaloExchange<Dim> halo(own, shared, layout, periodic);
    for (int axis = 0; axis + 1 < Dim; ++axis) halo.fill(axis, fields);
    if (in_place)
      halo.fill_in_place(fields);
    else
      halo.fill(Dim - 1, fields);

    int ghosts = 0;
    const Box<Dim> padded = layout.padded();
    for (long long i = 0; i < padded.size(); ++i) {
      Index<Dim> c{};
      long long rest = i;
      bool filled = true;
      for (int d = 0; d < Dim; ++d) {
        c[d] = padded.lower[d] + static_cast<int>(rest % padded.extent(d));
        rest /= padded.extent(d);
        if (c[d] < 0) filled = filled && halo.has_neighbour(d, 0);
        if (c[d] >= layout.cells[d]) filled = filled && halo.has_neighbour(d, 1);
      }
      ghosts += filled && !layout.interior().contains(c) ? 1 : 0;
      for (int f = 0; f < 2; ++f) {
        if (filled) {
          EXPECT_EQ(fields[f](c), value_at(f, whole(c), cells)) << "process " << own.rank();
        }
      }
    }
    EXPECT_GT(ghosts, 0);
  });
}

template <int Dim>
void expect_ghosts_of_the_whole_box(const std::array<int, 3>& cells, const ProcessCounts& counts,
                                    const std::array<bool, 3>& periodic) {
  for (const bool in_place : {false, true})
    expect_ghosts_of_the_whole_box<Dim>(cells, counts, periodic, in_place);
}

TEST(HaloExchange, brings_the_cells_beyond_cuts_and_their_corners_in_2d) {
  expect_ghosts_of_the_whole_box<2>({20, 7, 1}, {1, 2, 1}, {});
  expect_ghosts_of_the_whole_box<2>({37, 11, 1}, {2, 3, 1}, {});
  expect_ghosts_of_the_whole_box<2>({37, 11, 1}, {2, 3, 1}, {true, true});
}

TEST(HaloExchange, brings_the_cells_beyond_cuts_and_their_corners_in_3d) {
  expect_ghosts_of_the_whole_box<3>({35, 7, 10}, {2, 2, 3}, {false, true, true});
  expect_ghosts_of_the_whole_box<3>({8, 6, 13}, {1, 1, 4}, {});
}

TEST(HaloExchange, serves_a_process_that_is_the_neighbour_on_both_sides) {
  expect_ghosts_of_the_whole_box<2>({16, 9, 1}, {1, 2, 1}, {false, true});
  expect_ghosts_of_the_whole_box<3>({32, 6, 6}, {2, 2, 2}, {true, true, true});
}

}  // namespace
}  // namespace hodge::sim
