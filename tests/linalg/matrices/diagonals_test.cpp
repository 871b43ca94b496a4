// The diagonals of a pattern, and the products that use them.
#include "linalg/matrices/diagonals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linalg/base/errors.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/matrices.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using ::testing::HasSubstr;
using tests::HostMatrix;
using tests::random_values;

template <class Space>
class DiagonalsTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(DiagonalsTest, tests::Spaces, tests::SpaceName);

// Each periodic axis adds two diagonals, which only the outer rows use.
TYPED_TEST(DiagonalsTest, diagonals_are_found_by_rows_of_every_kind) {
  const int n = 9;
  tests::Entries entries;
  const auto row = [](int i, int j, int k) { return (k * n + j) * n + i; };
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const int r = row(i, j, k);
        entries[{r, r}] = 6.0 + r;
        for (const int side : {1, n - 1}) {
          entries[{r, row((i + side) % n, j, k)}] = -1.0 - i;
          entries[{r, row(i, (j + side) % n, k)}] = -2.0 - j;
          entries[{r, row(i, j, (k + side) % n)}] = -3.0 - k;
        }
      }
  const HostMatrix host = tests::from_entries(n * n * n, n * n * n, entries);
  const auto a = host.in<TypeParam>();
  EXPECT_EQ(a->kernel(), "csr_diagonals, 13 diagonals");
  const auto x = random_values(host.cols, 5);
  const auto expected = host.multiply(x);
  Vector<TypeParam> device_x{std::span<const double>(x)}, y(host.rows), by_columns(host.rows);
  multiply(*a, device_x, y);
  const auto product = y.to_host();
  for (int i = 0; i < host.rows; ++i) ASSERT_NEAR(product[i], expected[i], 1e-11) << i;
  for (const Triangle part : {Triangle::strictly_lower, Triangle::strictly_upper, Triangle::both}) {
    CsrView<double> by_rows = a->view();
    by_rows.plan.kernel = SpmvKernel::csr_scalar;
    TypeParam::sweep(a->view(), part, device_x.data(), device_x.data(), device_x.data(), 0.5,
                     y.data());
    TypeParam::sweep(by_rows, part, device_x.data(), device_x.data(), device_x.data(), 0.5,
                     by_columns.data());
    const auto swept = y.to_host(), known = by_columns.to_host();
    for (int i = 0; i < host.rows; ++i) ASSERT_NEAR(swept[i], known[i], 1e-11) << i;
  }
}

TYPED_TEST(DiagonalsTest, too_many_diagonals_are_no_diagonals) {
  tests::Entries entries;
  for (int i = 0; i < 100; ++i) {
    entries[{i, i}] = 1.0;
    entries[{i, (7 * i) % 100}] = 2.0;  // another distance in each row
  }
  const auto a = tests::from_entries(100, 100, entries).template in<TypeParam>();
  EXPECT_EQ(a->pattern().diagonals().shape.count, 0);
  EXPECT_THAT(test::message_of<ConfigError>([&] { a->use({"csr_diagonals"}); }),
              HasSubstr("more than 16 diagonals"));
}

TYPED_TEST(DiagonalsTest, rows_without_entries_are_on_no_diagonal) {
  const auto a = tests::from_entries(5, 5, {{{1, 2}, 3.0}, {{3, 0}, 4.0}}).template in<TypeParam>();
  EXPECT_EQ(a->kernel(), "csr_diagonals, 2 diagonals");
  Vector<TypeParam> x(5), y(5);
  x.fill(2.0);
  multiply(*a, x, y);
  EXPECT_EQ(y.to_host(), (std::vector<double>{0, 6, 0, 8, 0}));
}

// Arrays of a space are not checked. Row 0 lies on both diagonals, row 1 twice on one of them.
TYPED_TEST(DiagonalsTest, two_entries_at_one_place_are_no_diagonals) {
  const std::vector<int> row_offsets{0, 2, 4, 5}, columns{0, 1, 1, 1, 2};
  const CsrPattern<TypeParam> pattern(3, 3,
                                      Buffer<int, TypeParam>{std::span<const int>(row_offsets)},
                                      Buffer<int, TypeParam>{std::span<const int>(columns)});
  EXPECT_EQ(pattern.diagonals().shape.count, 0);
}

}  // namespace
}  // namespace hodge::linalg
