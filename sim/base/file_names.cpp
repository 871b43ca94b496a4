#include "sim/base/file_names.hpp"

#include <algorithm>
#include <iterator>

namespace hodge::sim {
namespace {

constexpr std::size_t longest_name = 120;  // bytes, as the pattern has it
constexpr std::string_view refused = "!\"#$&'*/:;<>?[\\]^`{|}\x7f";

unsigned byte_at(std::string_view text, std::size_t at) {
  return static_cast<unsigned char>(text[at]);
}

// A character of UTF-8 (RFC 3629) at the beginning of a text; no bytes: there is none.
struct Character {
  std::size_t bytes = 0;
  unsigned long code = 0;
};

Character first_character(std::string_view text) {
  const unsigned first = byte_at(text, 0);
  if (first < 0x80) return {1, first};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
  unsigned long code = first & (0x7fU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if (byte_at(text, i) >> 6 != 2) return {};
    code = code << 6 | (byte_at(text, i) & 0x3fU);
  }
  constexpr unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  if (code < least[bytes] || code > 0x10ffff || is_surrogate) return {};
  return {bytes, code};
}

// First and last of the characters beyond ASCII that XML or terminals do not show as they are:
// controls, marks that turn the direction of the text, separators of lines, a byte order mark, and
// codes that stand for no character.
constexpr unsigned long invisible[][2] = {{0x80, 0x9f},     {0x61c, 0x61c},   {0x200e, 0x200f},
                                          {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfdd0, 0xfdef},
                                          {0xfeff, 0xfeff}};

bool may_stand(const Character& character) {
  const unsigned long code = character.code;
  if (character.bytes == 0 || code < 0x20) return false;
  if (code < 0x80) return refused.find(static_cast<char>(code)) == std::string_view::npos;
  const auto has_code = [code](const auto& range) { return code >= range[0] && code <= range[1]; };
  return (code & 0xfffe) != 0xfffe &&
         std::none_of(std::begin(invisible), std::end(invisible), has_code);
}

}  // namespace

std::string as_run_name(std::string_view text) {
  std::string name;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::size_t bytes = std::max<std::size_t>(character.bytes, 1);
    const bool stays = may_stand(character) && !(name.empty() && text[0] == '.');
    const std::string_view taken = stays ? text.substr(0, bytes) : "_";
    if (name.size() + taken.size() > longest_name) break;
    name += taken;
    text.remove_prefix(bytes);
  }
  const bool is_blank = name.find_first_not_of(' ') == std::string::npos;
  return is_blank ? "_" : name;
}

std::string as_folder_name(const std::string& text) {
  return text == "." || text == ".." ? as_run_name(text) : text;
}

}  // namespace hodge::sim
