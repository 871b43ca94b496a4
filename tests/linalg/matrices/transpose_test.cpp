#include "linalg/matrices/transpose.hpp"

#include <gtest/gtest.h>

#include "linalg/matrices/convert.hpp"
#include "tests/support/expect_csr.hpp"
#include "tests/support/random_sparse.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests::expect_csr;
using tests::HostMatrix;
using tests::random_sparse;
using tests::test_shapes;
using tests::transposed;
using Ints = std::vector<int>;

template <class Space>
class TransposeTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(TransposeTest, tests::Spaces, tests::SpaceName);

TYPED_TEST(TransposeTest, csr_by_hand) {
  const auto a = tests::from_dense({{1, 0, 2}, {0, 0, 0}, {3, 0, 4}}).template in<TypeParam>();
  TransposedCsr<TypeParam> t;
  t.setup(*a);
  EXPECT_EQ(t.matrix().pattern().row_offsets().to_host(), (Ints{0, 2, 2, 4}));
  EXPECT_EQ(t.matrix().pattern().columns().to_host(), (Ints{0, 2, 0, 2}));
  EXPECT_EQ(t.matrix().values().to_host(), (std::vector<double>{1, 3, 2, 4}));
  EXPECT_EQ(t.permutation().to_host(), (Ints{0, 2, 1, 3}));
}

template <class Space, class T>
void transposes_random_matrices() {
  for (const auto& [rows, cols] : test_shapes()) {
    const HostMatrix host = random_sparse(rows, cols, 4);
    const auto a = host.in<Space, T>();
    TransposedCsr<Space, T> once, twice;
    once.setup(*a);
    expect_csr(once.matrix(), transposed(host), "transposed once");
    twice.setup(once.matrix());
    expect_csr(twice.matrix(), host, "transposed twice");
  }
}

TYPED_TEST(TransposeTest, csr_of_any_shape_in_double_and_float) {
  transposes_random_matrices<TypeParam, double>();
  transposes_random_matrices<TypeParam, float>();
}

TYPED_TEST(TransposeTest, csr_with_a_dense_row_and_a_dense_column) {
  tests::Entries entries;
  for (int i = 0; i < 5000; ++i) entries[{i, 7}] = entries[{3, i}] = i;
  const HostMatrix host = tests::from_entries(5000, 5000, entries);
  TransposedCsr<TypeParam> t;
  t.setup(*host.in<TypeParam>());
  expect_csr(t.matrix(), transposed(host));
}

TYPED_TEST(TransposeTest, sorting_gives_the_pattern_of_the_serial_pass) {
  for (const auto& [rows, cols] : test_shapes()) {
    const HostMatrix host = random_sparse(rows, cols, 6);
    const auto serial = transpose_in_one_pass(host.in<Host>()->pattern());
    const auto sorted = transpose_by_sorting(host.in<TypeParam>()->pattern());
    EXPECT_EQ(sorted.pattern->row_offsets().to_host(), serial.pattern->row_offsets().to_host());
    EXPECT_EQ(sorted.pattern->columns().to_host(), serial.pattern->columns().to_host());
    EXPECT_EQ(sorted.order.to_host(), serial.order.to_host());
  }
}

TYPED_TEST(TransposeTest, new_values_are_carried_over_without_allocation) {
  HostMatrix host = random_sparse(1000, 400, 5);
  const auto a = host.in<TypeParam>();
  TransposedCsr<TypeParam> t;
  t.setup(*a);
  host.values = tests::random_values(static_cast<int>(host.values.size()), 3);
  a->values().upload(host.values);
  const auto before = TypeParam::allocated_bytes();
  t.refresh(*a);
  EXPECT_EQ(TypeParam::allocated_bytes(), before);
  expect_csr(t.matrix(), transposed(host));
}

