#include "sim/app/run/signals.hpp"

#include <atomic>

namespace hodge::sim {
namespace {

std::atomic<int> first_signal{0};
std::atomic<bool> was_told_to_end{false};  // by SIGINT or SIGTERM
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may take no lock");

void note_signal(int signal_number) {
  int none = 0;
  first_signal.compare_exchange_strong(none, signal_number);
  if (signal_number != SIGINT && signal_number != SIGTERM) return;
  if (!was_told_to_end.exchange(true)) return;
  ::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

bool is_ignored(int signal_number) {
  return signal_number == SIGPIPE || signal_number == SIGXFSZ;
}

}  // namespace

SignalGuard::SignalGuard() {
  first_signal = 0;
  was_told_to_end = false;
  for (std::size_t i = 0; i < handled.size(); ++i) {
    struct sigaction action {};
    action.sa_handler = is_ignored(handled[i]) ? SIG_IGN : note_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(handled[i], nullptr, &previous_[i]);
    if (handled[i] == SIGHUP && previous_[i].sa_handler == SIG_IGN) continue;
    ::sigaction(handled[i], &action, nullptr);
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

const char* signal_name(int signal_number) {
  switch (signal_number) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    case SIGUSR1:
      return "SIGUSR1";
    case SIGXCPU:
      return "SIGXCPU";
    default:
      return "a signal";
  }
}

}  // namespace hodge::sim
