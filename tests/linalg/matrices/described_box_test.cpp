// Matrices that say which separable system on a box they are: products by the arrays of the axes
// against products by the entries.
#include "linalg/matrices/described_box.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linalg/cost/byte_model.hpp"
#include "linalg/space/traffic.hpp"
#include "tests/support/box_problems.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests_of_grids::box_problems;
using tests_of_grids::BoxProblem;
using tests_of_grids::GridProblem;

template <class Space>
class DescribedBoxTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(DescribedBoxTest, tests::Spaces, tests::SpaceName);

// Lines shorter and longer than the cells that the Host computes at once.
const std::vector<std::vector<int>> extents{{13, 15}, {77, 13}, {13, 15, 13}, {69, 13, 15}};

template <class Space>
Vector<Space> random(int rows, unsigned seed) {
  return Vector<Space>{std::span<const double>(tests::random_values(rows, seed))};
}

void expect_near(const std::vector<double>& found, const std::vector<double>& wanted,
                 double tolerance) {
  double largest = 0;
  for (const double value : wanted) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    ASSERT_NEAR(found[i], wanted[i], tolerance * largest) << "row " << i;
}

TYPED_TEST(DescribedBoxTest, products_by_arrays_are_those_by_entries_to_rounding) {
  for (const std::vector<int>& extent : extents)
    for (const BoxProblem& problem : box_problems(extent)) {
      SCOPED_TRACE(problem.name + ", " + std::to_string(extent[0]) + ", " +
                   std::to_string(extent.size()) + "D");
      const auto entries = problem.by_entries<TypeParam>();
      const auto box = problem.described<TypeParam>();
      ASSERT_TRUE(box->box_system());
      EXPECT_EQ(box->kernel(), "arrays of " + std::to_string(extent.size()) + " axes");
      const auto x = random<TypeParam>(box->rows(), 3), w = random<TypeParam>(box->rows(), 4);
      Vector<TypeParam> expected(box->rows()), y(box->rows());
      const auto wanted = entries->apply_and_dots(x, w, expected);
      const auto found = box->apply_and_dots(x, w, y);
      expect_near(y.to_host(), expected.to_host(), 1e-14);
      for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(
            found[k].to_host(), wanted[k].to_host(),
            1e-13 * norm(expected).to_host() * (norm(w).to_host() + norm(expected).to_host()));
      residual(*entries, x, w, expected);
      residual(*box, x, w, y);
      expect_near(y.to_host(), expected.to_host(), 1e-14);
    }
}

TYPED_TEST(DescribedBoxTest, rings_of_two_and_of_one_cell_are_closed) {
  for (const std::vector<int>& extent :
       std::vector<std::vector<int>>{{2, 5}, {5, 2}, {2, 2}, {4, 2, 3}, {4, 3, 2}}) {
    BoxProblem problem{"rings", GridProblem(extent, {true, true, true}), {}};
    const auto entries = problem.by_entries<TypeParam>();
    const auto box = problem.described<TypeParam>();
    ASSERT_TRUE(box->box_system());
    const auto x = random<TypeParam>(box->rows(), 3);
    Vector<TypeParam> expected(box->rows()), y(box->rows());
    multiply(*entries, x, expected);
    multiply(*box, x, y);
    expect_near(y.to_host(), expected.to_host(), 1e-14);
  }
}

// The entries themselves are compared to rounding: of a sum of up to six terms in the diagonal.
TYPED_TEST(DescribedBoxTest, entries_agree_with_the_arrays) {
  for (const BoxProblem& problem : box_problems({13, 15, 13})) {
    const auto box = problem.described<TypeParam>();
    EXPECT_LE(box_difference<TypeParam>(box->view(), box->view().box), 1e-15) << problem.name;
  }
}

TYPED_TEST(DescribedBoxTest, entries_of_another_system_are_read_as_before) {
  const std::vector<BoxProblem> problems = box_problems({13, 15, 13});
  const BoxProblem& ball = problems[3];
  const auto a = ball.by_entries<TypeParam>();
  const auto x = random<TypeParam>(a->rows(), 3);
  const auto expect_entries = [&](const SeparableSystem& system, const char* why) {
    Vector<TypeParam> before(a->rows()), after(a->rows());
    a->describe_as(nullptr);
    multiply(*a, x, before);
    a->describe_as(std::make_shared<SeparableSystem>(system));
    EXPECT_FALSE(a->box_system()) << why;
    multiply(*a, x, after);
    if (std::isfinite(norm(before).to_host())) {
      EXPECT_EQ(before.to_host(), after.to_host()) << why;
    }
  };
  SeparableSystem other = ball.grid.system();
  other.axes[1].couplings[7] *= 1 + 1e-12;
  expect_entries(other, "another coupling");
  other = ball.grid.system();
  other.axes[2].couplings.back() = 1;
  expect_entries(other, "another end");
  other = ball.grid.system();
  std::swap(other.axes[0], other.axes[1]);
  expect_entries(other, "another shape");
  a->describe_as(std::make_shared<SeparableSystem>(ball.grid.system()));
  EXPECT_TRUE(a->box_system());
  std::vector<double> values = a->values().to_host();
  for (const double factor : {0.0, 1 + 1e-10, std::nan("")}) {
    std::vector<double> changed = values;
    changed[values.size() / 2] *= factor;
    a->values().upload(std::span<const double>(changed));
    expect_entries(ball.grid.system(), "another value");
  }
}

TYPED_TEST(DescribedBoxTest, only_all_cells_of_a_box_are_a_separable_system) {
  const std::vector<BoxProblem> problems = box_problems({13, 15});
  EXPECT_NE(problems[0].described<TypeParam>()->separable(), nullptr);
  EXPECT_EQ(problems[3].described<TypeParam>()->separable(), nullptr);
}

TYPED_TEST(DescribedBoxTest, a_kernel_that_is_named_reads_the_entries) {
  const auto a = box_problems({13, 15})[3].template described<TypeParam>();
  a->use({.kernel = "csr_scalar"});
  EXPECT_EQ(a->kernel(), "csr_scalar");
  a->use({});
  EXPECT_EQ(a->kernel(), "arrays of 2 axes");
}

// Two vectors, and where cells have no row two ints for each row.
TYPED_TEST(DescribedBoxTest, products_move_the_bytes_that_the_model_counts) {
  const std::vector<BoxProblem> problems = box_problems({69, 13, 15});
  for (const std::size_t which : {std::size_t{0}, std::size_t{3}}) {
    const auto a = problems[which].described<TypeParam>();
    const auto x = random<TypeParam>(a->rows(), 3);
    Vector<TypeParam> y(a->rows());
    TypeParam::synchronize();
    const double before = traffic<TypeParam>().moved;
    multiply(*a, x, y);
    TypeParam::synchronize();
    const double moved = traffic<TypeParam>().moved - before;
    EXPECT_EQ(moved, product_bytes(a->system_size()));
    EXPECT_EQ(moved, a->rows() * (which == 0 ? 16.0 : 24.0));
  }
}

}  // namespace
}  // namespace hodge::linalg
