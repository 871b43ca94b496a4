// The ends of a spectrum from the scalars of cg.
#include "linalg/preconditioners/ritz_ends.hpp"

#include <gtest/gtest.h>

namespace hodge::linalg {
namespace {

struct Scalars {
  std::vector<double> rz, pq;
};

// cg without preconditioner for diag(d) x = (1, 1, ...), in the scalars that ritz_ends takes.
Scalars steps_of_cg(const std::vector<double>& d, int steps) {
  std::vector<double> r(d.size(), 1.0), p = r;
  Scalars scalars;
  for (int j = 0; j <= steps; ++j) {
    double rz = 0, pq = 0;
    for (const double value : r) rz += value * value;
    scalars.rz.push_back(rz);
    if (j == steps) break;
    for (std::size_t i = 0; i < d.size(); ++i) {
      if (j > 0) p[i] = r[i] + rz / scalars.rz[static_cast<std::size_t>(j) - 1] * p[i];
      pq += p[i] * d[i] * p[i];
    }
    scalars.pq.push_back(pq);
    for (std::size_t i = 0; i < d.size(); ++i) r[i] -= rz / pq * d[i] * p[i];
  }
  return scalars;
}

TEST(RitzEnds, are_the_eigenvalues_after_as_many_steps_as_unknowns) {
  const Scalars s = steps_of_cg({1, 2, 5}, 3);
  const RitzEnds ends = ritz_ends(s.rz, s.pq, 1e-15);
  ASSERT_TRUE(ends.definite);
  EXPECT_NEAR(ends.least, 1, 1e-12);
  EXPECT_NEAR(ends.largest, 5, 1e-12);
  EXPECT_NEAR(ends.least_error, 0, 1e-7);
}

TEST(RitzEnds, the_error_reaches_an_eigenvalue) {
  const std::vector<double> d = {0.5, 1, 2, 3, 4, 5, 6, 7};
  const Scalars s = steps_of_cg(d, 4);
  const RitzEnds ends = ritz_ends(s.rz, s.pq, 1e-15);
  ASSERT_TRUE(ends.definite);
  EXPECT_GT(ends.least, 0.5);
  double nearest = 10;
  for (const double value : d) nearest = std::min(nearest, std::abs(value - ends.least));
  EXPECT_LE(nearest, ends.least_error);
  EXPECT_LE(ends.largest, 7);
}

// The eigenvector of 3 - 2 sqrt(2) is (1, -sqrt(2), 1) / 2.
TEST(RitzEnds, the_error_is_the_next_entry_times_the_last_one_of_the_eigenvector) {
  const detail::Tridiagonal t{{3, 3, 3}, {2, 2, 5}};
  EXPECT_NEAR(t.error(3 - 2 * std::sqrt(2.0)), 5 * 0.5, 1e-14);
  EXPECT_NEAR(t.error(3), 5 * std::sqrt(0.5), 1e-14);  // (1, 0, -1) / sqrt(2)
}

TEST(RitzEnds, a_negative_direction_is_noticed) {
  const Scalars s = steps_of_cg({1, -2, 3}, 3);
  EXPECT_FALSE(ritz_ends(s.rz, s.pq, 1e-15).definite);
}

TEST(RitzEnds, steps_after_convergence_do_not_count) {
  const Scalars s = steps_of_cg({3, 3}, 2);
  const RitzEnds ends = ritz_ends(s.rz, s.pq, 1e-15);
  ASSERT_TRUE(ends.definite);
  EXPECT_NEAR(ends.least, 3, 1e-14);
  EXPECT_NEAR(ends.largest, 3, 1e-14);
}

// x = (1, 1/2, 1/5) is the error before the first step.
TEST(EnergyRate, is_what_the_steps_leave_of_the_energy) {
  const double energy = 1 + 1.0 / 2 + 1.0 / 5;
  const Scalars one = steps_of_cg({1, 2, 5}, 1);
  // r = (1, 1, 1), r.r = 3, r.Ar = 8: the step takes 9/8 of 17/10.
  EXPECT_NEAR(energy_rate(energy, one.rz, one.pq, 1e-15), -std::log(1 - 9.0 / 8 / energy), 1e-12);
  const Scalars three = steps_of_cg({1, 2, 5}, 3);
  EXPECT_NEAR(energy_rate(energy, three.rz, three.pq, 1e-10), -std::log(1e-10) / 3, 1e-12);
}

TEST(MeanSteps, counts_parts_of_steps_to_each_tolerance) {
  const std::vector<double> logs{5, 3, 2, -1};
  EXPECT_DOUBLE_EQ(mean_steps(logs, -1, -1), 0.5);
  EXPECT_DOUBLE_EQ(mean_steps(logs, -2, -2), 1);
  // -1, -1.5, ... -5 are reached after 0.5, 0.75, 1, 1.5, 2, 2 1/6, 2 2/6, 2 3/6, 2 4/6 steps.
  EXPECT_NEAR(mean_steps(logs, -1, -5), (5.75 + 10.0 / 6 + 8) / 9, 1e-12);
  EXPECT_EQ(mean_steps(logs, -1, -7), std::numeric_limits<double>::infinity());
}

TEST(MeanSteps, a_residual_of_zero_ends_the_last_step) {
  const double zero = -std::numeric_limits<double>::infinity();
  EXPECT_DOUBLE_EQ(mean_steps(std::vector<double>{0, zero}, -1, -9), 1);
}

}  // namespace
}  // namespace hodge::linalg
