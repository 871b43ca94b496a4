#include "sim/app/run/schedule.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace hodge::sim {
namespace {

std::vector<double> stops(Schedule schedule) {
  std::vector<double> times;
  while (!schedule.finished()) {
    times.push_back(schedule.next_stop());
    schedule.reached();
  }
  return times;
}

TEST(Schedule, without_an_interval_the_end_is_the_only_stop) {
  EXPECT_EQ(stops(Schedule(2.5, std::nullopt)), (std::vector<double>{2.5}));
}

TEST(Schedule, stops_are_products_and_gather_no_round_off) {
  const auto times = stops(Schedule(100, 0.1));
  ASSERT_EQ(times.size(), 1000U);
  for (std::size_t k = 1; k <= 1000; ++k) EXPECT_EQ(times[k - 1], static_cast<double>(k) * 0.1);
}

TEST(Schedule, an_end_that_is_no_multiple_is_a_stop_of_its_own) {
  EXPECT_EQ(stops(Schedule(1.25, 0.5)), (std::vector<double>{0.5, 1.0, 1.25}));
}

TEST(Schedule, a_multiple_within_round_off_of_the_end_is_the_end) {
  EXPECT_EQ(stops(Schedule(0.3, 0.1)), (std::vector<double>{0.1, 0.2, 0.3}));
  EXPECT_EQ(stops(Schedule(0.7, 0.1)).back(), 0.7);
  EXPECT_EQ(stops(Schedule(0.7, 0.1)).size(), 7U);
}

TEST(Schedule, an_interval_beyond_the_end_leaves_the_end) {
  EXPECT_EQ(stops(Schedule(1, 5)), (std::vector<double>{1}));
}

}  // namespace
}  // namespace hodge::sim
