#include "linalg/preconditioners/ssor_product.hpp"

#include <gtest/gtest.h>

#include "tests/support/grid_problem.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests_of_grids::GridProblem;

template <class Space>
class SsorProductTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(SsorProductTest, tests::Spaces, tests::SpaceName);

constexpr double made_with_omega = 0.8;

template <class T>
struct Made {
  std::string construction;
  std::vector<int> columns;
  std::vector<T> values;
};

template <class Space, class T>
Made<T> make(const CsrMatrix<Space, T>& a, int order, double alpha, SsorConstruction how) {
  Vector<Space, T> d(a.rows());
  Buffer<int, Space> first_bad(1);
  invert_diagonal<Space>(a.view(), made_with_omega, d.data(), first_bad.data());
  SsorProduct<Space, T> product(order, alpha, how);
  product.setup(a, made_with_omega, d);
  product.refresh(a, made_with_omega, d);
  return {product.construction(), product.matrix().pattern().columns().to_host(),
          product.matrix().values().to_host()};
}

template <class T>
void expect_same(const Made<T>& made, const Made<T>& expected, const std::string& what) {
  ASSERT_EQ(made.columns, expected.columns) << what;
  double largest = 0;
  for (const T value : expected.values)
    largest = std::max(largest, std::abs(static_cast<double>(value)));
  for (std::size_t k = 0; k < expected.values.size(); ++k)
    ASSERT_NEAR(made.values[k], expected.values[k], 4 * std::numeric_limits<T>::epsilon() * largest)
        << what << ", entry " << k;
}

// Boxes of two and three axes: closed, u = 0, periodic along one axis and along all, two cells
// along a periodic axis, stretched, with coefficients that differ along the axes.
std::vector<GridProblem> boxes() {
  std::vector<GridProblem> all;
  for (const bool dirichlet : {false, true})
    for (const bool stretched : {false, true})
      for (const auto& [extent, periodic] :
           {std::pair<std::vector<int>, std::array<bool, 3>>{{7, 9}, {}},
            {{7, 9}, {true, false, false}},
            {{8, 5}, {true, true, false}},
            {{2, 6}, {true, false, false}},
            {{33, 31}, {}},
            {{5, 6, 7}, {}},
            {{6, 5, 4}, {false, true, false}},
            {{5, 4, 6}, {true, true, true}},
            {{10, 11, 12}, {}}}) {
        GridProblem box(extent, periodic);
        box.dirichlet = dirichlet;
        box.shift = 0.3;
        box.coupling = {1, 2.5, 0.4};
        if (stretched) box.width = [](int d, int i) { return 1.0 + 0.1 * d + 0.17 * i; };
        all.push_back(std::move(box));
      }
  return all;
}

TYPED_TEST(SsorProductTest, order_2_on_few_diagonals_has_the_numbers_of_the_product_by_rows) {
  using enum SsorConstruction;
  for (GridProblem& box : boxes()) {
    for (const double wind : {0.0, 0.7}) {
      box.wind = wind;
      const auto a = box.in<TypeParam>();
      // Ties between equal entries may be cut in either way, so alpha needs a stretched box.
      for (const double alpha : box.width(0, 1) == 1 ? std::vector{1.0} : std::vector{0.6, 1.0}) {
        const auto made = make(*a, 2, alpha, automatic);
        const std::string what = std::to_string(a->rows()) + " rows, wind " + std::to_string(wind);
        EXPECT_EQ(made.construction, "diagonals") << what;
        expect_same(made, make(*a, 2, alpha, thread_a_row), what);
      }
    }
  }
}

TYPED_TEST(SsorProductTest, order_2_on_few_diagonals_in_single_precision) {
  GridProblem box({9, 8, 7});
  box.dirichlet = true;
  const auto a = box.matrix().in<TypeParam, float>(Symmetry::symmetric);
  const auto made = make(*a, 2, 1.0, SsorConstruction::automatic);
  EXPECT_EQ(made.construction, "diagonals");
  expect_same(made, make(*a, 2, 1.0, SsorConstruction::thread_a_row), "float");
}

// Of a symmetric pattern: a band, random links, and two rows that are linked with all others.
tests::HostMatrix long_rows(int n, bool symmetric) {
  tests::Entries entries;
  std::mt19937_64 generator(3);
  std::uniform_int_distribution<int> other(0, n - 1);
  std::normal_distribution<double> normal;
  const auto link = [&](int i, int j) {
    if (i == j) return;
    entries[{i, j}] = normal(generator);
    entries[{j, i}] = symmetric ? entries[{i, j}] : normal(generator);
  };
  for (int i = 0; i < n; ++i) {
    for (int k = 1; k < 6 && i + k < n; ++k) link(i, i + k);
    for (int k = 0; k < 12; ++k) link(i, other(generator));
    link(i, n / 3);
    link(i, 0);
    entries[{i, i}] = 40;
  }
  return tests::from_entries(n, n, entries);
}

TYPED_TEST(SsorProductTest, a_warp_a_row_gives_the_numbers_of_a_thread_a_row) {
  using enum SsorConstruction;
  const char* const warps = std::is_same_v<TypeParam, Host> ? "thread a row" : "warp a row";
  for (const int n : {20, 700})  // of 700, rows that do not fit shared memory
    for (const bool symmetric : {true, false}) {
      const auto host = long_rows(n, symmetric);
      const auto a = host.in<TypeParam>(symmetric ? Symmetry::symmetric : Symmetry::nonsymmetric);
      for (const int order : {1, 2})
        for (const double alpha : {0.4, 1.0}) {
          const auto by_threads = make(*a, order, alpha, thread_a_row);
          const auto by_warps = make(*a, order, alpha, warp_a_row);
          EXPECT_EQ(by_threads.construction, "thread a row");
          EXPECT_EQ(by_warps.construction, warps);
          expect_same(by_warps, by_threads, std::to_string(n));
          expect_same(make(*a, order, alpha, automatic), by_threads, std::to_string(n));
        }
    }
}

TYPED_TEST(SsorProductTest, too_many_sums_of_diagonals_leave_the_product_to_rows) {
  const int distances[] = {1, 3, 9, 27, 81, 243, 700};
  const int n = 1500;
  tests::Entries entries;
  for (int i = 0; i < n; ++i) {
    entries[{i, i}] = 20;
    for (const int distance : distances)
      if (i + distance < n) entries[{i, i + distance}] = entries[{i + distance, i}] = -1;
  }
  const auto a = tests::from_entries(n, n, entries).in<TypeParam>(Symmetry::symmetric);
  ASSERT_EQ(a->pattern().diagonals().shape.count, 15);
  EXPECT_NE(make(*a, 2, 1.0, SsorConstruction::automatic).construction, "diagonals");
}

TEST(FactorDiagonals, of_seven_points_are_ten_and_meet_in_34_products) {
  DiagonalsView a;
  const int offsets[] = {-30, -6, -1, 0, 1, 6, 30};
  a.count = 7;
  std::copy(offsets, offsets + 7, a.offset);
  const auto v = sai::factor_diagonals(a, 1), w = sai::factor_diagonals(a, -1);
  const std::vector<int> expected{0, 1, 2, 6, 7, 12, 30, 31, 36, 60};
  EXPECT_EQ(std::vector<int>(v.offset, v.offset + v.count), expected);
  EXPECT_EQ(std::vector<int>(w.offset, w.offset + w.count), expected);
  EXPECT_EQ(v.way_begin[v.count], 3 + 9);
  EXPECT_EQ(sai::product_terms(a, v, w).begin[7], 10 + 6 * 4);
}

}  // namespace
}  // namespace hodge::linalg
