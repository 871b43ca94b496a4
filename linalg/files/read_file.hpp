// Reads whole files, and unpacks those that are compressed with gzip (RFC 1952; recognised by the
// first two bytes, not by the file's name).
//
// Errors: IoError with the path and the reason if the file cannot be read, if its compressed data
// is damaged or ends too soon, or if it is compressed and this build has no zlib (HODGE_HAS_ZLIB is
// 0).
#pragma once

#include <filesystem>
#include <string>

namespace hodge {

std::string read_file(const std::filesystem::path& path);

}  // namespace hodge
