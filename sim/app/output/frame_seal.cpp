#include "sim/app/output/frame_seal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "linalg/base/errors.hpp"
#include "sim/base/crc32.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

constexpr std::string_view begin =
    "<!-- hodge frame, CRC-32 of the file with zeros for its digits: ";
constexpr std::string_view zeros = "00000000";
constexpr std::string_view end = " -->\n";
constexpr std::size_t digits_at = xml_declaration.size() + begin.size();
constexpr std::size_t head_bytes = digits_at + zeros.size() + end.size();
constexpr std::size_t piece = 1 << 20;  // that is read at once

std::string digits_of(std::uint32_t sum) {
  return fmt::format("{:08x}", sum);
}

// Of the whole file, which has a seal.
std::string digits_of(FileDescriptor& file) {
  file.seek(0);
  std::string part(piece, '\0');
  std::uint32_t sum = 0;
  bool is_first = true;
  while (const std::size_t count = file.read_into(part.data(), part.size())) {
    if (is_first && count >= head_bytes) std::ranges::copy(zeros, part.begin() + digits_at);
    is_first = false;
    sum = crc32({part.data(), count}, sum);
  }
  return digits_of(sum);
}

}  // namespace

std::string blank_seal() {
  return fmt::format("{}{}{}", begin, zeros, end);
}

void seal_frame(FileDescriptor& file) {
  const std::string digits = digits_of(file);
  file.seek(digits_at);
  file.write(digits);
}

std::string sealed_frame(std::string text) {
  return text.replace(digits_at, zeros.size(), digits_of(crc32(text)));
}

void check_frame_seal(const std::filesystem::path& path, FileDescriptor& file) {
  file.seek(0);
  const std::string head = file.read(head_bytes);
  if (head.size() <= digits_at ||
      std::string_view(head).substr(xml_declaration.size(), begin.size()) != begin)
    return;
  if (digits_of(file) != std::string_view(head).substr(digits_at, zeros.size()))
    throw ConfigError(fmt::format(
        "{} is damaged: its checksum is not that of its bytes; it was cut off or changed since "
        "hodge wrote it",
        one_line(path.string())));
}

}  // namespace hodge::sim
