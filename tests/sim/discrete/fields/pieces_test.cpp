// Padded fields whose rows are aligned, and the lists without unused values that files have.
#include "sim/discrete/fields/pieces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/discrete/grid/metrics.hpp"
#include "sim/discrete/grid/sampling.hpp"
#include "sim/discrete/processes/visit_lists.hpp"
#include "tests/support/sim_objects.hpp"
#include "tests/support/spaces.hpp"
#include "tests/support/state_copy.hpp"

namespace hodge {
namespace {

using sim::Index;
using sim::Layout;

template <int Dim>
Layout<Dim> aligned(const Index<Dim>& cells, int alignment) {
  Layout<Dim> layout{cells};
  layout.alignment = alignment;
  return layout;
}

// A number for each index, ghosts included: its place in the list without unused values.
template <int Dim>
double number_of(const Layout<Dim>& layout, const Index<Dim>& c) {
  const auto box = layout.padded();
  return static_cast<double>(box.position(c));
}

template <int Dim>
void goes_to_a_dense_list_and_back(const Layout<Dim>& layout) {
  SCOPED_TRACE("rows of " + std::to_string(layout.cells[0]) + " cells, aligned to " +
               std::to_string(layout.alignment));
  const std::size_t count = layout.dense().size();
  EXPECT_EQ(count, static_cast<std::size_t>(layout.padded().size()));
  std::vector<double> values(layout.size(), -1.0);
  const auto view = sim::view_of(layout, values.data());
  sim::for_each_on_host(layout.padded(),
                        [&](const Index<Dim>& c) { view(c) = number_of(layout, c); });
  EXPECT_EQ(static_cast<std::size_t>(std::count(values.begin(), values.end(), -1.0)),
            layout.size() - count);

  const std::span<double> list = sim::make_dense(layout, std::span(values));
  ASSERT_EQ(list.size(), count);
  std::vector<double> expected(count);
  std::iota(expected.begin(), expected.end(), 0.0);
  EXPECT_TRUE(std::equal(list.begin(), list.end(), expected.begin()));

  sim::undo_dense(layout, std::span(values));
  sim::for_each_on_host(layout.padded(),
                        [&](const Index<Dim>& c) { ASSERT_EQ(view(c), number_of(layout, c)); });
}

TEST(AlignedRows, begin_at_multiples_with_cell_0) {
  for (const int n : {1, 3, 10, 26, 27, 256})
    for (const int alignment : {1, 2, 16}) {
      const auto layout = aligned<3>({{n, 5, 4}}, alignment);
      std::vector<double> values(layout.size());
      const auto view = sim::view_of(layout, values.data());
      for (const int j : {-3, 0, 7})
        for (const int k : {-3, 0, 6})
          EXPECT_EQ((&view({{0, j, k}}) - values.data()) % alignment, 0);
      EXPECT_GE(&view({{-3, -3, -3}}) - values.data(), 0);
      EXPECT_LT(&view({{n + 2, 7, 6}}) - values.data(), static_cast<std::ptrdiff_t>(layout.size()));
      EXPECT_GT(&view({{-3, 1, 0}}), &view({{n + 2, 0, 0}})) << "rows do not overlap";
      EXPECT_LT(layout.stride(1), n + 6 + alignment);
    }
}

TEST(AlignedRows, go_to_a_dense_list_and_back) {
  for (const int n : {1, 9, 10, 11, 26, 40})
    for (const int alignment : {1, 3, 16}) {
      goes_to_a_dense_list_and_back(aligned<2>({{n, 4}}, alignment));
      goes_to_a_dense_list_and_back(aligned<3>({{n, 3, 2}}, alignment));
    }
}

TEST(AlignedRows, are_dense_on_the_host) {
  EXPECT_EQ(sim::row_alignment<linalg::Host>, 1);
}

template <class Space>
class FieldLists : public tests::SpaceTest<Space> {
 protected:
  void SetUp() override {
    tests::SpaceTest<Space>::SetUp();
    if (this->IsSkipped()) return;
    grid_.emplace(
        test::grid_of({test::stretched(9, 1), test::uniform(5, 1), test::stretched(4, 2)}),
        test::walls());
  }
  std::vector<double> numbers() const {
    std::vector<double> numbers(grid_->layout().dense().size());
    std::iota(numbers.begin(), numbers.end(), 1.0);
    return numbers;
  }

  std::optional<sim::DeviceGrid<3, Space>> grid_;
};
TYPED_TEST_SUITE(FieldLists, tests::Spaces, tests::SpaceName);

// The list of a field does not depend on the space that holds it.
TYPED_TEST(FieldLists, are_restored_and_saved_without_unused_values) {
  const auto& layout = this->grid_->layout();
  EXPECT_EQ(layout.size(),
            sim::padded_values(
                test::grid_of({test::uniform(9, 1), test::uniform(5, 1), test::uniform(4, 2)}),
                sim::row_alignment<TypeParam>));
  sim::Field<3, TypeParam> field(layout);
  test::StateCopy file;
  std::vector<double> numbers = this->numbers();
  file.visit_fixed("q", numbers);
  file.restoring = true;
  sim::visit_field(file, "q", field);
  EXPECT_EQ(sim::dense_values(field), this->numbers());

  std::vector<double> padded = field.values().to_host();
  const auto q = sim::view_of(layout, padded.data());
  sim::for_each_on_host(layout.padded(),
                        [&](const Index<3>& c) { ASSERT_EQ(q(c), number_of(layout, c) + 1.0); });
}

}  // namespace
}  // namespace hodge
