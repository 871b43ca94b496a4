#include "linalg/files/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <random>
#include <system_error>

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

// Pipes, devices and sockets cannot be replaced by a renamed file.
bool takes_writes_only(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::is_fifo(status) || fs::is_character_file(status) || fs::is_socket(status);
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
      std::error_code ignored;
      const bool is_taken = fs::exists(fs::symlink_status(name, ignored));
      if (!is_taken || i == attempts)
        return FileDescriptor(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, path);
    }
  }

  fs::path shown_, name_;
  bool renamed_ = false;
  FileDescriptor file_;  // after name_, which make() sets
};

}  // namespace

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
  if (takes_writes_only(path)) return write(path);
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
