// The checksum that hodge's own frames carry: CRC-32 of the whole file, in a comment behind its
// first line, which VTK passes over:
//
//   <!-- hodge frame, CRC-32 of the file with zeros for its digits: 0a1b2c3d -->
//
// Frames of earlier versions and of other programs have none.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "linalg/files/file_descriptor.hpp"

namespace hodge::sim {

inline constexpr std::string_view xml_declaration = "<?xml version=\"1.0\"?>\n";

// The comment, with zeros.
std::string blank_seal();

// Puts the digits into a file that begins with xml_declaration + blank_seal(); reads and writes it.
void seal_frame(FileDescriptor& file);
// The same of a text.
std::string sealed_frame(std::string text);

// Errors: ConfigError where the file has a seal that is not that of its bytes.
void check_frame_seal(const std::filesystem::path& path, FileDescriptor& file);

}  // namespace hodge::sim
