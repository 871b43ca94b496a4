#include "sim/app/config/overrides.hpp"

#include <charconv>

#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

std::vector<std::string> split_at_dots(const std::string& path) {
  std::vector<std::string> keys;
  std::size_t begin = 0;
  for (std::size_t dot = path.find('.'); dot != std::string::npos; dot = path.find('.', begin)) {
    keys.push_back(path.substr(begin, dot - begin));
    begin = dot + 1;
  }
  keys.push_back(path.substr(begin));
  return keys;
}

YamlNode& list_item(YamlNode& list, const std::string& key, const Place& place) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), index);
  if (error != std::errc() || end != key.data() + key.size() || index > list.items.size()) {
    throw config_error(place,
                       "{} is no item of a list of {}, expected a number from 0; {} adds one",
                       quote(key), list.items.size(), list.items.size());
  }
  if (index == list.items.size()) {
    list.items.emplace_back();
    list.items.back().place = place;
  }
  return list.items[index];
}

// The value behind a key, added where it is missing. What is added belongs to the override, and so
// does its place.
YamlNode& map_value(YamlNode& map, const std::string& key, const Place& place) {
  for (YamlEntry& entry : map.entries) {
    if (entry.key.scalar == key) return entry.value;
  }
  YamlEntry added;
  added.key.kind = YamlNode::Kind::scalar;
  added.key.place = place;
  added.key.scalar = key;
  added.value.place = place;
  map.entries.push_back(std::move(added));
  return map.entries.back().value;
}

}  // namespace

void apply_override(YamlNode& root, const std::string& assignment) {
  const std::string source = "--set " + assignment;
  const Place place{std::make_shared<const std::string>(source), 0, 0};
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0) {
    throw config_error(place, "expected key=value, for example time.end=5");
  }
  YamlNode* target = &root;
  for (const std::string& key : split_at_dots(assignment.substr(0, equals))) {
    if (key.empty()) throw config_error(place, "an empty key, expected key.key=value");
    switch (target->kind) {
      case YamlNode::Kind::list:
        target = &list_item(*target, key, place);
        break;
      case YamlNode::Kind::scalar:
        throw config_error(place, "{} is asked of {}, which is a single value and has no keys",
                           quote(key), quote(target->scalar));
      case YamlNode::Kind::null:
        target->kind = key == "0" ? YamlNode::Kind::list : YamlNode::Kind::map;
        target = key == "0" ? &list_item(*target, key, place) : &map_value(*target, key, place);
        break;
      case YamlNode::Kind::map:
        target = &map_value(*target, key, place);
    }
  }
  *target = parse_yaml(assignment.substr(equals + 1), source, false);
  if (target->kind == YamlNode::Kind::null) {
    throw config_error(place, "no value after '=', expected key=value");
  }
}

void apply_overrides(YamlNode& root, const std::vector<std::string>& assignments) {
  for (const std::string& assignment : assignments) apply_override(root, assignment);
}

}  // namespace hodge::sim
