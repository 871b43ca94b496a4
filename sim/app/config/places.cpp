#include "sim/app/config/places.hpp"

#include <algorithm>
#include <cstdlib>

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

}  // namespace

const Place& place_of(const YamlNode& file, const std::string& key) {
  const YamlNode& value = nearest_value(file, key);
  if (&value != &file) return value.place;
  for (const char* instead : {"parameters", "case"})
    if (const YamlNode* const node = file.find(instead)) return node->place;
  return file.place;
}

PlacedError placed(const YamlNode& file, const KeyError& error) {
  return config_error(place_of(file, error.key), "{}", one_line(error.what()));
}

}  // namespace hodge::sim
