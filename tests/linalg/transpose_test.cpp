#include "linalg/transpose.hpp"

#include <gtest/gtest.h>

#include "linalg/transpose_pattern.hpp"
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
    EXPECT_EQ(sorted.row_offsets.to_host(), serial.row_offsets.to_host());
    EXPECT_EQ(sorted.columns.to_host(), serial.columns.to_host());
    EXPECT_EQ(sorted.permutation.to_host(), serial.permutation.to_host());
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

}  // namespace
}  // namespace hodge::linalg
