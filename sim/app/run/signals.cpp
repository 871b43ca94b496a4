#include "sim/app/run/signals.hpp"

#include <atomic>

namespace hodge::sim {
namespace {

std::atomic<int> first_signal{0};
std::atomic<bool> next_ends_process{false};  // if it is SIGINT or SIGTERM
std::atomic<bool> second_ends_process{false};
std::atomic<bool> has_guard{false};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may take no lock");

void record(int signal_number) {
  int none = 0;
  first_signal.compare_exchange_strong(none, signal_number);
}

void end_process(int signal_number) {
  ::signal(signal_number, SIG_DFL);
  ::raise(signal_number);
}

void note_signal(int signal_number) {
  record(signal_number);
  if (signal_number != SIGINT && signal_number != SIGTERM) return;
  if (next_ends_process.exchange(second_ends_process)) end_process(signal_number);
}

bool is_ignored(int signal_number) {
  return signal_number == SIGPIPE || signal_number == SIGXFSZ;
}

}  // namespace

SignalGuard::SignalGuard(Second second) {
  first_signal = 0;
  next_ends_process = false;
  second_ends_process = second == Second::ends_process;
  for (std::size_t i = 0; i < handled.size(); ++i) {
    struct sigaction action {};
    action.sa_handler = is_ignored(handled[i]) ? SIG_IGN : note_signal;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    ::sigaction(handled[i], nullptr, &previous_[i]);
    if (handled[i] == SIGHUP && previous_[i].sa_handler == SIG_IGN) continue;
    ::sigaction(handled[i], &action, nullptr);
  }
  has_guard = true;
}

SignalGuard::~SignalGuard() {
  has_guard = false;
  for (std::size_t i = 0; i < handled.size(); ++i) {
    ::sigaction(handled[i], &previous_[i], nullptr);
  }
}

int SignalGuard::received() const {
  return first_signal;
}

int SignalGuard::take() {
  return first_signal.exchange(0);
}

void SignalGuard::take_over(int signal_number) {
  if (has_guard)
    record(signal_number);
  else
    end_process(signal_number);
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
