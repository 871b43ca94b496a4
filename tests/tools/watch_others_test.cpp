#include "tools/hodge/program/watch_others.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <vector>

namespace hodge::tools {
namespace {

using Clock = std::chrono::steady_clock;

// Stuck like a process that waits for a message of a dead one: it does not hear SIGTERM.
[[noreturn]] void wait_in_vain(const std::vector<pid_t>& others) {
  signal(SIGTERM, SIG_IGN);
  const WatchOthers watch(others);
  for (;;) pause();
}

// How a child ends, or -1 where it is still there after so many seconds.
int status_within(pid_t child, double seconds) {
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  for (int status = 0; Clock::now() < end;
       std::this_thread::sleep_for(std::chrono::milliseconds(10)))
    if (waitpid(child, &status, WNOHANG) == child) return status;
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return -1;
}

pid_t sleeping_process() {
  const pid_t child = fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (;;) pause();
  }
  return child;
}

TEST(WatchOthers, ends_a_process_that_waits_for_one_that_was_killed) {
  const pid_t other = sleeping_process();
  const pid_t child = fork();
  if (child == 0) wait_in_vain({other});
  EXPECT_EQ(status_within(child, 0.3), -1);  // both are there
  const pid_t second = fork();
  if (second == 0) wait_in_vain({other});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  const int status = status_within(second, 5);
  ASSERT_NE(status, -1);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

// The orphan is handed to this process, which can wait for it.
TEST(WatchOthers, ends_a_process_whose_launcher_was_killed) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  int from_launcher[2];
  ASSERT_EQ(pipe(from_launcher), 0);
  const pid_t launcher = fork();
  if (launcher == 0) {
    const pid_t child = fork();
    if (child == 0) wait_in_vain({});
    (void)!::write(from_launcher[1], &child, sizeof child);
    for (;;) pause();
  }
  pid_t child = 0;
  ASSERT_EQ(::read(from_launcher[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  kill(launcher, SIGKILL);
  waitpid(launcher, nullptr, 0);
  const int status = status_within(child, 8);
  EXPECT_TRUE(status != -1 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
  for (const int end : from_launcher) close(end);
}

TEST(WatchOthers, lets_a_process_end_its_watch_before_the_others_end) {
  const pid_t other = sleeping_process();
  { const WatchOthers watch(std::vector<pid_t>{other}); }
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
}  // and is still here

}  // namespace
}  // namespace hodge::tools
