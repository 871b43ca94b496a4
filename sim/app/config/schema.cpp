#include "sim/app/config/schema.hpp"

#include <algorithm>

#include "sim/app/config/readers.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

std::string in_map(const std::string& path) {
  return path.empty() ? "" : " in " + path;
}

void check_known(const YamlNode& key, const std::string& path,
                 const std::vector<std::string>& known) {
  if (key.kind != YamlNode::Kind::scalar)
    throw config_error(key.place, "a key{} is not a name, known keys: {}", in_map(path),
                       join(known));
  if (std::find(known.begin(), known.end(), key.scalar) == known.end())
    throw config_error(key.place, "unknown key {}{}, {}known keys: {}", quote(key.scalar),
                       in_map(path), suggestion(key.scalar, known), join(known));
}

void check_keys(const ConfigValue& map, const std::vector<Key>& keys) {
  const std::vector<std::string> known = names_of(keys);
  const auto& entries = map.node.entries;
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
    const YamlNode& key = entry->key;
    check_known(key, map.path, known);
    const auto same = [&](const YamlEntry& other) { return other.key.scalar == key.scalar; };
    const auto earlier = std::find_if(entries.begin(), entry, same);
    if (earlier != entry)
      throw config_error(key.place, "the key {}{} is given twice, first in line {}, expected once",
                         quote(key.scalar), in_map(map.path), earlier->key.place.line);
  }
  for (const Key& key : keys)
    if (key.is_required && !map.has(key.name)) throw map.missing(key.name, key.value.expected);
}

}  // namespace

std::optional<ConfigValue> ConfigValue::find(const std::string& key) const {
  const YamlNode* const value = node.find(key);
  if (value == nullptr) return std::nullopt;
  return ConfigValue{*value, path.empty() ? key : path + "." + key};
}

ConfigValue ConfigValue::item(std::size_t index) const {
  return {node.items[index], fmt::format("{}[{}]", path, index)};
}

ConfigError ConfigValue::missing(const std::string& key, const std::string& expected) const {
  return config_error(node.place, "missing key '{}'{}, expected {}", key, in_map(path), expected);
}

Key required(std::string name, ValueReader value, std::string description) {
  return {std::move(name), std::move(value), true, std::move(description)};
}

Key optional(std::string name, ValueReader value, std::string description) {
  return {std::move(name), std::move(value), false, std::move(description)};
}

void read_map(const ConfigValue& map, const std::vector<Key>& keys) {
  if (!map.is(YamlNode::Kind::map)) throw map.wrong("a map with the keys " + join(names_of(keys)));
  check_keys(map, keys);
  for (const Key& key : keys)
    if (const auto value = map.find(key.name)) key.value.read(*value);
}

ValueReader later(std::string expected, std::function<ValueReader()> make) {
  return {std::move(expected), [make](const ConfigValue& value) { make().read(value); },
          [make] { return make().describe(); }, [make] { return make().write(); }};
}

ValueReader checked(ValueReader reader, Check check) {
  reader.read = [read = std::move(reader.read), check = std::move(check)](const auto& value) {
    read(value);
    check(value);
  };
  return reader;
}

ValueReader described(ValueReader reader, ShapeChange change) {
  reader.describe = [before = reader.describe, change = std::move(change)] {
    ValueShape shape = before();
    change(shape);
    return shape;
  };
  return reader;
}

ValueReader with_default(ValueReader reader, std::string yaml) {
  return described(std::move(reader), [yaml](ValueShape& shape) { shape.value = yaml; });
}

ValueReader with_example(ValueReader reader, std::string yaml) {
  return described(std::move(reader), [yaml](ValueShape& shape) { shape.example = yaml; });
}

ValueReader with_one_of(ValueReader map, std::vector<std::string> keys, std::string what,
                        std::string expected) {
  const auto check = [=](const ConfigValue& value) {
    const auto count = std::count_if(keys.begin(), keys.end(),
                                     [&](const std::string& key) { return value.has(key); });
    if (count != 1) throw value.error(" has {} {}, expected {}", count, what, expected);
  };
  return described(checked(std::move(map), check),
                   [keys](ValueShape& shape) { shape.one_key_of = keys; });
}

ValueReader never_with(ValueReader map, std::string key, std::string does,
                       std::vector<std::string> others, std::string they_do) {
  const auto check = [=](const ConfigValue& value) {
    for (const std::string& other : others)
      if (value.has(other))
        value.refuse(key, " {} and {}.{} {}, expected only one of them", does, value.path, other,
                     they_do);
  };
  return described(checked(std::move(map), check), [key, others](ValueShape& shape) {
    for (const std::string& other : others) shape.never_both.emplace_back(key, other);
  });
}

ValueReader of_length(ValueReader list, std::size_t length) {
  return described(std::move(list),
                   [length](ValueShape& shape) { shape.fewest = shape.most = length; });
}

ValueReader written_if(ValueReader reader, std::function<bool()> condition) {
  reader.write = [write = std::move(reader.write), condition = std::move(condition)] {
    return condition() ? write() : std::string();
  };
  return reader;
}

ValueReader in_quotes(ValueReader text) {
  text.write = [write = std::move(text.write)] {
    const std::string plain = write();
    return plain.empty() ? plain : double_quoted(plain);
  };
  return text;
}

ValueReader in_one_line(ValueReader map) {
  map.write = [write = std::move(map.write)] {
    std::string lines = write();
    if (lines.empty()) return lines;
    lines.pop_back();
    for (std::size_t end = 0; (end = lines.find('\n', end)) != std::string::npos; end += 2)
      lines.replace(end, 1, ", ");
    return "{" + lines + "}";
  };
  return map;
}

ValueShape map_shape(const std::vector<Key>& keys) {
  ValueShape shape{.kind = ValueShape::Kind::map};
  for (const Key& key : keys)
    shape.keys.push_back({key.name, key.description, key.is_required, key.value.describe()});
  return shape;
}

ValueShape named_shape(const ValueShape& value, std::string name_pattern, std::string example) {
  return {.kind = ValueShape::Kind::map,
          .example = std::move(example),
          .named = {value},
          .name_pattern = std::move(name_pattern)};
}

std::string map_text(const std::vector<Key>& keys) {
  std::string text;
  for (const Key& key : keys) {
    const std::string value = key.value.write();
    if (!value.empty()) text += entry_text(key.name, value);
  }
  return text;
}

ValueReader map_of(std::vector<Key> keys, Check after) {
  return {"a map with the keys " + join(names_of(keys)),
          [keys, after = std::move(after)](const ConfigValue& value) {
            read_map(value, keys);
            if (after) after(value);
          },
          [keys] { return map_shape(keys); }, [keys] { return map_text(keys); }};
}

}  // namespace hodge::sim
