#include "sim/app/run/console.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>

#include "linalg/processes/launched.hpp"
#include "sim/base/row_file.hpp"

namespace hodge::sim {
namespace {

constexpr int default_width = 80;
constexpr std::string_view erase_line = "\r\x1b[K";

// The name of what a process writes to, by Linux; empty where that cannot be known.
std::string output_of(const std::string& process, int descriptor) {
  std::error_code unknown;
  return std::filesystem::read_symlink(fmt::format("/proc/{}/fd/{}", process, descriptor), unknown)
      .string();
}

// Whether somebody watches a terminal there. Open MPI gives its processes a terminal of their own,
// whatever mpirun's output is: then the output of mpirun decides, which is the parent of those that
// it starts on its own machine.
bool is_watched(int descriptor) {
  if (::isatty(descriptor) != 1) return false;
  if (linalg::launched_processes().launcher.empty()) return true;
  const std::string launcher = output_of(std::to_string(::getppid()), STDOUT_FILENO);
  std::error_code unknown;  // a pipe has no such file; a log may be in /dev/shm
  return launcher != "/dev/null" && std::filesystem::is_character_file(launcher, unknown) &&
         launcher != output_of("self", descriptor);
}

}  // namespace

Console::Console(int descriptor, const std::filesystem::path& log, bool continued,
                 Verbosity verbosity)
    : descriptor_(descriptor),
      is_verbose_(verbosity == Verbosity::verbose),
      silenced_(verbosity == Verbosity::quiet),
      is_terminal_(!silenced_ && is_watched(descriptor)),
      log_(log, O_RDWR | O_CREAT | (continued ? 0 : O_TRUNC)),
      log_path_(log) {
  if (continued) cut_log();
}

// The log is on the disk for certain only at the end of a run: a loss of power leaves zeros in it
// or cuts its last line off.
void Console::cut_log() {
  const std::string text = log_.read_to_end();
  const std::size_t good = std::min(text.find('\0'), text.size());
  log_.truncate(static_cast<long long>(text.substr(0, good).rfind('\n') + 1));
}

Console::~Console() {
  if (progress_shown_) write("\n");
}

int Console::width() const {
  winsize size{};
  const bool known = ::ioctl(descriptor_, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : default_width;
}

void Console::line(std::string_view text) {
  erase_progress();
  write(std::string(text) + "\n");
  log(text);
}

void Console::plain(std::string_view text) {
  if (!is_terminal_) write(std::string(text) + "\n");
  log(text);
}

void Console::log(std::string_view text) {
  const std::lock_guard lock(log_mutex_);
  try {
    require_own_size(log_, log_path_);
    log_.write(std::string(text) + "\n");
  } catch (const IoError& error) {
    if (!log_error_) log_error_ = error;
  }
}

void Console::redraw(std::string_view progress) {
  if (!is_terminal_) return;
  const auto room = static_cast<std::size_t>(width() - 1);  // a full line would wrap
  write(std::string(erase_line) + std::string(progress.substr(0, room)));
  progress_shown_ = true;
}

void Console::check_log() const {
  const std::lock_guard lock(log_mutex_);
  if (log_error_) throw *log_error_;
}

void Console::finish_log() {
  check_log();
  const std::lock_guard lock(log_mutex_);
  if (!log_.is_at(log_path_))
    throw IoError(log_path_.string() + " was removed or replaced while the run wrote it");
  require_own_size(log_, log_path_);
  log_.synchronize();
  log_.close();
}

void Console::erase_progress() {
  if (progress_shown_) write(erase_line);
  progress_shown_ = false;
}

void Console::write(std::string_view text) {
  while (!text.empty() && !silenced_) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    silenced_ = written < 0 && errno != EINTR;
  }
}

}  // namespace hodge::sim
