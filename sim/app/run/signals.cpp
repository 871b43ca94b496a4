#include "sim/app/run/signals.hpp"

#include <atomic>

namespace hodge::sim {
namespace {

constexpr std::array<int, 3> handled{SIGINT, SIGTERM, SIGPIPE};

std::atomic<int> first_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may take no lock");

void note_signal(int signal_number) {
  int none = 0;
  if (first_signal.compare_exchange_strong(none, signal_number)) return;
  ::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

}  // namespace

SignalGuard::SignalGuard() {
  first_signal = 0;
  for (std::size_t i = 0; i < handled.size(); ++i) {
    struct sigaction action {};
    action.sa_handler = handled[i] == SIGPIPE ? SIG_IGN : note_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(handled[i], &action, &previous_[i]);
  }
}

SignalGuard::~SignalGuard() {
  for (std::size_t i = 0; i < handled.size(); ++i) {
    ::sigaction(handled[i], &previous_[i], nullptr);
  }
}

int SignalGuard::received() const {
  return first_signal;
}

}  // namespace hodge::sim
