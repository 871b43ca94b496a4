// Steps whose time is made up, by the number of threads.
#include "sim/app/run/thread_choice.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <functional>
#include <string>

namespace hodge::sim {
namespace {

using TimeOf = std::function<double(int threads, long step)>;

// Takes steps; returns how much longer they took than all with `best` threads would have.
double excess(ThreadChoice& choice, int best, long steps, const TimeOf& time_of) {
  double taken = 0, least = 0;
  for (long step = 0; step < steps; ++step) {
    const double seconds = time_of(choice.threads(), step);
    taken += seconds;
    least += time_of(best, step);
    (void)choice.add_step(seconds);
  }
  return taken / least - 1;
}

TEST(ThreadChoice, begins_with_all_threads_and_keeps_them_where_they_are_faster) {
  ThreadChoice choice(8);
  EXPECT_EQ(choice.threads(), 8);
  const auto scales = [](int threads, long) { return 0.02 / threads; };
  EXPECT_LT(excess(choice, 8, 1000, scales), 0.05);
  EXPECT_LT(excess(choice, 8, 10000, scales), 0.01);
  EXPECT_EQ(choice.chosen(), 8);
}

TEST(ThreadChoice, takes_one_thread_where_more_wait_for_each_other) {
  ThreadChoice choice(16);
  const auto waits = [](int threads, long) { return 0.001 + 0.0005 * (threads - 1); };
  (void)excess(choice, 1, 2000, waits);
  EXPECT_EQ(choice.chosen(), 1);
  EXPECT_LT(excess(choice, 1, 10000, waits), 0.01);
}

TEST(ThreadChoice, finds_a_number_between) {
  ThreadChoice choice(16);
  const auto time_of = [](int threads, long) { return 0.016 / threads + 0.001 * threads; };
  (void)excess(choice, 4, 2000, time_of);
  EXPECT_EQ(choice.chosen(), 4);
}

// Every other step waits for a thread on the core that another program has.
TEST(ThreadChoice, follows_another_program_that_comes_and_goes) {
  ThreadChoice choice(2);
  bool is_taken = false;
  const auto time_of = [&is_taken](int threads, long step) {
    if (threads == 1) return 0.004;
    return is_taken && step % 2 != 0 ? 0.012 : 0.0022;
  };
  for (const bool taken : {false, true, false, true}) {
    is_taken = taken;
    const double lost = excess(choice, taken ? 1 : 2, 3000, time_of);
    EXPECT_EQ(choice.chosen(), taken ? 1 : 2);
    EXPECT_LT(lost, taken ? 0.05 : 0.25);
  }
}

TEST(ThreadChoice, tries_late_where_steps_are_long) {
  ThreadChoice choice(2);
  for (int step = 0; step < 100; ++step) {
    EXPECT_EQ(choice.threads(), 2);
    (void)choice.add_step(1.0);
  }
}

TEST(ThreadChoice, a_single_thread_stays_alone) {
  ThreadChoice choice(1);
  for (int step = 0; step < 1000; ++step) {
    EXPECT_FALSE(choice.add_step(0.001));
    EXPECT_EQ(choice.threads(), 1);
  }
}

TEST(StepThreads, leaves_as_many_threads_as_it_has_found) {
  const int before = omp_get_max_threads();
  omp_set_num_threads(2);
  {
    StepThreads threads(true);
    std::string said;
    for (int step = 0; step < 200; ++step) {
      const std::string change = threads.add_step(omp_get_max_threads() == 1 ? 0.001 : 0.004);
      if (!change.empty()) said = change;
    }
    EXPECT_EQ(omp_get_max_threads(), 1);
    EXPECT_EQ(said, "1 of 2 threads, which is faster as measured");
  }
  EXPECT_EQ(omp_get_max_threads(), 2);
  {
    StepThreads fixed(false);
    for (int step = 0; step < 200; ++step) EXPECT_EQ(fixed.add_step(0.001), "");
    EXPECT_EQ(omp_get_max_threads(), 2);
  }
  omp_set_num_threads(before);
}

}  // namespace
}  // namespace hodge::sim
