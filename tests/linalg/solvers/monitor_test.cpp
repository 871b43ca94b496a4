// The monitor alone: its counts, its stopping, and that the guard then stops all work.
#include "linalg/solvers/monitor.hpp"

#include <gtest/gtest.h>

#include "tests/support/spaces.hpp"

namespace hodge::linalg {
namespace {

template <class Space>
class MonitorTest : public tests::SpaceTest<Space> {
 protected:
  // Gives residual norms to the monitor until it halts.
  static MonitorState feed(Monitor<Space>& monitor, const std::vector<double>& residuals) {
    for (const double residual : residuals) {
      if (!monitor.running()) break;
      monitor.iteration(Scalar<Space>(residual * residual));
    }
    monitor.stop();
    return monitor.state();
  }
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
};
TYPED_TEST_SUITE(MonitorTest, tests::Spaces, tests::SpaceName);

TYPED_TEST(MonitorTest, halts_at_the_first_residual_that_meets_the_target) {
  Monitor<TypeParam> monitor(10);
  monitor.start(8.0, 1.0, 0, 10);
  const MonitorState state = this->feed(monitor, {4.0, 2.0, 1.0, 0.5, 0.25});
  EXPECT_EQ(state.status, SolveStatus::converged);
  EXPECT_EQ(state.iterations, 3);
  EXPECT_EQ(state.residual, 1.0);
  EXPECT_EQ(monitor.history(3), (std::vector<double>{8, 4, 2, 1}));
}

// Of the largest |weight_i r_i|, here 0.5 * 4 in the second entry.
TYPED_TEST(MonitorTest, halts_where_the_weighted_maximum_is_its_limit_and_not_above_it) {
  const std::vector<double> residual{1.0, -4.0, 1.5}, weighted{1.0, 0.5, 1.0};
  const Vector<TypeParam> r{std::span<const double>(residual)};
  const Vector<TypeParam> weights{std::span<const double>(weighted)};
  for (const double limit : {2.0, 1.999}) {
    Monitor<TypeParam> monitor(10);
    monitor.start(8.0, 0.0, 0, 10, {weights.data(), limit, 100.0});
    monitor.iteration(Scalar<TypeParam>(19.25), r);
    monitor.stop();
    const MonitorState state = monitor.state();
    EXPECT_EQ(state.maximum, 2.0);
    EXPECT_EQ(state.status, limit == 2.0 ? SolveStatus::converged : SolveStatus::running);
  }
}

TYPED_TEST(MonitorTest, counts_on_from_the_iterations_of_earlier_passes) {
  Monitor<TypeParam> monitor(10);
  monitor.start(8.0, 1.0, 0, 10);
  (void)this->feed(monitor, {4.0, 3.0});
  monitor.start(3.5, 1.0, 2, 10);
  const MonitorState state = this->feed(monitor, {0.5});
  EXPECT_EQ(state.iterations, 3);
  EXPECT_EQ(monitor.history(3), (std::vector<double>{8, 4, 3.5, 0.5}));
}

TYPED_TEST(MonitorTest, runs_out_of_iterations) {
  Monitor<TypeParam> monitor(3);
  monitor.start(8.0, 1e-3, 0, 3);
  const MonitorState state = this->feed(monitor, {7, 6, 5, 4, 3, 2});
  EXPECT_EQ(state.status, SolveStatus::max_iterations);
  EXPECT_EQ(state.iterations, 3);
  EXPECT_EQ(state.residual, 5.0);
}

TYPED_TEST(MonitorTest, calls_growth_divergence_and_not_a_number_a_breakdown) {
  Monitor<TypeParam> monitor(10);
  monitor.start(1.0, 1e-3, 0, 10);
  EXPECT_EQ(this->feed(monitor, {1e5, 2e10, 1.0}).status, SolveStatus::diverged);
  monitor.start(1.0, 1e-3, 0, 10);
  const MonitorState state = this->feed(monitor, {0.5, this->nan, 0.1});
  EXPECT_EQ(state.status, SolveStatus::breakdown);
  EXPECT_EQ(state.breakdown, Breakdown::not_finite);
  EXPECT_EQ(state.residual, 0.5);
}

TYPED_TEST(MonitorTest, requirements_are_relative_to_the_norms) {
  const auto verdict = [](double value, double a, double b, bool positive) {
    Monitor<TypeParam> monitor(10);
    monitor.start(1.0, 1e-3, 0, 10);
    const Scalar<TypeParam> v(value), aa(a * a), bb(b * b);
    if (positive) {
      monitor.require_positive(v, aa, bb, Breakdown::indefinite_operator);
    } else {
      monitor.require_not_negligible(v, aa, bb, Breakdown::rho_zero);
    }
    monitor.stop();
    return monitor.state().breakdown;
  };
  using enum Breakdown;
  EXPECT_EQ(verdict(1e-200, 1e-100, 1e-100, true), none);
  EXPECT_EQ(verdict(1e-200, 1e-90, 1e-90, true), indefinite_operator);
  EXPECT_EQ(verdict(-1.0, 1.0, 1.0, true), indefinite_operator);
  EXPECT_EQ(verdict(0.0, 0.0, 0.0, true), indefinite_operator);
  EXPECT_EQ(verdict(-1.0, 1.0, 1.0, false), none);
  EXPECT_EQ(verdict(1e-14, 10.0, 10.0, false), rho_zero);
  EXPECT_EQ(verdict(this->nan, 1.0, 1.0, false), not_finite);
}

TYPED_TEST(MonitorTest, work_queued_after_the_end_changes_nothing) {
  Monitor<TypeParam> monitor(10);
  Vector<TypeParam> x(100);
  x.fill(1.0);
  monitor.start(1.0, 0.5, 0, 10);
  monitor.iteration(Scalar<TypeParam>(0.01));
  x.fill(2.0);
  x = 3.0 * x;
  monitor.stop();
  EXPECT_EQ(x.to_host(), std::vector<double>(100, 1.0));
  x = 3.0 * x;
  EXPECT_EQ(x.to_host(), std::vector<double>(100, 3.0));
}

TEST(ConvergenceRatesTest, are_geometric_means) {
  EXPECT_EQ(convergence_rates({}).mean, 0.0);
  EXPECT_EQ(convergence_rates(std::vector<double>{3.0}).mean, 0.0);
  std::vector<double> history{1.0};
  for (int i = 0; i < 10; ++i) history.push_back(history.back() * 0.5);
  for (int i = 0; i < 10; ++i) history.push_back(history.back() * 0.1);
  const ConvergenceRates rates = convergence_rates(history);
  EXPECT_NEAR(rates.last, 0.1, 1e-12);
  EXPECT_NEAR(rates.mean, std::sqrt(0.05), 1e-12);
}

}  // namespace
}  // namespace hodge::linalg
