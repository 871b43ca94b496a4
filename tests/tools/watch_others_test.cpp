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

// A child tells its parent that it has come so far.
struct Ready {
  Ready() { EXPECT_EQ(pipe(ends), 0); }
  ~Ready() {
    for (const int end : ends) close(end);
  }
  void tell() const {
    const pid_t own = getpid();
    (void)!::write(ends[1], &own, sizeof own);
  }
  pid_t wait() const {  // for the one that tells
    pid_t child = -1;
    EXPECT_EQ(::read(ends[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
    return child;
  }
  int ends[2] = {-1, -1};
};

// Stuck like a process that waits for a message of a dead one: it does not hear SIGTERM.
[[noreturn]] void wait_in_vain(const std::vector<pid_t>& others, const Ready& ready) {
  signal(SIGTERM, SIG_IGN);
  const WatchOthers watch(others);
  ready.tell();
  for (;;) pause();
}

constexpr double long_enough = 60;  // seconds, for any machine

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
  const Ready ready;
  const pid_t other = sleeping_process();
  const pid_t child = fork();
  if (child == 0) wait_in_vain({other}, ready);
  ready.wait();
  EXPECT_EQ(status_within(child, 0.3), -1);  // both are there
  const pid_t second = fork();
  if (second == 0) wait_in_vain({other}, ready);
  ready.wait();
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
  const int status = status_within(second, long_enough);
  ASSERT_NE(status, -1);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

// The orphan is handed to this process, which can wait for it.
TEST(WatchOthers, ends_a_process_whose_launcher_was_killed) {
  ASSERT_EQ(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
  const Ready ready;
  const pid_t launcher = fork();
  if (launcher == 0) {
    if (fork() == 0) wait_in_vain({}, ready);
    for (;;) pause();
  }
  const pid_t child = ready.wait();
  kill(launcher, SIGKILL);
  waitpid(launcher, nullptr, 0);
  const int status = status_within(child, long_enough);
  EXPECT_TRUE(status != -1 && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
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
