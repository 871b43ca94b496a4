// The table of contents of a checkpoint: what the values are, and where they lie in the file. With
// it a checkpoint is read without HDF5, whose library does not withstand every file that someone
// might have made.
//
// A line per part:  KIND COUNT BEGIN CRC32 NAME
//
//   double 1 3000 89abcdef state/time
//
// KIND: double, integer (of 64 bits), text (its bytes, the last one is zero), list (doubles).
// Little endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace hodge::sim {

enum class PartKind { number, integer, text, list };

// "double", ...
std::string_view name_of(PartKind kind);

struct CheckpointPart {
  std::string name;
  PartKind kind = PartKind::number;
  std::uint64_t count = 0;  // values
  std::uint64_t begin = 0;  // the first byte in the file
  std::uint32_t crc32 = 0;
};

std::string contents_text(std::span<const CheckpointPart> parts);

// The bytes of a part.
std::uint64_t bytes_of(const CheckpointPart& part);

// The parts by name, all of them within the `file_bytes` of the file. Errors: IoError with the line
// that says something else.
using CheckpointContents = std::map<std::string, CheckpointPart, std::less<>>;
CheckpointContents read_contents(std::string_view text, std::uint64_t file_bytes,
                                 const std::filesystem::path& path);

}  // namespace hodge::sim
