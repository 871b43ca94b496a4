#include "linalg/matrices/coo.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "linalg/matrices/convert.hpp"
#include "linalg/solve/solve.hpp"
#include "tests/support/expect_error.hpp"
#include "tests/support/random_sparse.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using test::message_of;
using tests::HostMatrix;
using tests::random_sparse;
using Doubles = std::vector<double>;
using Ints = std::vector<int>;

template <class Space>
class CooTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(CooTest, tests::Spaces, tests::SpaceName);

template <class Space, class T = double>
CooMatrix<Space, T> coo(int rows, int cols, const Ints& row_indices, const Ints& columns,
                        const std::vector<T>& values) {
  return CooMatrix<Space, T>(rows, cols, std::span<const int>(row_indices),
                             std::span<const int>(columns), std::span<const T>(values));
}

TYPED_TEST(CooTest, product_by_hand_with_duplicates_and_an_empty_row) {
  const auto a = coo<TypeParam>(3, 2, {2, 0, 2, 0}, {1, 0, 1, 1}, Doubles{1, 2, 3, 4});
  Vector<TypeParam> x(Doubles{10, 1}), y(3);
  y.fill(100);
  a.apply(2.0, x, 0.5, y);
  EXPECT_EQ(y.to_host(), (Doubles{98, 50, 58}));
  EXPECT_EQ(a.nonzeros(), 4);
}

TYPED_TEST(CooTest, beta_zero_does_not_read_y) {
  const auto a = coo<TypeParam>(1, 1, {0}, {0}, Doubles{3});
  Vector<TypeParam> x(Doubles{2}), y(Doubles{std::nan("")});
  multiply(a, x, y);
  EXPECT_EQ(y.to_host(), (Doubles{6}));
}

// The entries of `a`, last row first; the order of the entries within a row does not change.
template <class Space, class T>
CooMatrix<Space, T> rows_reversed(const HostMatrix& a) {
  Ints rows, columns;
  std::vector<T> values;
  for (int i = a.rows - 1; i >= 0; --i) {
    for (int k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      rows.push_back(i);
      columns.push_back(a.columns[k]);
      values.push_back(static_cast<T>(a.values[k]));
    }
  }
  return coo<Space, T>(a.rows, a.cols, rows, columns, values);
}

template <class Space, class T>
void multiplies(double unit_round_off) {
  for (const auto& [rows, cols] : tests::test_shapes()) {
    SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols));
    const HostMatrix host = random_sparse(rows, cols, 5);
    const auto a = rows_reversed<Space, T>(host);
    const auto values = tests::random_values(cols, 3);
    const std::vector<T> rounded(values.begin(), values.end());
    const Vector<Space, T> x{std::span<const T>(rounded)};
    Vector<Space, T> y(rows), again(rows);
    multiply(a, x, y);
    multiply(rows_reversed<Space, T>(host), x, again);
    EXPECT_EQ(again.to_host(), y.to_host());
    const Doubles expected = host.multiply(values);
    const std::vector<T> result = y.to_host();
    for (int i = 0; i < rows; ++i) ASSERT_NEAR(result[i], expected[i], 100 * unit_round_off);
  }
}

TYPED_TEST(CooTest, products_agree_with_the_host_and_repeat_bit_for_bit) {
  multiplies<TypeParam, double>(0x1p-53);
  multiplies<TypeParam, float>(0x1p-24);
}

TYPED_TEST(CooTest, products_after_the_first_see_new_values_and_take_no_memory) {
  auto a = coo<TypeParam>(2, 2, {1, 0}, {0, 1}, Doubles{1, 2});
  Vector<TypeParam> x(Doubles{10, 100}), y(2);
  multiply(a, x, y);
  const auto before = TypeParam::allocated_bytes();
  a.values().upload(Doubles{3, 4});
  multiply(a, x, y);
  EXPECT_EQ(TypeParam::allocated_bytes(), before);
  EXPECT_EQ(y.to_host(), (Doubles{400, 30}));
}

TYPED_TEST(CooTest, is_an_operator_that_solvers_take) {
  const HostMatrix host = tests::poisson({12, 12, 1});
  const auto a = rows_reversed<TypeParam, double>(host);
  SolverSettings settings;
  settings.method = "cg";
  settings.preconditioner.kind = "none";
  settings.tolerance = 1e-10;
  const auto b = tests::random_values(host.rows, 1);
  Vector<TypeParam> right_side{std::span<const double>(b)}, x(host.rows);
  const SolveReport report = LinearSolver<TypeParam>(settings, host.rows).solve(a, right_side, x);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_LE(tests::residual_norm(host, b, x.to_host()), 2e-10 * tests::norm2(b));
}

TYPED_TEST(CooTest, wrong_indices_and_sizes_are_named) {
  EXPECT_EQ(message_of<ShapeError>([] {
              coo<TypeParam>(2, 3, {0, 2}, {0, 0}, Doubles{1, 1});
            }),
            "COO matrix, entry 1: row 2, expected 0 to 1");
  EXPECT_EQ(message_of<ShapeError>([] {
              coo<TypeParam>(2, 3, {0, 1}, {0, -1}, Doubles{1, 1});
            }),
            "COO matrix, entry 1: column -1, expected 0 to 2");
  EXPECT_EQ(message_of<ShapeError>([] {
              coo<TypeParam>(2, 3, {0}, {0}, Doubles{1, 1});
            }),
            "COO matrix of 2 x 3: 1 row indices, 1 columns and 2 values, expected as many of each");
  EXPECT_THROW(coo<TypeParam>(-1, 3, {}, {}, Doubles{}), ShapeError);
  EXPECT_EQ(message_of<ShapeError>([] { coo<TypeParam>(0, 3, {0}, {0}, Doubles{1}); }),
            "COO matrix, entry 0: row 0, expected none, the matrix has no rows");
  const auto a = coo<TypeParam>(2, 3, {0}, {0}, Doubles{1});
  Vector<TypeParam> x(2), y(2);
  EXPECT_THROW(multiply(a, x, y), ShapeError);
}

}  // namespace
}  // namespace hodge::linalg
