// The climb of the estimate on an inverse where the first unit vector is not the last.
#include "linalg/dense/condition_estimate.hpp"

#include <gtest/gtest.h>

namespace hodge::linalg {
namespace {

TEST(ConditionEstimate, climbs_from_one_unit_vector_to_the_next) {
  const double inverse[4][4] = {{3, -2, -3, 1}, {-2, -2, 0, -1}, {-2, 0, 1, -1}, {-1, 0, 2, -3}};
  int products = 0;
  const InverseProduct solve = [&](SolveWith with, std::vector<double>& x) {
    std::vector<double> y(4, 0.0);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j)
        y[i] += (with == SolveWith::matrix ? inverse[i][j] : inverse[j][i]) * x[j];
    }
    x = y;
    ++products;
  };
  EXPECT_EQ(estimate_inverse_norm(4, solve), 8);  // 4 if the climb ends at its first vector
  EXPECT_LE(products, 11);
}

}  // namespace
}  // namespace hodge::linalg
