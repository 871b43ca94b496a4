// SIGINT and SIGTERM as a request that the run loop looks at between steps.
//
// The first one is noted; the second ends the process at once, as if nobody had asked to be told.
// While a guard lives, a closed pipe makes writing fail instead of ending the process (SIGPIPE is
// ignored). One guard at a time.
#pragma once

#include <signal.h>

#include <array>

namespace hodge::sim {

class SignalGuard {
 public:
  SignalGuard();
  ~SignalGuard();  // the handlers of before are back
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  int received() const;  // SIGINT or SIGTERM; 0 if none came

 private:
  std::array<struct sigaction, 3> previous_{};
};

}  // namespace hodge::sim
