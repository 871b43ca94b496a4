#include "linalg/matrices/csr.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests::HostMatrix;
using tests::random_values;

template <class Space>
class CsrTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(CsrTest, tests::Spaces, tests::SpaceName);

// `per_row` entries per row on average, with empty rows and planted zeros.
HostMatrix random_matrix(int rows, int cols, double per_row) {
  std::mt19937 generator(1);
  std::uniform_int_distribution<int> column(0, cols - 1), length(0, static_cast<int>(2 * per_row));
  tests::Entries entries;
  for (int i = 0; i < rows; ++i) {
    const int count = i % 7 == 3 ? 0 : length(generator);
    for (int k = 0; k < count; ++k)
      entries[{i, column(generator)}] = k % 5 == 4 ? 0.0 : 1.0 / (1 + i + k);
  }
  return tests::from_entries(rows, cols, entries);
}

TYPED_TEST(CsrTest, product_by_hand) {
  const auto a = tests::from_dense({{2, 0, 1}, {0, 0, 0}, {0, 3, 0}}).template in<TypeParam>();
  Vector<TypeParam> x(std::vector<double>{1, 2, 3}), y(3);
  y.fill(10);
  a->apply(2.0, x, 0.5, y);
  EXPECT_EQ(y.to_host(), (std::vector<double>{15, 5, 17}));
}

TYPED_TEST(CsrTest, beta_zero_does_not_read_y) {
  const auto a = tests::from_dense({{1, 0}, {0, 1}}).template in<TypeParam>();
  Vector<TypeParam> x(std::vector<double>{1, 2}), y(2);
  y.fill(std::nan(""));
  multiply(*a, x, y);
  EXPECT_EQ(y.to_host(), (std::vector<double>{1, 2}));
}

// So that one that is out of date is never read.
TYPED_TEST(CsrTest, a_kept_diagonal_counts_from_when_it_is_written_until_the_values_are_asked_for) {
  const auto a = tests::from_dense({{4, 1}, {1, 2}}).template in<TypeParam>();
  a->diagonal_is_written();
  EXPECT_EQ(a->view().diagonal_values, nullptr);  // none is kept
  a->keep_diagonal();
  EXPECT_EQ(a->view().diagonal_values, nullptr);
  a->diagonal_is_written();
  EXPECT_EQ(a->view().diagonal_values, a->diagonal_to_write());
  (void)a->values();
  EXPECT_EQ(a->view().diagonal_values, nullptr);
}

TYPED_TEST(CsrTest, the_inverse_diagonal_is_that_of_the_kept_one) {
  const auto a = tests::from_dense({{4, 1}, {1, 2}}).template in<TypeParam>();
  Vector<TypeParam> inverse(2);
  Buffer<int, TypeParam> first_bad(1);
  const auto invert = [&] {
    invert_diagonal<TypeParam>(a->view(), 1.0, inverse.data(), first_bad.data());
    return std::pair(inverse.to_host(), first_bad.to_host()[0]);
  };
  EXPECT_EQ(invert(), std::pair(std::vector<double>{0.25, 0.5}, 2));
  a->keep_diagonal();
  const std::vector<double> other{8, 0};
  TypeParam::upload(other.data(), a->diagonal_to_write(), 2 * sizeof(double));
  a->diagonal_is_written();
  EXPECT_EQ(invert(), std::pair(std::vector<double>{0.125, 0}, 1));
}

TYPED_TEST(CsrTest, products_agree_with_the_host_for_short_and_long_rows) {
  for (const int n : {1, 31, 33, 1000, 20000}) {
    for (const double per_row : {3.0, 20.0, 100.0}) {
      const HostMatrix host = random_matrix(n, n, std::min(per_row, 0.5 * n + 1));
      const auto a = host.in<TypeParam>();
      const auto x = random_values(n, 5);
      Vector<TypeParam> device_x{std::span<const double>(x)}, y(n);
      multiply(*a, device_x, y);
      const auto expected = host.multiply(x), result = y.to_host();
      double dot = 0;
      for (int i = 0; i < n; ++i) {
        ASSERT_NEAR(result[i], expected[i], 1e-13) << n << " rows of " << per_row << ", row " << i;
        dot += expected[i] * x[i];
      }
      Vector<TypeParam> z(n);
      const auto [xy, xx, yy] = a->apply_and_dots(device_x, device_x, z);
      EXPECT_NEAR(xy.to_host(), dot, 1e-11 * (1 + std::abs(dot)));
      EXPECT_NEAR(xx.to_host(), tests::norm2(x) * tests::norm2(x), 1e-11 * n);
      EXPECT_NEAR(yy.to_host(), tests::norm2(expected) * tests::norm2(expected), 1e-11 * n);
      // The product with dots may use another number of lanes.
      const auto fused = z.to_host();
      for (int i = 0; i < n; ++i) ASSERT_NEAR(fused[i], result[i], 1e-14) << i;
    }
  }
}