TYPED_TEST(TransposeTest, setup_again_takes_another_matrix) {
  TransposedCsr<TypeParam> t;
  t.setup(*random_sparse(33, 31, 3).in<TypeParam>());
  const HostMatrix other = random_sparse(100, 20, 3, 8);
  t.setup(*other.in<TypeParam>(Symmetry::nonsymmetric));
  expect_csr(t.matrix(), transposed(other));
  EXPECT_EQ(t.matrix().symmetry(), Symmetry::nonsymmetric);
}

TYPED_TEST(TransposeTest, kept_memory_is_as_foretold) {
  const auto a = random_sparse(1000, 1000, 5).in<TypeParam>();
  const auto before = TypeParam::allocated_bytes();
  TransposedCsr<TypeParam> t;
  t.setup(*a);
  const SystemSize size{1000, static_cast<std::size_t>(a->pattern().nonzeros()), sizeof(double)};
  EXPECT_EQ(TypeParam::allocated_bytes() - before, (TransposedCsr<TypeParam>::memory(size)));
}

TYPED_TEST(TransposeTest, use_before_setup_and_another_pattern_are_refused) {
  TransposedCsr<TypeParam> t;
  const auto a = random_sparse(33, 31, 3).in<TypeParam>();
  EXPECT_THROW(t.matrix(), ShapeError);
  EXPECT_THROW(t.refresh(*a), ShapeError);
  t.setup(*a);
  EXPECT_THROW(t.refresh(*random_sparse(31, 33, 3).in<TypeParam>()), ShapeError);
  EXPECT_THROW(t.refresh(*random_sparse(33, 31, 9).in<TypeParam>()), ShapeError);
}

// |A|^T |x|, the scale of the rounding errors of A^T x.
std::vector<double> sums_of_magnitudes(HostMatrix a, std::vector<double> x) {
  for (double& value : a.values) value = std::abs(value);
  for (double& value : x) value = std::abs(value);
  return transposed(a).multiply(x);
}

template <class Space, class T>
void compares_products(const HostMatrix& host, double unit_round_off) {
  SCOPED_TRACE(std::to_string(host.rows) + " x " + std::to_string(host.cols));
  const auto a = host.in<Space, T>();
  const std::vector<double> x = tests::random_values(host.rows, 4);
  const Vector<Space, T> device_x{std::span<const T>(std::vector<T>(x.begin(), x.end()))};
  Vector<Space, T> by_transpose(host.cols), by_csr(host.cols), by_coo(host.cols);
  by_csr.fill(T(7));
  by_coo.fill(T(7));
  TransposedCsr<Space, T> t;
  t.setup(*a);
  multiply(t.matrix(), device_x, by_transpose);
  multiply_transposed_atomically(*a, device_x, by_csr);
  multiply_transposed_atomically(to_coo(*a), device_x, by_coo);

  const auto exact = transposed(host).multiply(x), magnitude = sums_of_magnitudes(host, x);
  const auto y0 = by_transpose.to_host(), y1 = by_csr.to_host(), y2 = by_coo.to_host();
  for (int j = 0; j < host.cols; ++j) {
    const double allowed = 40 * unit_round_off * magnitude[j];
    ASSERT_NEAR(y0[j], exact[j], allowed) << j;
    ASSERT_NEAR(y1[j], exact[j], allowed) << j;
    ASSERT_NEAR(y2[j], exact[j], allowed) << j;
  }
}

TYPED_TEST(TransposeTest, products_by_atomics_agree_with_those_of_the_transposed_matrix) {
  for (const auto& [rows, cols] : test_shapes()) {
    for (const double per_row : {2.0, 6.0, 30.0, 200.0}) {
      const HostMatrix host = random_sparse(rows, cols, per_row);
      compares_products<TypeParam, double>(host, 0x1p-53);
      compares_products<TypeParam, float>(host, 0x1p-24);
    }
  }
  compares_products<TypeParam, double>(random_sparse(20000, 20000, 5), 0x1p-53);
}

