#include "tools/hodge/program/watch_others.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdint>

#include "linalg/processes/lists.hpp"
#include "linalg/processes/machines.hpp"

namespace hodge::tools {
namespace {

constexpr int until_killed = 500, for_a_checkpoint = 3000;  // milliseconds

// -1 where it is not there, or the kernel does not know the call.
int descriptor_of(pid_t process) {
  return process > 0 ? static_cast<int>(syscall(SYS_pidfd_open, process, 0)) : -1;
}

// Numbers of processes mean the same where they belong to the same namespace.
struct Place {
  linalg::MachineName machine = linalg::machine_name();
  std::array<char, 64> numbers{};
  pid_t process = getpid();

  Place() {
    if (readlink("/proc/self/ns/pid", numbers.data(), numbers.size() - 1) < 0) numbers[0] = '?';
  }
  bool sees(const Place& other) const {
    return numbers[0] != '?' && machine == other.machine && numbers == other.numbers;
  }
};

}  // namespace

std::vector<pid_t> others_on_machine(linalg::Communicator& all) {
  const Place own;
  std::vector<pid_t> others;
  for (const Place& other : linalg::gather_one(all, own))
    if (own.sees(other) && other.process != own.process) others.push_back(other.process);
  return others;
}

WatchOthers::WatchOthers(std::span<const pid_t> others) {
  descriptors_ = {eventfd(0, EFD_CLOEXEC), descriptor_of(getppid())};
  for (const pid_t process : others) descriptors_.push_back(descriptor_of(process));
  // Signals belong to the threads that do the work.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { watch(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

WatchOthers::~WatchOthers() {
  const std::uint64_t one = 1;
  (void)!write(descriptors_[0], &one, sizeof one);
  thread_.join();
  for (const int descriptor : descriptors_)
    if (descriptor >= 0) close(descriptor);
}

bool WatchOthers::is_over(int milliseconds) const {
  pollfd end{descriptors_[0], POLLIN, 0};
  return poll(&end, 1, milliseconds) > 0;
}

void WatchOthers::watch() const {
  std::vector<pollfd> watched;
  for (const int descriptor : descriptors_) watched.push_back({descriptor, POLLIN, 0});
  while (poll(watched.data(), watched.size(), -1) <= 0) continue;
  const bool launcher_is_gone = watched[1].revents != 0;
  if (launcher_is_gone) kill(getpid(), SIGTERM);
  if (!is_over(launcher_is_gone ? for_a_checkpoint : until_killed)) kill(getpid(), SIGKILL);
}

}  // namespace hodge::tools
