// Bytes as a file that is never on a disk, for readers that take a path.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace hodge::fuzz {

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : number_(memfd_create("input", 0)) {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t written = ::write(number_, bytes.data() + done, bytes.size() - done);
      if (written <= 0) __builtin_trap();
      done += static_cast<std::size_t>(written);
    }
  }
  ~MemoryFile() { ::close(number_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(number_); }

 private:
  int number_;
};

}  // namespace hodge::fuzz
