#include "linalg/files/file_descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>

namespace hodge {

namespace {

constexpr mode_t permissions = 0666;  // less the umask

// Calls f() again where a signal came in between.
template <class F>
auto unless_interrupted(F f) {
  for (;;) {
    const auto result = f();
    if (result >= 0 || errno != EINTR) return result;
  }
}

}  // namespace

IoError io_error(std::string_view verb, const std::filesystem::path& path, int error_number) {
  return IoError("cannot " + std::string(verb) + " " + path.string() + ": " +
                 std::generic_category().message(error_number));
}

FileDescriptor::FileDescriptor(const std::filesystem::path& path, int flags,
                               std::filesystem::path shown)
    : shown_(std::move(shown)), fd_(unless_interrupted([&] {
        return ::open(path.c_str(), flags | O_CLOEXEC, permissions);
      })) {
  if (fd_ < 0) throw io_error("open", shown_, errno);
}

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) ::close(fd_);
}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : shown_(std::move(other.shown_)), fd_(std::exchange(other.fd_, -1)), size_(other.size_) {}

void FileDescriptor::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written =
        unless_interrupted([&] { return ::write(fd_, text.data(), text.size()); });
    if (written < 0) throw io_error("write", shown_, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
    size_ += written;
  }
}

// Reads at least one byte, unless the file is at its end: then 0.
std::size_t FileDescriptor::read_some(char* to, std::size_t most) {
  const ssize_t count = unless_interrupted([&] { return ::read(fd_, to, most); });
  if (count < 0) throw io_error("read", shown_, errno);
  return static_cast<std::size_t>(count);
}

std::string FileDescriptor::read_to_end() {
  struct stat status {};
  const bool size_is_known = ::fstat(fd_, &status) == 0 && status.st_size > 0;
  // One byte more than the expected size, so that the end is found without more room.
  std::size_t room = size_is_known ? static_cast<std::size_t>(status.st_size) + 1 : 1 << 16;
  std::string text;
  for (std::size_t filled = 0;;) {
    text.resize(room);
    const std::size_t count = read_some(text.data() + filled, room - filled);
    filled += count;
    if (filled == room) room *= 2;
    if (count == 0) {
      text.resize(filled);
      return text;
    }
  }
}

std::string FileDescriptor::read(std::size_t most) {
  std::string text(most, '\0');
  text.resize(read_into(text.data(), most));
  return text;
}

std::size_t FileDescriptor::read_into(char* to, std::size_t most) {
  std::size_t filled = 0;
  while (filled < most) {
    const std::size_t count = read_some(to + filled, most - filled);
    if (count == 0) break;
    filled += count;
  }
  return filled;
}

void FileDescriptor::seek(long long position) {
  if (::lseek(fd_, position, SEEK_SET) < 0) throw io_error("read", shown_, errno);
}

void FileDescriptor::seek_end() {
  const off_t end = ::lseek(fd_, 0, SEEK_END);
  if (end < 0) throw io_error("read", shown_, errno);
  size_ = end;
}

long long FileDescriptor::bytes_on_disk() const {
  struct stat status {};
  if (::fstat(fd_, &status) != 0) throw io_error("read", shown_, errno);
  return status.st_size;
}

void FileDescriptor::synchronize() {
  if (unless_interrupted([&] { return ::fsync(fd_); }) != 0) throw io_error("write", shown_, errno);
}

void FileDescriptor::truncate(long long bytes) {
  const bool cut = unless_interrupted([&] { return ::ftruncate(fd_, bytes); }) == 0;
  if (!cut || ::lseek(fd_, bytes, SEEK_SET) < 0) throw io_error("shorten", shown_, errno);
  size_ = bytes;
}

// An interrupted close() has closed the file on Linux, and its number may already be another's.
void FileDescriptor::close() {
  const int result = ::close(std::exchange(fd_, -1));
  if (result != 0 && errno != EINTR) throw io_error("close", shown_, errno);
}

bool FileDescriptor::is_at(const std::filesystem::path& path) const {
  struct stat mine {
  }, there{};
  if (::fstat(fd_, &mine) != 0) throw io_error("read", shown_, errno);
  if (::stat(path.c_str(), &there) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return false;
    throw io_error("read", path, errno);
  }
  return mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

}  // namespace hodge
