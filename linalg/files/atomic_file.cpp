#include "linalg/files/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <system_error>

#include "linalg/files/file_descriptor.hpp"

namespace hodge {

namespace fs = std::filesystem;

fs::path temporary_path(const fs::path& path) {
  return path.parent_path() / ("." + path.filename().string() + ".tmp");
}

bool is_temporary(const fs::path& path) {
  return path.filename().string().starts_with('.') && path.extension() == ".tmp";
}

namespace {

// Pipes, devices and sockets cannot be replaced by a renamed file.
bool takes_writes_only(const fs::path& path) {
  std::error_code ignored;
  const fs::file_status status = fs::status(path, ignored);
  return fs::is_fifo(status) || fs::is_character_file(status) || fs::is_socket(status);
}

// So that the new name survives a loss of power. Failures are ignored: some file systems cannot
// synchronise a directory and need not.
void synchronize_directory(const fs::path& directory) {
  const FileDescriptor folder(directory.empty() ? fs::path(".") : directory,
                              O_RDONLY | O_DIRECTORY);
  ::fsync(folder.number());
}

}  // namespace

void write_file_atomically(const fs::path& path,
                           const std::function<void(const fs::path&)>& write) {
  if (takes_writes_only(path)) return write(path);
  const fs::path temporary = temporary_path(path);
  std::error_code error;
  try {
    write(temporary);
    FileDescriptor(temporary, O_RDONLY, path).synchronize();
    fs::rename(temporary, path, error);
    if (error) throw io_error("write", path, error.value());
    synchronize_directory(path.parent_path());
  } catch (...) {
    std::error_code ignored;
    fs::remove(temporary, ignored);
    throw;
  }
}

void write_file_atomically(const fs::path& path, std::string_view text) {
  write_file_atomically(path, [text, &path](const fs::path& temporary) {
    FileDescriptor(temporary, O_WRONLY | O_CREAT | O_TRUNC, path).write(text);
  });
}

}  // namespace hodge
