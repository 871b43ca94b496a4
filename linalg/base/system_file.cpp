#include "linalg/base/system_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace hodge::linalg {

std::string text_of_system_file(const char* path) {
  const int file = ::open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return "";
  std::string text;
  std::array<char, 4096> part{};
  ssize_t count = 0;
  while ((count = ::read(file, part.data(), part.size())) > 0 || (count < 0 && errno == EINTR))
    if (count > 0) text.append(part.data(), static_cast<std::size_t>(count));
  ::close(file);
  return count == 0 ? text : "";
}

}  // namespace hodge::linalg
