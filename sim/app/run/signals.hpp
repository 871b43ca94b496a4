// SIGINT and SIGTERM as a request to stop, which the run loop checks between steps.
//
// The first signal is recorded; the second ends the process at once, as without a guard.
// While a guard lives, a closed pipe makes writing fail instead of ending the process (SIGPIPE is
// ignored). One guard at a time.
#pragma once

#include <signal.h>

#include <array>

namespace hodge::sim {

class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();  // restores the earlier handlers
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  int received() const;  // SIGINT or SIGTERM; 0 if none came

 private:
  std::array<struct sigaction, 3> previous_{};
};

}  // namespace hodge::sim
