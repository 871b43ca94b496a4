#include "linalg/files/open_input.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "linalg/base/errors.hpp"
#include "linalg/files/directories.hpp"

namespace hodge {

FileDescriptor open_input(const std::filesystem::path& file, std::string_view expected) {
  const std::string name = file.string() + ": cannot be read: ";
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened < 0) throw ConfigError(name + std::generic_category().message(errno));
  FileDescriptor input(opened, file);
  if (is_a_directory(file))
    throw ConfigError(name + "it is a directory, expected " + std::string(expected));
  return input;
}

FileDescriptor standard_input() {
  const int opened = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
  if (opened < 0) throw io_error("read", "<stdin>", errno);
  return {opened, "<stdin>"};
}

}  // namespace hodge
