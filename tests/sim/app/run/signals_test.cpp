#include "sim/app/run/signals.hpp"

#include <gtest/gtest.h>

namespace hodge::sim {
namespace {

TEST(SignalGuard, notes_the_first_signal) {
  for (const int number : {SIGINT, SIGTERM}) {
    const SignalGuard guard;
    EXPECT_EQ(guard.received(), 0);
    ::raise(number);
    EXPECT_EQ(guard.received(), number);
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
