#include "sim/app/output/xml_tags.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace hodge::sim {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string resolved(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, char>, 4> marks{
      {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}}};
  std::string result;
  while (!text.empty()) {
    char c = text[0];
    std::size_t length = 1;
    for (const auto& [mark, meaning] : marks)
      if (text.starts_with(mark)) {
        c = meaning;
        length = mark.size();
      }
    result += c;
    text.remove_prefix(length);
  }
  return result;
}

// `text`: what stands between < and >.
XmlTag tag_of(std::string_view text) {
  const std::size_t end = std::min(text.find_first_of(" \t\r\n/"), text.size());
  XmlTag tag{std::string(text.substr(0, end)), {}};
  text.remove_prefix(end);
  for (;;) {
    const std::size_t begin = text.find_first_not_of(blanks);
    const std::size_t equal = text.find("=\"");
    if (begin == std::string_view::npos || equal == std::string_view::npos || equal < begin) break;
    const std::size_t close = text.find('"', equal + 2);
    if (close == std::string_view::npos) break;
    tag.attributes[std::string(text.substr(begin, equal - begin))] =
        resolved(text.substr(equal + 2, close - equal - 2));
    text.remove_prefix(close + 1);
  }
  return tag;
}

}  // namespace

std::string XmlTag::attribute(const std::string& key) const {
  const auto found = attributes.find(key);
  return found == attributes.end() ? "" : found->second;
}

std::vector<XmlTag> xml_tags(std::string_view text) {
  std::vector<XmlTag> tags;
  for (;;) {
    const std::size_t open = text.find_first_not_of(blanks);
    if (open == std::string_view::npos || text[open] != '<') return tags;
    const std::string_view end = text.substr(open).starts_with("<!DOCTYPE") ? "]>" : ">";
    const std::size_t close = text.find(end, open);
    if (close == std::string_view::npos) return tags;
    const std::string_view inside = text.substr(open + 1, close - open - 1);
    if (!inside.starts_with('/') && !inside.starts_with('?') && !inside.starts_with('!'))
      tags.push_back(tag_of(inside));
    text.remove_prefix(close + end.size());
  }
}

}  // namespace hodge::sim
