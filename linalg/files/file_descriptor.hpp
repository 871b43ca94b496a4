// An open file of the operating system, closed when it goes out of scope.
//
// Errors: IoError with the path and the system's reason; the descriptor stays as it was.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "linalg/base/errors.hpp"

namespace hodge {

// "cannot <verb> <path>: <reason>", the reason from errno.
IoError io_error(std::string_view verb, const std::filesystem::path& path, int error_number);

class FileDescriptor {
 public:
  // `flags` as for open(2); messages name `path`, or what it stands for.
  FileDescriptor(const std::filesystem::path& path, int flags)
      : FileDescriptor(path, flags, path) {}
  FileDescriptor(const std::filesystem::path& path, int flags, std::filesystem::path shown);
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&&) = delete;

  // All of the text, also when the system takes it in pieces.
  void write(std::string_view text);
  std::string read_to_end();           // from where it stands; pipes too
  std::string read(std::size_t most);  // so many bytes from there, fewer only at the end
  void seek(long long position);       // of the next read or write
  void seek_end();                     // size() is then all that is there
  long long bytes_on_disk() const;
  void synchronize();              // to the disk
  void truncate(long long bytes);  // what lies beyond is dropped
  int number() const { return fd_; }
  long long size() const { return size_; }  // bytes written through this descriptor, or to its end

 private:
  std::filesystem::path shown_;
  int fd_ = -1;
  long long size_ = 0;
};

}  // namespace hodge
