// Products and sweeps with matrices whose rows processes share: the bits of one process.
#include <gtest/gtest.h>

#include "tests/linalg/matrices/spmv_matrices.hpp"
#include "tests/support/random_sparse.hpp"
#include "tests/support/shared_systems.hpp"

namespace hodge::linalg {
namespace {

using tests::HostMatrix;
using tests::OwnRows;

// Square matrices for each kernel of a product, one of them with long rows.
std::vector<HostMatrix> square_matrices() {
  std::vector<HostMatrix> all;
  for (const auto& named : tests_of_products::matrices())
    if (named.matrix.rows == named.matrix.cols && named.matrix.rows > 0)
      all.push_back(named.matrix);
  all.push_back(tests::random_sparse(700, 700, 4));
  all.push_back(tests::random_sparse(5, 5, 2));
  return all;
}

void expect_same_on_all(int rows,
                        const std::function<std::vector<double>(const OwnRows&)>& program) {
  const auto results = tests::by_numbers_of_processes<std::vector<double>>(rows, program);
  for (std::size_t i = 1; i < results.size(); ++i)
    EXPECT_EQ(results[i], results[0]) << i + 1 << " processes";
}

TEST(SharedProducts, have_the_bits_of_one_process) {
  for (const HostMatrix& matrix : square_matrices()) {
    SCOPED_TRACE(std::to_string(matrix.rows) + " rows");
    const auto x = tests::random_values(matrix.rows, 1), b = tests::random_values(matrix.rows, 2);
    expect_same_on_all(matrix.rows, [&](const OwnRows& own) {
      const auto a = own.matrix(matrix);
      Vector<Host> y(a->rows());
      a->spmv(-0.7, own.vector(x), 1.3, own.vector(b), y);
      return own.whole(y);
    });
  }
}

TEST(SharedProducts, have_the_bits_of_one_process_in_float_and_with_a_named_kernel) {
  const HostMatrix matrix = tests::poisson({31, 27, 1});
  const auto values = tests::random_values(matrix.rows, 1);
  const std::vector<float> x(values.begin(), values.end());
  for (const char* kernel : {"csr_scalar", "csr_vector", "csr_diagonals"}) {
    SCOPED_TRACE(kernel);
    expect_same_on_all(matrix.rows, [&](const OwnRows& own) {
      const auto a = own.matrix<float>(matrix);
      a->use({.kernel = kernel});
      Vector<Host, float> y(a->rows());
      multiply(*a, own.vector(x), y);
      const auto whole = own.whole(y);
      return std::vector<double>(whole.begin(), whole.end());
    });
  }
}

TEST(SharedProducts, sweeps_over_triangles_have_the_bits_of_one_process) {
  for (HostMatrix matrix : square_matrices()) {
    if (matrix.rows > 5000) continue;
    tests::Entries entries;  // every row gets a diagonal
    for (int i = 0; i < matrix.rows; ++i) {
      entries[{i, i}] = 3.0 + i % 5;
      for (int k = matrix.row_offsets[i]; k < matrix.row_offsets[i + 1]; ++k)
        if (matrix.columns[k] != i) entries[{i, matrix.columns[k]}] = matrix.values[k];
    }
    matrix = tests::from_entries(matrix.rows, matrix.rows, entries);
    const auto x = tests::random_values(matrix.rows, 1), b = tests::random_values(matrix.rows, 2),
               d = tests::random_values(matrix.rows, 3);
    for (const Triangle part :
         {Triangle::strictly_lower, Triangle::strictly_upper, Triangle::both}) {
      SCOPED_TRACE(std::to_string(matrix.rows) + " rows, part " +
                   std::to_string(static_cast<int>(part)));
      expect_same_on_all(matrix.rows, [&](const OwnRows& own) {
        const auto a = own.matrix(matrix);
        Vector<Host> y(a->rows());
        Host::sweep(a->csr_view(), part, own.vector(d).data(), own.vector(x).data(),
                    own.vector(b).data(), 0.8, y.data());
        return own.whole(y);
      });
    }
  }
}

TEST(SharedProducts, new_values_need_no_new_pattern) {
  const HostMatrix matrix = tests::convection_diffusion({20, 19, 1}, 2.0);
  const auto x = tests::random_values(matrix.rows, 1);
  expect_same_on_all(matrix.rows, [&](const OwnRows& own) {
    const auto a = own.matrix(matrix);
    CsrMatrix<Host> doubled(a->shared_pattern());
    for (std::size_t k = 0; k < a->values().size(); ++k)
      doubled.values().data()[k] = 2 * a->values().data()[k];
    Vector<Host> y(a->rows());
    multiply(doubled, own.vector(x), y);
    return own.whole(y);
  });
}

TEST(SharedProducts, one_process_has_an_ordinary_matrix) {
  tests::run_in_processes(1, [](Communicator& one) {
    const HostMatrix matrix = tests::poisson({8, 8, 1});
    const auto a = distribute(*matrix.in<Host>(), one, RowBlocks::even(64, 1));
    EXPECT_EQ(a->pattern().sharing(), nullptr);
    EXPECT_FALSE(a->shared_rows().is_shared());
  });
}

TEST(SharedProducts, only_entries_that_neighbours_read_are_sent) {
  tests::run_in_processes(4, [](Communicator& processes) {
    const HostMatrix matrix = tests::poisson({16, 16, 1});
    const auto a = distribute(*matrix.in<Host>(), processes, RowBlocks::even(256, 4));
    const int neighbours = processes.rank() % 3 == 0 ? 1 : 2;
    EXPECT_EQ(a->pattern().sharing()->ghosts().size(), 16u * static_cast<unsigned>(neighbours));
    EXPECT_EQ(a->view().ghosts.exchange->sent(), 16u * static_cast<unsigned>(neighbours));
    EXPECT_EQ(a->view().ghosts.count, 16 * neighbours);
    EXPECT_EQ(a->total_rows(), 256);
  });
}

TEST(SharedProducts, blocks_begin_with_whole_pieces) {
  EXPECT_THROW(RowBlocks({0, 17, 40}), ShapeError);
  EXPECT_THROW(RowBlocks({0, 32, 16, 40}), ShapeError);
  EXPECT_THROW(RowBlocks({16, 40}), ShapeError);
  const RowBlocks blocks({0, 32, 32, 40, 40});  // a process may begin at the end
  EXPECT_EQ(blocks.owner(31), 0);
  EXPECT_EQ(blocks.owner(32), 2);
  EXPECT_EQ(RowBlocks::even(100, 3).first(1) % sum_piece, 0);
  EXPECT_EQ(RowBlocks::even(100, 3).rows(), 100);
}

TEST(SharedProducts, wrong_own_rows_are_refused) {
  const std::vector<int> offsets{0, 2};
  const std::vector<std::int64_t> descending{1, 0}, outside{0, 5};
  const std::vector<double> values{1, 2};
  const auto share = [&](const std::vector<std::int64_t>& columns) {
    tests::run_in_processes(2, [&](Communicator& processes) {
      const RowBlocks blocks({0, 0, 1});
      const auto none = std::span<const int>(offsets).first(1);
      if (processes.rank() == 0)
        (void)share_rows<double>(processes, blocks, none, {}, {});
      else
        (void)share_rows<double>(processes, blocks, offsets, columns, values);
    });
  };
  EXPECT_THROW(share(descending), ShapeError);
  EXPECT_THROW(share(outside), ShapeError);
}

}  // namespace
}  // namespace hodge::linalg
