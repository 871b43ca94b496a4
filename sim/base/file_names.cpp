#include "sim/base/file_names.hpp"

#include <algorithm>

namespace hodge::sim {
namespace {

constexpr std::size_t longest_name = 120;  // bytes, as the pattern has it
constexpr std::string_view refused = "!\"#$&'*/:;<>?[\\]^`{|}\x7f";

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// Bytes of the character that the text begins with; 0 where it is none of UTF-8 (RFC 3629, table
// of Sec. 4, without its refinements for the second byte).
std::size_t character_bytes(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  if (first < 0x80) return 1;
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return 0;
  for (std::size_t i = 1; i < bytes; ++i)
    if (byte_at(text, i) >> 6 != 2) return 0;
  return bytes;
}

bool may_stand(std::string_view character) {
  return byte_at(character, 0) >= 0x20 && refused.find(character) == std::string_view::npos;
}

}  // namespace

std::string as_run_name(std::string_view text) {
  std::string name;
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(bytes, 1));
    const bool stays = bytes > 0 && may_stand(character) && !(name.empty() && character == ".");
    const std::string_view taken = stays ? character : "_";
    if (name.size() + taken.size() > longest_name) break;
    name += taken;
    text.remove_prefix(character.size());
  }
  return name.empty() ? "_" : name;
}

}  // namespace hodge::sim