TYPED_TEST(CsrTest, empty_matrices_are_allowed) {
  const HostMatrix nothing{0, 0, {0}, {}, {}};
  const auto a = nothing.in<TypeParam>();
  Vector<TypeParam> x(0), y(0);
  multiply(*a, x, y);
  for (const auto& product : a->apply_and_dots(x, x, y)) EXPECT_EQ(product.to_host(), 0.0);
}

TYPED_TEST(CsrTest, wrong_shapes_and_patterns_are_refused) {
  using Pattern = CsrPattern<TypeParam>;
  using Ints = std::vector<int>;
  const auto make = [](int rows, int cols, const Ints& offsets, const Ints& columns) {
    return Pattern(rows, cols, std::span<const int>(offsets), std::span<const int>(columns));
  };
  EXPECT_THROW(make(2, 2, Ints{0, 1}, Ints{0}), ShapeError);        // too few offsets
  EXPECT_THROW(make(2, 2, Ints{0, 1, 1}, Ints{0, 1}), ShapeError);  // last offset is not the count
  EXPECT_THROW(make(2, 2, Ints{0, 2, 1}, Ints{0}), ShapeError);     // decreasing
  EXPECT_THROW(make(1, 2, Ints{0, 1}, Ints{2}), ShapeError);        // column outside
  EXPECT_THROW(make(1, 3, Ints{0, 2}, Ints{2, 1}), ShapeError);     // unsorted
  EXPECT_THROW(make(1, 3, Ints{0, 2}, Ints{1, 1}), ShapeError);     // twice
  const auto a = tests::from_dense({{1, 2, 3}}).template in<TypeParam>();
  Vector<TypeParam> x(2), y(1);
  EXPECT_THROW(multiply(*a, x, y), ShapeError);
  Vector<TypeParam> fitting(3);
  EXPECT_THROW(a->apply_and_dots(fitting, fitting, y), ShapeError);  // not square
}

TYPED_TEST(CsrTest, values_are_refreshed_without_touching_the_pattern) {
  const auto a = tests::from_dense({{1, 2}, {0, 3}}).template in<TypeParam>();
  Vector<TypeParam> x(std::vector<double>{1, 1}), y(2);
  const auto before = TypeParam::allocated_bytes();
  a->values().upload(std::vector<double>{10, 20, 30});
  EXPECT_EQ(TypeParam::allocated_bytes(), before);
  multiply(*a, x, y);
  EXPECT_EQ(y.to_host(), (std::vector<double>{30, 30}));
}

TYPED_TEST(CsrTest, diagonal_is_found_also_where_it_is_missing) {
  const auto a = tests::from_dense({{1, 2, 0}, {3, 0, 4}, {5, 6, 0}}).template in<TypeParam>();
  EXPECT_EQ(a->pattern().diagonal().to_host(), (std::vector<int>{0, 3, 6}));
}

TYPED_TEST(CsrTest, index_arrays_are_scanned_sorted_and_gathered) {
  Buffer<int, TypeParam> counts(std::vector<int>{3, 0, 2, 5}), offsets(4);
  TypeParam::exclusive_scan(4, counts.data(), offsets.data());
  EXPECT_EQ(offsets.to_host(), (std::vector<int>{0, 3, 3, 5}));
  EXPECT_EQ(TypeParam::sum(4, counts.data()), 10);
  Buffer<int, TypeParam> keys(std::vector<int>{2, 1, 2, 0, 1}),
      values(std::vector<int>{0, 1, 2, 3, 4});
  TypeParam::stable_sort_by_key(5, keys.data(), values.data());
  EXPECT_EQ(values.to_host(), (std::vector<int>{3, 1, 4, 0, 2}));
  Buffer<int, TypeParam> gathered(5);
  TypeParam::gather(5, values.data(), keys.data(), gathered.data());
  EXPECT_EQ(gathered.to_host(), (std::vector<int>{2, 1, 2, 0, 1}));
}

}  // namespace
}  // namespace hodge::linalg
