#include "sim/output/file_descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace hodge::sim {

namespace {

constexpr mode_t permissions = 0666;  // less the umask

}  // namespace

IoError io_error(std::string_view verb, const std::filesystem::path& path, int error_number) {
  return IoError(fmt::format("cannot {} {}: {}", verb, path.string(),
                             std::generic_category().message(error_number)));
}

FileDescriptor::FileDescriptor(const std::filesystem::path& path, int flags,
                               std::filesystem::path shown)
    : shown_(std::move(shown)), fd_(::open(path.c_str(), flags | O_CLOEXEC, permissions)) {
  if (fd_ < 0) throw io_error("open", shown_, errno);
}

FileDescriptor::~FileDescriptor() {
  if (fd_ >= 0) ::close(fd_);
}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : shown_(std::move(other.shown_)), fd_(std::exchange(other.fd_, -1)), size_(other.size_) {}

void FileDescriptor::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(fd_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw io_error("write", shown_, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
    size_ += written;
  }
}

void FileDescriptor::synchronize() {
  if (::fsync(fd_) != 0) throw io_error("write", shown_, errno);
}

void FileDescriptor::truncate(long long bytes) {
  if (::ftruncate(fd_, bytes) != 0) throw io_error("shorten", shown_, errno);
  ::lseek(fd_, bytes, SEEK_SET);
  size_ = bytes;
}

}  // namespace hodge::sim
