// Signals as a request to stop, which the run loop checks between steps:
//
//   SIGINT, SIGTERM     the second of them ends the process at once, as without a guard
//   SIGHUP              the terminal is gone; stays ignored where it was (nohup)
//   SIGUSR1, SIGXCPU    a batch system that says that time is nearly up; may come again
//
// The first one is recorded. While a guard lives, a closed pipe and a limit on the size of files
// make writing fail instead of ending the process (SIGPIPE and SIGXFSZ are ignored). One guard at a
// time.
//
// Of several processes that share a run, process 0 ends it in order. A signal that another one of
// them gets is told to process 0 and recorded there.
#pragma once

#include <signal.h>

#include <array>

namespace hodge::sim {

class SignalGuard {
 public:
  enum class Second { ends_process, is_ignored };

  explicit SignalGuard(Second second = Second::ends_process);
  ~SignalGuard();  // restores the earlier handlers
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  int received() const;  // the number of the first; 0 if none came
  int take();            // as received(), which is 0 from then on

  // What another process received: recorded as if it had come to this one, but never as a second
  // one. Without a guard it does what it does to any process.
  static void take_over(int signal_number);

  static constexpr std::array<int, 7> handled{SIGINT,  SIGTERM, SIGHUP, SIGUSR1,
                                              SIGXCPU, SIGPIPE, SIGXFSZ};

 private:
  std::array<struct sigaction, handled.size()> previous_{};
};

// "SIGTERM", of those that are a request to stop.
const char* signal_name(int signal_number);

}  // namespace hodge::sim
