// Reads whole files into memory, unpacked where they are compressed with gzip. Errors: those of
// file_reader.hpp.
#pragma once

#include <filesystem>
#include <string>

namespace hodge {

std::string read_file(const std::filesystem::path& path);

}  // namespace hodge
