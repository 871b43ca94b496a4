// An open file of the operating system, closed when it goes out of scope.
//
// Errors: IoError with the path and the system's reason; the descriptor stays as it was. What was
// written is on the disk only after synchronize(). A file whose synchronize() has failed may have
// lost any of its unsynchronised bytes, and a later synchronize() would not notice: the system
// reports such an error once.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "linalg/base/errors.hpp"

namespace hodge {

// "cannot <verb> <path>: <reason>", the reason from errno.
IoError io_error(std::string_view verb, const std::filesystem::path& path, int error_number);

class FileDescriptor {
 public:
  // `flags` as for open(2). Messages name `path`, or `shown` instead of a temporary path.
  FileDescriptor(const std::filesystem::path& path, int flags)
      : FileDescriptor(path, flags, path) {}
  FileDescriptor(const std::filesystem::path& path, int flags, std::filesystem::path shown);
  FileDescriptor(int opened, std::filesystem::path shown)  // takes it over
      : shown_(std::move(shown)), fd_(opened) {}
  ~FileDescriptor();
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&&) = delete;

  // Writes all of the text, even if the system takes it in pieces.
  void write(std::string_view text);
  std::string read_to_end();           // from the present position; pipes too
  std::string read(std::size_t most);  // `most` bytes from there, fewer only at the end
  std::size_t read_into(char* to, std::size_t most);  // the same; returns how many
  void seek(long long position);                      // sets the position of the next read or write
  void seek_end();                                    // size() is then the size of the file
  long long bytes_on_disk() const;
  void synchronize();              // to the disk
  void truncate(long long bytes);  // drops all later bytes
  void close();                    // at once, with its errors; the destructor ignores them
  bool is_at(const std::filesystem::path& path) const;  // not removed, renamed or replaced
  int number() const { return fd_; }
  long long size() const { return size_; }  // bytes written, or up to the end that was sought

 private:
  std::size_t read_some(char* to, std::size_t most);
  std::filesystem::path shown_;
  int fd_ = -1;
  long long size_ = 0;
};

}  // namespace hodge
