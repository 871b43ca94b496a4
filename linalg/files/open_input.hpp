// Files that a user names. What cannot be opened is wrong input: ConfigError "FILE: cannot be read:
// why". Errors of reading what has been opened are those of file_descriptor.hpp.
#pragma once

#include <filesystem>
#include <string_view>

#include "linalg/files/file_descriptor.hpp"

namespace hodge {

FileDescriptor open_input(const std::filesystem::path& file, std::string_view expected);

FileDescriptor standard_input();  // messages name it <stdin>

}  // namespace hodge