// Whole numbers: any order of the additions gives the same sum.
TYPED_TEST(TransposeTest, atomic_additions_to_one_column_are_all_counted) {
  tests::Entries entries;
  for (int i = 0; i < 20000; ++i) entries[{i, 1}] = i % 100;
  const auto a = tests::from_entries(20000, 3, entries).template in<TypeParam>();
  Vector<TypeParam> x(20000), y(3);
  x.fill(2);
  multiply_transposed_atomically(*a, x, y);
  EXPECT_EQ(y.to_host(), (std::vector<double>{0, 2 * 4950 * 200, 0}));
  multiply_transposed_atomically(to_coo(*a), x, y);
  EXPECT_EQ(y.to_host(), (std::vector<double>{0, 2 * 4950 * 200, 0}));
  EXPECT_THROW(multiply_transposed_atomically(*a, y, x), ShapeError);
}

TYPED_TEST(TransposeTest, coo_exchanges_its_index_arrays) {
  const HostMatrix host = random_sparse(33, 100, 4);
  CooMatrix<TypeParam> a = to_coo(*host.in<TypeParam>());
  const double* values = a.values().data();
  const CooMatrix<TypeParam> t = transpose(std::move(a));
  EXPECT_EQ(t.values().data(), values);
  EXPECT_EQ(t.rows(), 100);
  EXPECT_EQ(t.cols(), 33);
  expect_csr(*to_csr(t), transposed(host));
}

template <class Space, class T>
void transposes_dense(int rows, int cols) {
  SCOPED_TRACE(std::to_string(rows) + " x " + std::to_string(cols));
  const auto random = tests::random_values(rows * cols, 2);
  const std::vector<T> values(random.begin(), random.end());
  std::vector<T> expected(values.size());
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) expected[j + i * cols] = values[i + j * rows];
  }
  DenseMatrix<Space, T> a(rows, cols, values), t(cols, rows);
  transpose(a, t);
  EXPECT_EQ(t.values().to_host(), expected);
  if (rows != cols) return;
  transpose_in_place(a);
  EXPECT_EQ(a.values().to_host(), expected);
  transpose_in_place(a);
  EXPECT_EQ(a.values().to_host(), values);
}

TYPED_TEST(TransposeTest, dense_of_any_shape) {
  for (const auto& [rows, cols] : test_shapes()) {
    transposes_dense<TypeParam, double>(rows, cols);
    transposes_dense<TypeParam, float>(rows, cols);
  }
  transposes_dense<TypeParam, double>(3, 70000);  // more tiles than a launch is high
  transposes_dense<TypeParam, double>(70000, 3);
  transposes_dense<TypeParam, float>(1, 2200000);
}

TYPED_TEST(TransposeTest, dense_with_leading_dimensions_touches_nothing_else) {
  // 33 x 40 inside 50 x 40 to 40 x 33 inside 64 x 33; the other entries keep their marks.
  Buffer<double, TypeParam> in(tests::random_values(50 * 40)),
      out(std::vector<double>(64 * 33, -1.0));
  TypeParam::transpose(33, 40, in.data(), 50, out.data(), 64);
  const auto source = in.to_host(), result = out.to_host();
  for (int i = 0; i < 33; ++i) {
    for (int j = 0; j < 64; ++j)
      ASSERT_EQ(result[j + i * 64], j < 40 ? source[i + j * 50] : -1.0) << i << ", " << j;
  }
  TypeParam::transpose_in_place(40, in.data(), 50);
  const auto in_place = in.to_host();
  for (int j = 0; j < 40; ++j) {
    for (int i = 0; i < 50; ++i)
      ASSERT_EQ(in_place[i + j * 50], i < 40 ? source[j + i * 50] : source[i + j * 50]);
  }
}

TYPED_TEST(TransposeTest, dense_shapes_that_do_not_fit_are_refused) {
  DenseMatrix<TypeParam> wide(2, 3), square(2, 2);
  EXPECT_THROW(transpose_in_place(wide), ShapeError);
  EXPECT_THROW(transpose(wide, square), ShapeError);
  EXPECT_THROW(transpose(square, square), ShapeError);
}

}  // namespace
}  // namespace hodge::linalg
