#include "linalg/files/read_file.hpp"

#include <algorithm>

#include "linalg/files/file_reader.hpp"

namespace hodge {

std::string read_file(const std::filesystem::path& path) {
  FileReader file(path);
  // One byte more than the expected size, so that the end is found without more room.
  std::string text(std::max<std::size_t>(1 << 16, file.bytes_on_disk() + 1), '\0');
  std::size_t filled = 0;
  for (;;) {
    filled += file.read(text.data() + filled, text.size() - filled);
    if (filled < text.size()) break;
    text.resize(2 * text.size());
  }
  text.resize(filled);
  return text;
}

}  // namespace hodge
