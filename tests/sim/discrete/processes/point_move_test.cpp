#include "sim/discrete/processes/point_move.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "sim/discrete/processes/brought_values.hpp"
#include "sim/discrete/processes/part_of_box.hpp"
#include "sim/discrete/processes/visit_lists.hpp"
#include "sim/processes/shared_state.hpp"
#include "tests/support/processes_in_threads.hpp"
#include "tests/support/state_copy.hpp"

namespace hodge::sim {
namespace {

using linalg::Host;

struct Cut {
  std::array<int, 3> cells;
  ProcessCounts counts;
  std::array<bool, 3> periodic{};
};

// In 3D and in 2D: uneven parts, periodic axes, more processes than layers can be shared by, and
// whole layers, which are not moved.
const Cut cuts_3d[] = {{{35, 7, 10}, {2, 2, 3}},
                       {{50, 13, 7}, {3, 2, 2}, {true, false, true}},
                       {{37, 11, 5}, {2, 3, 1}},
                       {{20, 6, 11}, {1, 1, 3}}};
const Cut cuts_2d[] = {{{50, 11, 1}, {3, 3, 1}, {false, true, false}},
                       {{50, 4, 1}, {3, 1, 1}},
                       {{20, 9, 1}, {1, 3, 1}}};

// use(part, own communicator) in all processes of a cut.
template <int Dim, class Use>
void in_parts(const Cut& cut, const Use& use) {
  const Decomposition shared(Dim, cut.cells, cut.counts);
  SCOPED_TRACE(std::to_string(shared.size()) + " processes");
  tests::run_in_processes(shared.size(), [&](linalg::Communicator& own) {
    const PartOfBox<Dim> part(own, shared, cut.periodic);
    use(part.layout(), own);
  });
}

template <class Test2d, class Test3d>
void for_each_cut(const Test2d& in_2d, const Test3d& in_3d) {
  for (const Cut& cut : cuts_2d) in_2d(cut);
  for (const Cut& cut : cuts_3d) in_3d(cut);
}

// `components` values for each of some points: their numbers in the list of all.
template <int Dim>
std::vector<double> numbers_at(const Box<Dim>& points, const Box<Dim>& all, int components = 1) {
  std::vector<double> numbers;
  for_each_on_host(points, [&](const Index<Dim>& c) {
    for (int k = 0; k < components; ++k)
      numbers.push_back(static_cast<double>(place_in_list(all, c)) * components + k);
  });
  return numbers;
}

template <int Dim>
void move_between_blocks_and_layers(const Cut& cut, const ListedPoints& list, int components) {
  in_parts<Dim>(cut, [&](const Layout<Dim>& part, linalg::Communicator& own) {
    const PartBoxes<Dim> blocks = own_points_in_blocks(part, list),
                         layers = own_points_in_layers(part, list);
    const auto rank = static_cast<std::size_t>(own.rank());
    const Box<Dim> all = all_points(part, list);
    const std::vector<double> in_block = numbers_at(blocks[rank], all, components),
                              in_layers = numbers_at(layers[rank], all, components);
    std::vector<double> there(in_layers.size(), -1.0), back(in_block.size(), -1.0);
    const auto count = static_cast<std::size_t>(components);
    move_points<Dim, double>(own, count, blocks, in_block, layers, there);
    EXPECT_EQ(there, in_layers) << "process " << rank;
    move_points<Dim, double>(own, count, layers, there, blocks, back);
    EXPECT_EQ(back, in_block) << "process " << rank;
  });
}

TEST(PointMove, brings_values_from_blocks_to_layers_and_back) {
  for (const ListedPoints& list : {listed_cells, listed_field})
    for (const int components : {1, 3})
      for_each_cut([&](const Cut& c) { move_between_blocks_and_layers<2>(c, list, components); },
                   [&](const Cut& c) { move_between_blocks_and_layers<3>(c, list, components); });
}

TEST(PointMove, knows_processes_without_layers) {
  in_parts<2>({{50, 4, 1}, {3, 1, 1}}, [&](const Layout<2>& part, linalg::Communicator& own) {
    ASSERT_TRUE(is_cut_in_blocks(part));
    const StatePiece piece = piece_of(layers_of(part), listed_field);
    EXPECT_EQ(piece.total, 56u * 10u);
    EXPECT_EQ(piece.own_count, own.rank() == 0 ? 56u * 10u : 0u);
    EXPECT_EQ(points_at_hand(layers_of(part), listed_field).size(), own.rank() == 0 ? 560 : 0);
  });
}

// A list that one process has: the numbers of its values.
test::StateCopy file_of_numbers(std::size_t count) {
  test::StateCopy file;
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.0);
  file.visit_fixed("q", numbers);
  return file;
}
std::vector<double> list_in(test::StateCopy& file, std::size_t count) {
  std::vector<double> list(count, -1.0);
  file.restoring = true;
  file.visit_fixed("q", list);
  return list;
}

// visit(visitor) in all processes, with a file of process 0.
template <class Visit>
void visit_with(linalg::Communicator& own, test::StateCopy& file, bool restores,
                const Visit& visit) {
  if (own.rank() > 0) {
    SharedState shared(own, restores);
    return visit(shared);
  }
  file.restoring = restores;
  SharedState shared(own, file);
  visit(shared);
}

// What processes write is the list of one process, and each restores all its values.
template <int Dim>
void write_and_restore(const Cut& cut, const ListedPoints& list) {
  test::StateCopy written;
  std::size_t count = 0;
  in_parts<Dim>(cut, [&](const Layout<Dim>& part, linalg::Communicator& own) {
    const Box<Dim> all = all_points(part, list), here = points_at_hand(part, list),
                   answered = own_points(part, list);
    const auto total = static_cast<std::size_t>(all.size());
    if (own.rank() == 0) count = total;
    std::vector<double> values;
    for_each_on_host(here, [&](const Index<Dim>& c) {
      values.push_back(answered.contains(c) ? static_cast<double>(place_in_list(all, c)) : -1.0);
    });
    visit_with(own, written, false,
               [&](StateVisitor& visitor) { visit_list<Dim>(visitor, "q", part, list, values); });
    test::StateCopy file = file_of_numbers(total);
    std::vector<double> restored(values.size(), -1.0);
    visit_with(own, file, true,
               [&](StateVisitor& visitor) { visit_list<Dim>(visitor, "q", part, list, restored); });
    EXPECT_EQ(restored, numbers_at(here, all)) << "process " << own.rank();
  });
  std::vector<double> expected(count);
  std::iota(expected.begin(), expected.end(), 0.0);
  EXPECT_EQ(list_in(written, count), expected);
}

TEST(VisitLists, write_and_restore_the_list_of_one_process) {
  for (const ListedPoints& list : {listed_cells, listed_field})
    for_each_cut([&](const Cut& c) { write_and_restore<2>(c, list); },
                 [&](const Cut& c) { write_and_restore<3>(c, list); });
}

TEST(VisitLists, have_the_layers_beside_sides) {
  for (const int side : {0, 1}) {
    for (const int axis : {0, 1})
      for_each_cut([&](const Cut& c) { write_and_restore<2>(c, listed_side(axis, side)); },
                   [&](const Cut& c) { write_and_restore<3>(c, listed_side(axis, side)); });
    for (const Cut& cut : cuts_3d) write_and_restore<3>(cut, listed_side(2, side));
  }
}

template <int Dim>
void visit_fields(const Cut& cut, int alignment) {
  test::StateCopy written;
  std::size_t count = 0;
  in_parts<Dim>(cut, [&](Layout<Dim> part, linalg::Communicator& own) {
    part.alignment = alignment;
    const Box<Dim> all = all_points(part, listed_field);
    const auto total = static_cast<std::size_t>(all.size());
    if (own.rank() == 0) count = total;
    test::StateCopy file = file_of_numbers(total);
    Field<Dim, Host> field(part);
    visit_with(own, file, true, [&](StateVisitor& visitor) { visit_field(visitor, "q", field); });
    EXPECT_EQ(dense_values(field), numbers_at(points_at_hand(part, listed_field), all));
    const std::vector<double> whole = whole_field(part, dense_values(field));
    EXPECT_EQ(whole, own.rank() == 0 ? numbers_at(all, all) : std::vector<double>());
    visit_with(own, written, false,
               [&](StateVisitor& visitor) { visit_field(visitor, "q", field); });
  });
  std::vector<double> expected(count);
  std::iota(expected.begin(), expected.end(), 0.0);
  EXPECT_EQ(list_in(written, count), expected);
}

TEST(VisitLists, have_padded_fields) {
  for (const int alignment : {row_alignment_on_host, row_alignment_on_gpu})
    for_each_cut([&](const Cut& c) { visit_fields<2>(c, alignment); },
                 [&](const Cut& c) { visit_fields<3>(c, alignment); });
}

template <int Dim, class T>
void bring_cells(const Cut& cut) {
  constexpr int components = 3;
  in_parts<Dim>(cut, [&](const Layout<Dim>& part, linalg::Communicator& own) {
    const Box<Dim> all = part.whole_box();
    const auto as_t = [](const std::vector<double>& values) {
      return std::vector<T>(values.begin(), values.end());
    };
    const auto cells = [&](const Layout<Dim>& of) {
      return as_t(numbers_at(own_points(of, listed_cells), all, components));
    };
    const std::vector<T> in_block = cells(part), in_layers = cells(layers_of(part));
    std::vector<T> values = in_block;
    values.resize(components * cells_at_hand(part));
    bring_to_first(part, components, values.data());
    EXPECT_EQ(values, own.rank() == 0 ? as_t(numbers_at(all, all, components)) : in_block);
    values = in_block;
    values.resize(std::max(in_block.size(), in_layers.size()));
    bring_to_layers(part, components, values.data());
    values.resize(in_layers.size());
    EXPECT_EQ(values, in_layers);
  });
}

TEST(BroughtValues, are_those_of_all_cells_or_of_layers) {
  for_each_cut([](const Cut& c) { bring_cells<2, float>(c); },
               [](const Cut& c) { bring_cells<3, double>(c); });
}

}  // namespace
}  // namespace hodge::sim
