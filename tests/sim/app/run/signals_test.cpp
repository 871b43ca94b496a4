#include "sim/app/run/signals.hpp"

#include <gtest/gtest.h>
#include <signal.h>

namespace hodge::sim {
namespace {

TEST(SignalGuard, notes_the_first_signal) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU}) {
    const auto before = ::signal(number, SIG_DFL);  // under nohup SIGHUP is ignored
    {
      const SignalGuard guard;
      EXPECT_EQ(guard.received(), 0);
      ::raise(number);
      EXPECT_EQ(guard.received(), number);
    }
    ::signal(number, before);
  }
}

TEST(SignalGuardDeathTest, the_second_signal_ends_the_process) {
  EXPECT_EXIT(
      {
        const SignalGuard guard;
        ::raise(SIGTERM);
        ::raise(SIGINT);
      },
      testing::KilledBySignal(SIGINT), "");
}

// Batch systems warn more than once, and SIGXCPU comes every second.
TEST(SignalGuard, warnings_may_come_again) {
  const SignalGuard guard;
  for (const int number : {SIGUSR1, SIGXCPU, SIGHUP, SIGXCPU, SIGUSR1}) ::raise(number);
  EXPECT_EQ(guard.received(), SIGUSR1);
  ::raise(SIGTERM);
  EXPECT_EQ(guard.received(), SIGUSR1);
}

TEST(SignalGuard, of_a_process_that_others_end_a_second_signal_ends_nothing) {
  SignalGuard guard(SignalGuard::Second::is_ignored);
  for (const int number : {SIGTERM, SIGINT, SIGTERM}) ::raise(number);
  EXPECT_EQ(guard.take(), SIGTERM);
  EXPECT_EQ(guard.take(), 0);
  ::raise(SIGUSR1);
  EXPECT_EQ(guard.take(), SIGUSR1);
}

// A launcher sends a signal to all processes: process 0 gets it from there and from the others.
TEST(SignalGuard, what_another_process_received_is_no_second_signal) {
  const SignalGuard guard;
  SignalGuard::take_over(SIGTERM);
  EXPECT_EQ(guard.received(), SIGTERM);
  ::raise(SIGTERM);
  SignalGuard::take_over(SIGTERM);
  EXPECT_EQ(guard.received(), SIGTERM);
}

TEST(SignalGuardDeathTest, without_a_guard_what_another_process_received_ends_this_one) {
  EXPECT_EXIT(SignalGuard::take_over(SIGTERM), testing::KilledBySignal(SIGTERM), "");
}

TEST(SignalGuard, a_hangup_that_was_ignored_stays_ignored) {
  const auto before = ::signal(SIGHUP, SIG_IGN);
  {
    const SignalGuard guard;
    ::raise(SIGHUP);
    EXPECT_EQ(guard.received(), 0);
  }
  ::signal(SIGHUP, before);
}

TEST(SignalGuard, what_makes_writing_fail_ends_nothing) {
  const SignalGuard guard;
  ::raise(SIGPIPE);
  ::raise(SIGXFSZ);
  EXPECT_EQ(guard.received(), 0);
}

volatile sig_atomic_t seen = 0;

TEST(SignalGuard, gives_the_handlers_of_before_back) {
  const auto before = ::signal(SIGINT, [](int number) { seen = number; });
  {
    const SignalGuard guard;
    ::raise(SIGINT);
    EXPECT_EQ(seen, 0);
  }
  ::raise(SIGINT);
  EXPECT_EQ(seen, SIGINT);
  ::signal(SIGINT, before);
}

}  // namespace
}  // namespace hodge::sim
