#include "sim/app/config/places.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>

#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

const YamlNode* item_of(const YamlNode& list, const std::string& number) {
  const std::size_t index = std::strtoul(number.c_str(), nullptr, 10);
  return index < list.items.size() ? &list.items[index] : nullptr;
}

// The value at the key, or the innermost one on the way to it.
const YamlNode& nearest_value(const YamlNode& file, const std::string& key) {
  const YamlNode* found = &file;
  for (std::size_t begin = 0; begin < key.size();) {
    const std::size_t end = std::min(key.find_first_of(".[]", begin), key.size());
    const std::string part = key.substr(begin, end - begin);
    begin = end + 1;
    if (part.empty()) continue;  // between ] and .
    const YamlNode* const next =
        found->kind == YamlNode::Kind::list ? item_of(*found, part) : found->find(part);
    if (next == nullptr) break;
    found = next;
  }
  return *found;
}

// Where the solids of a file are a map: solids.NAME in place of each solids[1].
std::string with_names_of_solids(const YamlNode& file, std::string text) {
  const std::string list = "solids[";
  const YamlNode* const solids = file.find("solids");
  if (solids == nullptr || solids->kind != YamlNode::Kind::map) return text;
  for (std::size_t at = 0; (at = text.find(list, at)) != std::string::npos; ++at) {
    const std::size_t first = at + list.size(), end = text.find(']', first);
    const std::size_t index = std::strtoul(text.c_str() + first, nullptr, 10);
    if (end != std::string::npos && index < solids->entries.size())
      text.replace(at, end + 1 - at, "solids." + solids->entries[index].key.scalar);
  }
  return text;
}

}  // namespace

const Place& place_of(const YamlNode& file, const std::string& key) {
  const YamlNode& value = nearest_value(file, with_names_of_solids(file, key));
  if (&value != &file) return value.place;
  for (const char* instead : {"parameters", "case"})
    if (const YamlNode* const node = file.find(instead)) return node->place;
  return file.place;
}

PlacedError placed(const YamlNode& file, const KeyError& error) {
  const std::string text = with_names_of_solids(file, one_line(error.what()));
  return config_error(place_of(file, error.key), "{}", text);
}

}  // namespace hodge::sim
