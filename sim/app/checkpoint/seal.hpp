// The seal: the first 512 bytes of a checkpoint, text by which a file that was cut or changed is
// detected before anything else of it is read.
//
//   hodge checkpoint
//   format 3
//   bytes 123456           that follow the seal
//   contents 120000 3456   where the table of contents begins in the file, and its bytes
//   blake2b 0e5751c0...    BLAKE2b-256 of the bytes that follow the seal
//   seal 01234567          CRC-32 of the lines above; then blanks, and a last line end
//
// `tail -c +513 FILE | b2sum -l 256` computes the digest too.
//
// Errors: IoError for a file that is damaged, ConfigError for one that is no checkpoint or of
// another format.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "linalg/files/file_descriptor.hpp"

namespace hodge::sim {

inline constexpr int checkpoint_format = 3;
inline constexpr std::size_t seal_bytes = 512;

// A part of the file, counted from its first byte.
struct FilePart {
  std::uint64_t begin = 0, bytes = 0;
};

// The seal of what follows it.
std::string seal_text(int format, std::string_view contents, const FilePart& table);
// The same of what stands behind the first seal_bytes of a file, which is read in pieces.
std::string seal_of(const std::filesystem::path& path, FileDescriptor& file, const FilePart& table);

// Reads the whole file once, in pieces, and compares it with its seal. Returns where the table of
// contents lies: within the file.
FilePart check_seal(const std::filesystem::path& path, FileDescriptor& file);
void check_seal(const std::filesystem::path& path);
// The digest that the seal of a checkpoint has, which nothing is compared with.
std::string digest_in_seal(const std::filesystem::path& path);

}  // namespace hodge::sim
