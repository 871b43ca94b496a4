#include "tools/hodge/bench/matrices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "linalg/base/errors.hpp"
#include "tests/support/matrices.hpp"
#include "tools/hodge/matrix/matrix.hpp"

namespace hodge::tools::bench {
namespace {

std::vector<double> dense_of(const HostMatrix& a) {
  std::vector<double> dense(static_cast<std::size_t>(a.rows()) * a.cols());
  const HostRows rows(a);
  for (int i = 0; i < a.rows(); ++i) {
    for (int k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
      dense[static_cast<std::size_t>(i) * a.cols() + rows.columns[k]] = rows.values[k];
    }
  }
  return dense;
}

void expect_columns_ascend(const HostMatrix& a) {
  const HostRows rows(a);
  for (int i = 0; i < a.rows(); ++i) {
    for (int k = rows.offsets[i]; k < rows.offsets[i + 1]; ++k) {
      ASSERT_GE(rows.columns[k], 0);
      ASSERT_LT(rows.columns[k], a.cols());
      if (k == rows.offsets[i]) continue;
      ASSERT_LT(rows.columns[k - 1], rows.columns[k]) << "row " << i;
    }
  }
}

TEST(Matrices, one_dimensional_poisson_by_hand) {
  GridMatrix p;
  p.cells = {3, 1, 1};
  EXPECT_EQ(dense_of(*make_matrix(p)), (std::vector<double>{3, -1, 0, -1, 2, -1, 0, -1, 3}));
  p.neumann = true;
  EXPECT_EQ(dense_of(*make_matrix(p)), (std::vector<double>{1, -1, 0, -1, 2, -1, 0, -1, 1}));
}

TEST(Matrices, a_periodic_axis_by_hand) {
  GridMatrix p;
  p.cells = {4, 1, 1};
  p.periodic = true;
  EXPECT_EQ(dense_of(*make_matrix(p)),
            (std::vector<double>{2, -1, 0, -1, -1, 2, -1, 0, 0, -1, 2, -1, -1, 0, -1, 2}));
  EXPECT_TRUE(named_grid_matrix("poisson_2d_48_periodic").periodic);
}

TEST(Matrices, upwind_convection_by_hand) {
  GridMatrix p;
  p.cells = {3, 1, 1};
  p.neumann = true;
  p.peclet = 2;
  EXPECT_EQ(dense_of(*make_matrix(p)), (std::vector<double>{1, -1, 0, -3, 4, -1, 0, -3, 3}));
}

TEST(Matrices, the_neumann_matrix_is_that_of_the_tests) {
  GridMatrix p;
  p.cells = {5, 4, 3};
  p.neumann = true;
  const auto a = make_matrix(p);
  const tests::HostMatrix expected = tests::poisson({5, 4, 3}, true);
  const HostRows rows(*a);
  EXPECT_TRUE(std::equal(rows.offsets.begin(), rows.offsets.end(), expected.row_offsets.begin(),
                         expected.row_offsets.end()));
  EXPECT_TRUE(std::equal(rows.columns.begin(), rows.columns.end(), expected.columns.begin(),
                         expected.columns.end()));
  EXPECT_TRUE(std::equal(rows.values.begin(), rows.values.end(), expected.values.begin(),
                         expected.values.end()));
}

TEST(Matrices, all_coefficients_give_symmetric_matrices_with_the_null_space_they_should_have) {
  for (const auto coefficients :
       {Coefficients::constant, Coefficients::random, Coefficients::jumping}) {
    for (const std::string sides : {"dirichlet", "neumann", "periodic"}) {
      GridMatrix p;
      p.cells = {17, 9, 5};
      p.coefficients = coefficients;
      p.weights = {100, 1, 3};
      p.neumann = sides == "neumann";
      p.periodic = sides == "periodic";
      const auto a = make_matrix(p);
      expect_columns_ascend(*a);
      const MatrixFacts facts = facts_of(*a);
      EXPECT_EQ(facts.asymmetry, 0.0);
      EXPECT_EQ(facts.constant_null_space(), sides != "dirichlet");
      EXPECT_EQ(facts.diagonal_positive, facts.rows);
    }
  }
}

TEST(Matrices, jumping_coefficients_jump_by_four_decades) {
  GridMatrix p;
  p.cells = {16, 16, 1};
  p.coefficients = Coefficients::jumping;
  const auto a = make_matrix(p);
  const HostRows rows(*a);
  double least = 1e9, most = 0;
  for (std::size_t k = 0; k < rows.values.size(); ++k) {
    least = std::min(least, std::abs(rows.values[k]));
    most = std::max(most, std::abs(rows.values[k]));
  }
  EXPECT_GT(most / least, 1e3);
}

TEST(Matrices, circuits_are_symmetric_and_dominant_with_a_few_dense_rows) {
  CircuitMatrix p;
  p.nodes = 5000;
  p.rails = 3;
  const auto a = make_matrix(p);
  expect_columns_ascend(*a);
  const MatrixFacts facts = facts_of(*a);
  EXPECT_EQ(facts.asymmetry, 0.0);
  EXPECT_EQ(facts.unmatched, 0);
  EXPECT_EQ(facts.dominant_rows, facts.rows);
  EXPECT_EQ(facts.diagonal_missing, 0);
  const HostRows rows(*a);
  int dense = 0;
  for (int i = 0; i < a->rows(); ++i) dense += rows.offsets[i + 1] - rows.offsets[i] > 50 ? 1 : 0;
  EXPECT_EQ(dense, 3);
  EXPECT_LT(facts.lengths.mean, 8);
}

TEST(Matrices, a_name_says_the_parameters) {
  const GridMatrix plain = named_grid_matrix("poisson_2d_64");
  EXPECT_EQ(plain.cells, (std::array<int, 3>{64, 64, 1}));
  EXPECT_EQ(plain.grid(), "64 x 64");
  EXPECT_FALSE(plain.neumann);
  EXPECT_EQ(plain.coefficients, Coefficients::constant);
  const GridMatrix more = named_grid_matrix("poisson_3d_8_jumping_neumann");
  EXPECT_EQ(more.grid(), "8 x 8 x 8");
  EXPECT_TRUE(more.neumann);
  EXPECT_EQ(more.coefficients, Coefficients::jumping);
  EXPECT_EQ(named_grid_matrix("anisotropic_2d_4").weights[0], 100);
  EXPECT_EQ(named_grid_matrix("convection_3d_4").peclet, 2);
  EXPECT_EQ(named_grid_matrix("convection_3d_4").coefficients, Coefficients::random);
  EXPECT_THROW(named_grid_matrix("poisson_64"), ConfigError);
}

TEST(Matrices, the_seed_decides_and_nothing_else) {
  CircuitMatrix p;
  p.nodes = 3000;
  const auto a = make_matrix(p), again = make_matrix(p);
  EXPECT_EQ(a->values().to_host(), again->values().to_host());
  p.seed = 2;
  EXPECT_NE(a->values().to_host(), make_matrix(p)->values().to_host());
}

}  // namespace
}  // namespace hodge::tools::bench
