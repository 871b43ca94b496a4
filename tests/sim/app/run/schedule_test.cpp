#include "sim/app/run/schedule.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
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

std::vector<double> stops_from(double time, Schedule schedule) {
  schedule.continue_from(time);
  return stops(schedule);
}

TEST(Schedule, without_an_interval_the_end_is_the_only_stop) {
  EXPECT_EQ(stops(Schedule(2.5, std::nullopt)), (std::vector<double>{2.5}));
}

TEST(Schedule, stops_gather_no_round_off) {
  const auto times = stops(Schedule(100, 0.1));
  ASSERT_EQ(times.size(), 1000U);
  for (std::size_t k = 1; k <= 1000; ++k) EXPECT_EQ(times[k - 1], static_cast<double>(k) / 10);
}

TEST(Schedule, an_end_that_is_no_multiple_is_a_stop_of_its_own) {
  EXPECT_EQ(stops(Schedule(1.25, 0.5)), (std::vector<double>{0.5, 1.0, 1.25}));
}

TEST(Schedule, a_multiple_within_round_off_of_the_end_is_the_end) {
  EXPECT_EQ(stops(Schedule(0.3, 0.1)), (std::vector<double>{0.1, 0.2, 0.3}));
  EXPECT_EQ(stops(Schedule(1, 0.3333333333)).size(), 3U);
  EXPECT_EQ(stops(Schedule(1, 1.0 / 3)).size(), 3U);
  EXPECT_EQ(stops_from(1e6 - 0.0025, Schedule(1e6, 1e-3)).size(), 3U);
}

// The usual pairs of an interval and an end, as one writes them.
template <class Check>
void for_each_pair(const Check& check) {
  for (const char* every :
       {"0.1", "0.05", "0.2", "0.25", "0.3", "0.01", "0.7", "1.1", "0.15", "0.0125"})
    for (long n = 1; n <= 10; ++n) {
      const std::string text(every);
      const auto decimals = text.size() - 1 - text.find('.');
      std::string digits = text;
      digits.erase(digits.find('.'), 1);
      const std::string end =
          std::to_string(n * std::stol(digits)) + "e-" + std::to_string(decimals);
      check(std::strtod(every, nullptr), n, std::strtod(end.c_str(), nullptr));
    }
}

TEST(Schedule, a_longer_run_goes_on_from_its_end_with_the_stops_of_a_straight_one) {
  for_each_pair([](double every, long n, double end) {
    const std::vector<double> first = stops(Schedule(end, every));
    ASSERT_EQ(first.size(), static_cast<std::size_t>(n)) << every << ' ' << end;
    EXPECT_EQ(first.back(), end);
    std::vector<double> all = first;
    for (const double stop : stops_from(end, Schedule(5 * end, every))) all.push_back(stop);
    EXPECT_EQ(all, stops(Schedule(5 * end, every))) << every << ' ' << end;
  });
}

// As the times in checkpoints of earlier versions are.
TEST(Schedule, a_time_that_is_a_stop_up_to_rounding_is_one) {
  for_each_pair([](double every, long n, double end) {
    for (const double time : {end, static_cast<double>(n) * every, end * (1 - 2e-16)}) {
      const Schedule schedule(2 * end, every);
      EXPECT_TRUE(schedule.is_stop(time)) << every << ' ' << time;
      EXPECT_GT(stops_from(time, schedule).front(), time + 0.5 * every) << every << ' ' << time;
      EXPECT_FALSE(schedule.is_stop(time + 1e-6 * every));
    }
  });
  EXPECT_TRUE(Schedule(1, std::nullopt).is_stop(1 - 1e-16));
  EXPECT_FALSE(Schedule(1, std::nullopt).is_stop(0));
  EXPECT_FALSE(Schedule(1, 0.1).is_stop(1.1));
}

TEST(Schedule, a_time_at_or_after_the_end_leaves_nothing) {
  for (const double time : {0.3, 3 * 0.1, 0.4})
    EXPECT_TRUE(stops_from(time, Schedule(0.3, 0.1)).empty()) << time;
  EXPECT_TRUE(stops_from(3 * 0.1, Schedule(0.3, std::nullopt)).empty());
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
      EXPECT_EQ(schedule.finished(), passed.finished()) << every << ' ' << time;
      if (schedule.finished()) continue;
      EXPECT_EQ(schedule.next_stop(), passed.next_stop()) << every << ' ' << time;
    }
}

TEST(Schedule, an_interval_beyond_the_end_leaves_the_end) {
  EXPECT_EQ(stops(Schedule(1, 5)), (std::vector<double>{1}));
}

}  // namespace
}  // namespace hodge::sim
