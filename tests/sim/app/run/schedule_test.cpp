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

TEST(Schedule, goes_on_from_any_time_without_passing_the_stops_before_one_by_one) {
  for (const double every : {1e-12, 3e-15}) {
    Schedule schedule(1, every);
    schedule.continue_from(0.75);
    EXPECT_GT(schedule.next_stop(), 0.75) << every;
    EXPECT_LE(schedule.next_stop(), 0.75 + 2 * every) << every;
  }
}

TEST(Schedule, goes_on_as_if_it_had_passed_the_stops_one_by_one) {
  for (const double every : {0.1, 0.3, 1.0 / 3, 1e-3, 7e-5})
    for (const double time : {0.0, 0.05, 0.1, 0.3, 0.5, 0.9, 1.0, 1.5}) {
      Schedule passed(1, every), schedule(1, every);
      while (!passed.finished() && passed.next_stop() <= time) passed.reached();
      schedule.continue_from(time);
      EXPECT_EQ(schedule.next_stop(), passed.next_stop()) << every << ' ' << time;
      EXPECT_EQ(schedule.finished(), passed.finished()) << every << ' ' << time;
      EXPECT_EQ(schedule.was_stop(time), passed.was_stop(time)) << every << ' ' << time;
    }
}

TEST(Schedule, an_interval_beyond_the_end_leaves_the_end) {
  EXPECT_EQ(stops(Schedule(1, 5)), (std::vector<double>{1}));
}

}  // namespace
}  // namespace hodge::sim
