#include <charconv>

#include "sim/app/config/yaml_tree.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

std::vector<std::string> split_at_dots(const std::string& path) {
  std::vector<std::string> keys(1);
  for (const char c : path)
    if (c == '.')
      keys.emplace_back();
    else
      keys.back() += c;
  return keys;
}

YamlNode& list_item(YamlNode& list, const std::string& key, const Place& place) {
  std::size_t index = 0;
  const char* const last = key.data() + key.size();
  const auto [end, error] = std::from_chars(key.data(), last, index);
  if (error != std::errc() || end != last || index > list.items.size())
    throw config_error(place,
                       "{} is no item of a list of {}, expected a number from 0; {} adds one",
                       quote(key), list.items.size(), list.items.size());
  if (index == list.items.size()) list.items.push_back({YamlNode::Kind::null, place});
  return list.items[index];
}

// The value behind a key, added where it is missing. What is added belongs to the override, and so
// does its place.
YamlNode& map_value(YamlNode& map, const std::string& key, const Place& place) {
  for (YamlEntry& entry : map.entries)
    if (entry.key.scalar == key) return entry.value;
  map.entries.push_back({{YamlNode::Kind::scalar, place, key}, {YamlNode::Kind::null, place}});
  return map.entries.back().value;
}

void apply_override(YamlNode& root, const std::string& assignment, const std::string& option) {
  const std::string source = option + " " + assignment;
  const Place place{std::make_shared<const std::string>(source), 0, 0};
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw config_error(place, "expected key=value, for example time.end=5");
  YamlNode* target = &root;
  for (const std::string& key : split_at_dots(assignment.substr(0, equals))) {
    if (key.empty()) throw config_error(place, "an empty key, expected key.key=value");
    if (target->kind == YamlNode::Kind::scalar)
      throw config_error(place, "{} is asked of {}, which is a single value and has no keys",
                         quote(key), quote(target->scalar));
    if (target->kind == YamlNode::Kind::null)
      target->kind = key == "0" ? YamlNode::Kind::list : YamlNode::Kind::map;
    target = target->kind == YamlNode::Kind::list ? &list_item(*target, key, place)
                                                  : &map_value(*target, key, place);
  }
  *target = parse_yaml(assignment.substr(equals + 1), source, false);
  if (target->kind == YamlNode::Kind::null)
    throw config_error(place, "no value after '=', expected key=value");
}

}  // namespace

void apply_overrides(YamlNode& root, const std::vector<std::string>& assignments,
                     const std::string& option) {
  for (const std::string& assignment : assignments) apply_override(root, assignment, option);
}

}  // namespace hodge::sim
