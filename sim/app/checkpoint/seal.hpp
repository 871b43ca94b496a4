// The first 512 bytes of a checkpoint: text with the number of the bytes that follow and their
// CRC-32, so that a file that was cut or changed is detected before it is used.
//
//   hodge checkpoint
//   format 2
//   bytes 123456
//   crc32 89abcdef
//   seal 01234567          CRC-32 of the lines above; then blanks, and a last line end
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace hodge::sim {

inline constexpr std::size_t seal_bytes = 512;

std::string seal_text(int format, std::string_view contents);

// Reads the whole file once. Errors: IoError with what is wrong for a damaged file, ConfigError for
// one that is no checkpoint or of a format that this program does not know.
void check_seal(const std::filesystem::path& path);

}  // namespace hodge::sim
