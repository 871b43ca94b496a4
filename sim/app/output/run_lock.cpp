#include "sim/app/output/run_lock.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <thread>

#include "linalg/base/errors.hpp"
#include "linalg/files/directories.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {

namespace fs = std::filesystem;

namespace {

enum class Lock { taken, held_by_another, not_supported };

Lock try_lock(const FileDescriptor& file, int kind) {
  for (;;) {
    if (::flock(file.number(), kind | LOCK_NB) == 0) return Lock::taken;
    if (errno == EWOULDBLOCK) return Lock::held_by_another;
    if (errno != EINTR) return Lock::not_supported;
  }
}

// Tries for a moment: another process may be looking whether the lock is free.
Lock lock_for_writing(const FileDescriptor& file) {
  constexpr int attempts = 10;
  constexpr std::chrono::milliseconds pause{20};
  Lock lock = try_lock(file, LOCK_EX);
  for (int i = 1; i < attempts && lock == Lock::held_by_another; ++i) {
    std::this_thread::sleep_for(pause);
    lock = try_lock(file, LOCK_EX);
  }
  return lock;
}

std::string this_process() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '?';
  return fmt::format("process {} on {}, since {:%Y-%m-%dT%H:%M:%SZ}", ::getpid(), host.data(),
                     fmt::gmtime(std::time(nullptr)));
}

[[noreturn]] void refuse(const fs::path& directory, const std::string& holder) {
  throw ConfigError(
      fmt::format("a run is writing in {}: {}; wait for it, end it, or choose another directory "
                  "with --output",
                  directory.string(), holder));
}

// The text of the lock's file; the process may not have written it yet.
std::string name_in(FileDescriptor& file) {
  constexpr std::size_t most = 400;
  file.seek(0);
  const std::string name = file.read(most);
  return name.empty() ? "a process that has just begun" : one_line(name);
}

}  // namespace

RunLock::RunLock(const fs::path& directory)
    : directory_(absolute_path(directory)),
      file_(directory_ / file_name, O_RDWR | O_CREAT | O_NOFOLLOW, directory / file_name) {
  const Lock lock = lock_for_writing(file_);
  if (lock == Lock::held_by_another) refuse(directory, name_in(file_));
  is_supported_ = lock == Lock::taken;
  require_held();
  file_.truncate(0);
  file_.write(this_process());
}

std::optional<std::string> RunLock::holder(const fs::path& directory) {
  if (!fs::is_regular_file(status_of_link(directory / file_name))) return std::nullopt;
  FileDescriptor file(directory / file_name, O_RDONLY | O_NOFOLLOW);
  if (try_lock(file, LOCK_SH) != Lock::held_by_another) return std::nullopt;
  return name_in(file);
}

void RunLock::require_free(const fs::path& directory) {
  if (const auto name = holder(directory)) refuse(directory, *name);
}

void RunLock::require_held() const {
  if (file_.is_at(directory_ / file_name)) return;
  throw IoError(fmt::format("the run directory {} was removed or replaced while a run wrote in it",
                            directory_.string()));
}

}  // namespace hodge::sim
