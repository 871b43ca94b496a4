#include "linalg/files/atomic_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <iostream>
#include <random>
#include <string>
#include <system_error>

#include "linalg/files/directories.hpp"
#include "linalg/files/file_descriptor.hpp"

namespace hodge {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t digits = 8;
constexpr std::string_view hexadecimal = "0123456789abcdef";
constexpr std::string_view ending = ".tmp";

std::string random_digits() {
  std::random_device random;
  std::string text(digits, '0');
  std::uint32_t bits = random();
  for (char& c : text) {
    c = hexadecimal[bits % 16];
    bits /= 16;
  }
  return text;
}

// 1 of /dev/stdout, and the number of any open file in /dev/fd; -1 of another path.
int descriptor_of(const fs::path& path) {
  if (path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  const std::string name = path.filename().string(), folder = path.parent_path().string();
  if (folder != "/dev/fd" && folder != "/proc/self/fd") return -1;
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() ? number : -1;
}

// Opened by its path, a file would be written from its begin, over what was written before.
void write_to_descriptor(int number, const fs::path& path,
                         const std::function<void(const fs::path&)>& write) {
  const int copy = ::memfd_create("hodge", MFD_CLOEXEC);
  if (copy < 0) throw io_error("write", path, errno);
  const fs::path in_memory = "/proc/self/fd/" + std::to_string(copy);
  FileDescriptor text(in_memory, O_RDONLY, path);
  ::close(copy);
  write("/proc/self/fd/" + std::to_string(text.number()));
  const std::string bytes = text.read_to_end();
  if (number == STDOUT_FILENO) {  // behind what was printed; the program looks at its errors
    std::cout << bytes << std::flush;
    return;
  }
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t n = ::write(number, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno != EINTR) throw io_error("write", path, errno);
    if (n > 0) done += static_cast<std::size_t>(n);
  }
}

// A new empty file beside `path`, removed at the end unless it has been renamed to it.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& path) : shown_(path), file_(make(path, name_)) {}
  ~TemporaryFile() {
    std::error_code ignored;
    if (!renamed_) fs::remove(name_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const fs::path& name() const { return name_; }

  // Synchronised through the descriptor that was open while it was written: an error of any of
  // these writes is then reported.
  void rename() {
    if (!file_.is_at(name_)) throw io_error("write", shown_, ENOENT);
    file_.synchronize();
    file_.close();
    if (::rename(name_.c_str(), shown_.c_str()) != 0) throw io_error("write", shown_, errno);
    renamed_ = true;
  }

 private:
  static FileDescriptor make(const fs::path& path, fs::path& name) {
    constexpr int attempts = 100;
    for (int i = 1;; ++i) {
      name = temporary_path(path);
      const bool is_taken = fs::exists(status_of_link(name));
      if (!is_taken || i == attempts)
        return FileDescriptor(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, path);
    }
  }

  fs::path shown_, name_;
  bool renamed_ = false;
  FileDescriptor file_;  // after name_, which make() sets
};

}  // namespace

bool is_written_directly(const fs::path& path) {
  if (descriptor_of(path) >= 0) return true;
  const fs::file_status status = status_of(path);
  return fs::is_fifo(status) || fs::is_character_file(status) || fs::is_socket(status);
}

fs::path temporary_path(const fs::path& path) {
  return path.parent_path() /
         ("." + path.filename().string() + "." + random_digits() + std::string(ending));
}

std::optional<std::string> name_behind(const fs::path& temporary) {
  const std::string name = temporary.filename().string();
  constexpr std::size_t tail = 1 + digits + ending.size();
  if (name.size() < 2 + tail || name[0] != '.' || !name.ends_with(ending)) return std::nullopt;
  const std::string_view between = std::string_view(name).substr(name.size() - tail, 1 + digits);
  if (between[0] != '.' || between.find_first_not_of(hexadecimal, 1) != std::string_view::npos)
    return std::nullopt;
  return name.substr(1, name.size() - 1 - tail);
}

// Some file systems cannot synchronise a directory, say so by EINVAL, and need not.
void synchronize_directory(const fs::path& directory) {
  const fs::path path = directory.empty() ? fs::path(".") : directory;
  FileDescriptor folder(path, O_RDONLY | O_DIRECTORY);
  int result = 0;
  do result = ::fsync(folder.number());
  while (result != 0 && errno == EINTR);
  if (result != 0 && errno != EINVAL) throw io_error("write into", path, errno);
  folder.close();
}

void write_file_atomically(const fs::path& path,
                           const std::function<void(const fs::path&)>& write) {
  if (const int number = descriptor_of(path); number >= 0)
    return write_to_descriptor(number, path, write);
  if (is_written_directly(path)) return write(path);
  TemporaryFile temporary(path);
  write(temporary.name());
  temporary.rename();
  synchronize_directory(path.parent_path());
}

void write_file_atomically(const fs::path& path, std::string_view text) {
  write_file_atomically(path, [text, &path](const fs::path& temporary) {
    FileDescriptor file(temporary, O_WRONLY | O_TRUNC, path);
    file.write(text);
    file.close();
  });
}

}  // namespace hodge
