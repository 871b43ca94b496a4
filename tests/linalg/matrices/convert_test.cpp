#include "linalg/matrices/convert.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/expect_csr.hpp"
#include "tests/support/random_sparse.hpp"
#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

using tests::expect_csr;
using tests::HostMatrix;
using tests::random_sparse;
using tests::test_shapes;
using Doubles = std::vector<double>;
using Ints = std::vector<int>;

constexpr Compression both[] = {Compression::count_and_scan, Compression::row_changes};

template <class Space>
class ConvertTest : public tests::SpaceTest<Space> {};
TYPED_TEST_SUITE(ConvertTest, tests::Spaces, tests::SpaceName);

template <class Space>
Ints compressed(int rows, const Ints& row_indices, Compression how) {
  const Buffer<int, Space> indices{std::span<const int>(row_indices)};
  Buffer<int, Space> offsets(std::span<const int>(Ints(static_cast<std::size_t>(rows) + 1, -1)));
  compress_row_indices<Space>(rows, static_cast<int>(row_indices.size()), indices.data(), how,
                              offsets.data());
  return offsets.to_host();
}

template <class Space>
Ints expanded(const Ints& row_offsets) {
  const Buffer<int, Space> offsets{std::span<const int>(row_offsets)};
  Buffer<int, Space> indices(static_cast<std::size_t>(row_offsets.back()));
  expand_row_offsets<Space>(static_cast<int>(row_offsets.size()) - 1, row_offsets.back(),
                            offsets.data(), indices.data());
  return indices.to_host();
}

TYPED_TEST(ConvertTest, row_offsets_and_row_indices_by_hand) {
  struct Case {
    Ints indices, offsets;
  };
  for (const Case& c : {Case{{0, 0, 0, 0, 2, 2, 2, 4, 4}, {0, 4, 4, 7, 7, 9}},
                        Case{{2, 2}, {0, 0, 0, 2}},           // the first rows are empty
                        Case{{0}, {0, 1, 1, 1}},              // the last rows are empty
                        Case{{1, 3}, {0, 0, 1, 1, 2, 2, 2}},  // both, and one between
                        Case{{}, {0, 0, 0}},                  // no entries
                        Case{{}, {0}},                        // no rows
                        Case{{0}, {0, 1}}}) {
    const int rows = static_cast<int>(c.offsets.size()) - 1;
    for (const Compression how : both)
      EXPECT_EQ(compressed<TypeParam>(rows, c.indices, how), c.offsets);
    EXPECT_EQ(expanded<TypeParam>(c.offsets), c.indices);
  }
}

TYPED_TEST(ConvertTest, row_offsets_and_row_indices_of_many_rows) {
  for (const int rows : {1, 31, 33, 1000, 50000}) {
    for (const double per_row : {0.1, 1.0, 40.0}) {
      const HostMatrix host = random_sparse(rows, rows, per_row);
      Ints indices;
      for (int i = 0; i < rows; ++i)
        indices.insert(indices.end(), host.row_offsets[i + 1] - host.row_offsets[i], i);
      EXPECT_EQ(expanded<TypeParam>(host.row_offsets), indices);
      for (const Compression how : both)
        EXPECT_EQ(compressed<TypeParam>(rows, indices, how), host.row_offsets);
    }
  }
}

TYPED_TEST(ConvertTest, row_offsets_of_one_long_row_among_empty_ones) {
  Ints offsets(5001, 0);
  std::fill(offsets.begin() + 2501, offsets.end(), 100000);
  const Ints indices(100000, 2500);
  EXPECT_EQ(expanded<TypeParam>(offsets), indices);
  for (const Compression how : both) EXPECT_EQ(compressed<TypeParam>(5000, indices, how), offsets);
}

template <class Space, class T = double>
CooMatrix<Space, T> coo_in(int rows, int cols, const Ints& row_indices, const Ints& columns,
                           const std::vector<T>& values) {
  return CooMatrix<Space, T>(rows, cols, std::span<const int>(row_indices),
                             std::span<const int>(columns), std::span<const T>(values));
}

TYPED_TEST(ConvertTest, coo_to_csr_sorts_and_sums_duplicates_by_hand) {
  // Row 1 is empty; (2, 0) occurs three times and (0, 1) twice.
  const auto a = coo_in<TypeParam>(4, 3, {2, 0, 2, 3, 0, 2, 0}, {0, 1, 2, 1, 0, 0, 1},
                                   Doubles{1, 2, 3, 4, 5, 6, -2});
  for (const Compression how : both) {
    const auto csr = to_csr(a, how);
    EXPECT_EQ(csr->rows(), 4);
    EXPECT_EQ(csr->cols(), 3);
    EXPECT_EQ(csr->pattern().row_offsets().to_host(), (Ints{0, 2, 2, 4, 5}));
    EXPECT_EQ(csr->pattern().columns().to_host(), (Ints{0, 1, 0, 2, 1}));
    EXPECT_EQ(csr->values().to_host(), (Doubles{5, 0, 7, 3, 4}));
  }
}

TYPED_TEST(ConvertTest, duplicates_are_summed_in_the_order_given) {
  // 1e16 + 1 - 1e16 is 0 from left to right, and 1 in another order.
  const auto a = coo_in<TypeParam>(1, 2, {0, 0, 0, 0, 0, 0}, {1, 0, 1, 0, 1, 0},
                                   Doubles{1e16, 1e16, 1, -1e16, -1e16, 1});
  EXPECT_EQ(to_csr(a)->values().to_host(), (Doubles{1, 0}));
}

