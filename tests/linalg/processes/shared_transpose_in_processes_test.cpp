// Transposes of matrices whose rows processes share: the entries and bits of one process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "linalg/matrices/convert.hpp"
#include "linalg/matrices/transpose.hpp"
#include "linalg/matrices/whole_system.hpp"
#include "tests/support/random_sparse.hpp"
#include "tests/support/shared_systems.hpp"

namespace hodge::linalg {
namespace {

using tests::HostMatrix;
using tests::OwnRows;

const std::vector<HostMatrix>& transposed_systems() {
  static const std::vector<HostMatrix> all{tests::convection_diffusion({21, 17, 1}, 3.0),
                                           tests::random_sparse(500, 500, 6),
                                           tests::random_sparse(200, 200, 40)};
  return all;
}

// A^T x has the same bits for any number of processes; renew(a, transposed) follows the set-up.
template <class Renew>
void expect_the_same_products(Renew renew) {
  for (const HostMatrix& matrix : transposed_systems()) {
    const auto x = tests::random_values(matrix.rows, 1);
    const auto results =
        tests::by_numbers_of_processes<std::vector<double>>(matrix.rows, [&](const OwnRows& own) {
          const auto a = own.matrix(matrix);
          TransposedCsr<Host> transposed;
          transposed.setup(*a);
          renew(*a, transposed);
          Vector<Host> y(a->rows());
          multiply(transposed.matrix(), own.vector(x), y);
          return own.whole(y);
        });
    for (const auto& result : results) EXPECT_EQ(result, results[0]);
  }
}

TEST(SharedTransposes, products_have_the_bits_of_one_process) {
  expect_the_same_products([](auto&, auto&) {});
}

TEST(SharedTransposes, new_values_take_the_same_places) {
  expect_the_same_products([](auto& a, auto& transposed) {
    for (std::size_t k = 0; k < a.values().size(); ++k) a.values().data()[k] *= -3.0;
    transposed.refresh(a);
  });
}

TEST(SharedTransposes, forms_without_all_rows_are_refused) {
  tests::run_in_processes(2, [](Communicator& processes) {
    const auto whole = tests::poisson({16, 16, 1}).in<Host>();
    const auto a = distribute(*whole, processes, RowBlocks::even(256, 2));
    EXPECT_THROW(TransposedDiagonals<Host>{*a}, ShapeError);
    EXPECT_THROW((void)to_coo(*a), ShapeError);
    EXPECT_THROW((void)to_dense(*a), ShapeError);
    EXPECT_THROW((void)(copy_to<Host, float>(*a)), ShapeError);
    EXPECT_THROW(a->use({.kernel = "csr_two_step"}), ConfigError);
    Vector<Host> x(a->rows()), y(a->rows());
    EXPECT_THROW(multiply_transposed_atomically(*a, x, y), ShapeError);
  });
}

TEST(SharedTransposes, gathered_matrices_are_the_whole_ones) {
  const HostMatrix matrix = tests::random_sparse(150, 150, 5);
  tests::run_in_processes(3, [&](Communicator& processes) {
    const RowBlocks blocks = tests::uneven_blocks(matrix.rows, 3);
    const OwnRows own{processes, blocks};
    const auto a = own.matrix(matrix);
    WholeMatrix<Host, double> gathered;
    gathered.setup(*a);
    EXPECT_EQ(gathered.matrix().pattern().row_offsets().to_host(), matrix.row_offsets);
    EXPECT_EQ(gathered.matrix().pattern().columns().to_host(), matrix.columns);
    EXPECT_EQ(gathered.matrix().values().to_host(), matrix.values);
    for (std::size_t k = 0; k < a->values().size(); ++k) a->values().data()[k] = 7.0;
    gathered.refresh(*a);
    EXPECT_THAT(gathered.matrix().values().to_host(), ::testing::Each(7.0));
  });
}

}  // namespace
}  // namespace hodge::linalg