// The entries of `host` in random order, each in `copies` parts of different size.
template <class Space, class T>
CooMatrix<Space, T> shuffled(const HostMatrix& host, int copies) {
  struct Entry {
    int row, column;
    T value;
  };
  std::vector<Entry> entries;
  for (int i = 0; i < host.rows; ++i) {
    for (int k = host.row_offsets[i]; k < host.row_offsets[i + 1]; ++k) {
      for (int c = 0; c < copies; ++c)
        entries.push_back({i, host.columns[k], static_cast<T>(c == 0 ? host.values[k] : c)});
    }
  }
  std::shuffle(entries.begin(), entries.end(), std::mt19937(5));
  Ints rows, columns;
  std::vector<T> values;
  for (const Entry& e : entries) {
    rows.push_back(e.row);
    columns.push_back(e.column);
    values.push_back(e.value);
  }
  return coo_in<Space, T>(host.rows, host.cols, rows, columns, values);
}

template <class Space, class T>
void converts_shuffled_entries() {
  for (const auto& [rows, cols] : test_shapes()) {
    const HostMatrix host = random_sparse(rows, cols, 5);
    const auto a = shuffled<Space, T>(host, 1);
    for (const Compression how : both) expect_csr(*to_csr(a, how), host, "from COO");
    expect_csr(*to_csr(to_coo(*host.in<Space, T>())), host, "to COO and back");
  }
}

TYPED_TEST(ConvertTest, csr_from_shuffled_entries_of_any_shape_in_double_and_float) {
  converts_shuffled_entries<TypeParam, double>();
  converts_shuffled_entries<TypeParam, float>();
}

// Each entry's parts, summed in double in their order on the host.
template <class T>
HostMatrix summed(const CooMatrix<Host, T>& a) {
  tests::Entries sums;
  for (int k = 0; k < a.nonzeros(); ++k) {
    auto& sum = sums[{a.row_indices().data()[k], a.columns().data()[k]}];
    sum += static_cast<double>(a.values().data()[k]);
  }
  for (auto& [place, sum] : sums) sum = static_cast<double>(static_cast<T>(sum));
  return tests::from_entries(a.rows(), a.cols(), sums);
}

TYPED_TEST(ConvertTest, duplicates_of_many_entries_give_the_same_bits_as_a_loop) {
  for (const auto& [rows, cols] : test_shapes()) {
    const HostMatrix host = random_sparse(rows, cols, 4);
    for (const int copies : {2, 7}) {
      expect_csr(*to_csr(shuffled<TypeParam, double>(host, copies)),
                 summed(shuffled<Host, double>(host, copies)));
      expect_csr(*to_csr(shuffled<TypeParam, float>(host, copies)),
                 summed(shuffled<Host, float>(host, copies)));
    }
  }
}

TYPED_TEST(ConvertTest, symmetry_is_handed_on) {
  const auto a = tests::from_dense({{2, 1}, {1, 2}}).template in<TypeParam>(Symmetry::symmetric);
  EXPECT_EQ(to_coo(*a).symmetry(), Symmetry::symmetric);
  EXPECT_EQ(to_csr(to_coo(*a))->symmetry(), Symmetry::symmetric);
}

TYPED_TEST(ConvertTest, dense_by_hand) {
  const auto a = tests::from_dense({{1, 0, 2}, {0, 3, 0}}).template in<TypeParam>();
  EXPECT_EQ(to_dense(*a).values().to_host(), (Doubles{1, 0, 0, 3, 2, 0}));
  const auto duplicates = coo_in<TypeParam>(2, 2, {0, 1, 0}, {1, 0, 1}, Doubles{1, 2, 3});
  EXPECT_EQ(to_dense(duplicates).values().to_host(), (Doubles{0, 2, 4, 0}));
}

TYPED_TEST(ConvertTest, dense_and_back_drops_explicit_zeros_only) {
  for (const auto& [rows, cols] : test_shapes()) {
    const HostMatrix host = random_sparse(rows, cols, 5);
    const DenseMatrix<TypeParam> dense = to_dense(*host.in<TypeParam>());
    const auto values = dense.values().to_host();
    tests::Entries entries;
    for (int i = 0; i < rows; ++i) {
      for (int k = host.row_offsets[i]; k < host.row_offsets[i + 1]; ++k) {
        ASSERT_EQ(values[i + host.columns[k] * rows], host.values[k]);
        if (host.values[k] != 0) entries[{i, host.columns[k]}] = host.values[k];
      }
    }
    expect_csr(*to_csr(dense), tests::from_entries(rows, cols, entries));
  }
}

TYPED_TEST(ConvertTest, dense_nan_is_an_entry) {
  const DenseMatrix<TypeParam, float> dense(1, 2, std::vector<float>{0.0f, NAN});
  const auto a = to_csr(dense);
  EXPECT_EQ(a->pattern().columns().to_host(), (Ints{1}));
  EXPECT_TRUE(std::isnan(a->values().to_host()[0]));
}

TYPED_TEST(ConvertTest, matrices_are_copied_between_spaces_and_value_types) {
  const HostMatrix host = random_sparse(33, 20, 4);
  const auto a = copy_to<TypeParam, float>(*host.in<Host>(Symmetry::nonsymmetric));
  expect_csr(*a, host);
  EXPECT_EQ(a->symmetry(), Symmetry::nonsymmetric);
  const auto back = copy_to<Host, double>(*a);
  EXPECT_EQ(back->values().to_host().size(), host.values.size());
  expect_csr(*copy_to<TypeParam, double>(*HostMatrix{0, 0, {0}, {}, {}}.in<Host>()),
             {0, 0, {0}, {}, {}});
}

}  // namespace
}  // namespace hodge::linalg
