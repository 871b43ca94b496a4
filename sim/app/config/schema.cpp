#include "sim/app/config/schema.hpp"

#include <algorithm>
#include <memory>

#include "sim/app/config/readers.hpp"
#include "sim/base/terms.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

std::string in_map(const std::string& path) {
  return path.empty() ? "" : " in " + path;
}

// What is wrong with a key that the map may not have, and what may have been meant.
std::string unknown_key(const ConfigValue& map, const std::string& key,
                        const std::vector<std::string>& known) {
  const KeyHint hint =
      map.mistakes == nullptr ? KeyHint() : map.mistakes->hint(map.path, key, known);
  const std::string there = quote(key) + in_map(map.path);
  const bool has_synonym = !known_synonym(key, known).empty();
  if (!hint.missing.empty() && !has_synonym)
    return fmt::format("{}: {} are not supported yet, ", there, hint.missing);
  std::string meant = has_synonym ? "" : hint.certain;
  if (meant.empty()) meant = suggestion(key, known);
  return fmt::format("unknown key {}, {}", there, meant.empty() ? hint.elsewhere : meant);
}

void check_known(const YamlNode& key, const ConfigValue& map,
                 const std::vector<std::string>& known) {
  if (key.kind != YamlNode::Kind::scalar)
    throw config_error(key.place, "a key{} is not a name, known keys: {}", in_map(map.path),
                       join(known));
  if (std::find(known.begin(), known.end(), key.scalar) == known.end())
    throw config_error(key.place, "{}known keys: {}", unknown_key(map, key.scalar, known),
                       join(known));
}

// Unknown keys, and those given twice. Of a key that is wrong already nothing more is told.
void check_given(const ConfigValue& map, const std::vector<std::string>& known) {
  const auto& entries = map.node.entries;
  for (auto entry = entries.begin(); entry != entries.end(); ++entry) {
    const YamlNode& key = entry->key;
    const std::string path = map.path_of(key.scalar);
    if (map.is_wrong_at(path)) continue;
    const auto same = [&](const YamlEntry& other) { return other.key.scalar == key.scalar; };
    collect({entry->value, path, map.mistakes}, [&] {
      check_known(key, map, known);
      const auto earlier = std::find_if(entries.begin(), entry, same);
      if (earlier != entry)
        throw config_error(key.place,
                           "the key {}{} is given twice, first in line {}, expected once",
                           quote(key.scalar), in_map(map.path), earlier->key.place.line);
    });
  }
}

// Whether an unknown key of the map is this one, misspelt: then it is not missing, too.
bool is_misspelt(const ConfigValue& map, const std::string& key,
                 const std::vector<std::string>& known) {
  const auto& entries = map.node.entries;
  return map.mistakes != nullptr &&
         std::any_of(entries.begin(), entries.end(), [&](const YamlEntry& entry) {
           return map.is_wrong_at(map.path_of(entry.key.scalar)) &&
                  nearest_name(entry.key.scalar, known) == key;
         });
}

void check_keys(const ConfigValue& map, const std::vector<Key>& keys) {
  const std::vector<std::string> known = names_of(keys);
  check_given(map, known);
  for (const Key& key : keys) {
    if (!key.is_required || map.has(key.name)) continue;
    collect({map.node, map.path_of(key.name), map.mistakes}, [&] {
      if (is_misspelt(map, key.name, known)) throw FollowsFromMistake();
      throw map.missing(key.name, key.value.expected);
    });
  }
}

}  // namespace

std::optional<ConfigValue> ConfigValue::find(const std::string& key) const {
  const YamlNode* const value = node.find(key);
  if (value == nullptr) return std::nullopt;
  return ConfigValue{*value, path_of(key), mistakes};
}

ConfigValue ConfigValue::item(std::size_t index) const {
  return {node.items[index], fmt::format("{}[{}]", path, index), mistakes};
}

std::string ConfigValue::path_of(const std::string& key) const {
  return path.empty() ? key : path + "." + key;
}

bool ConfigValue::is_wrong_at(std::string_view other_path) const {
  return mistakes != nullptr && mistakes->any_at(other_path);
}

PlacedError ConfigValue::missing(const std::string& key, const std::string& expected) const {
  return config_error(node.place, "missing key '{}'{}, expected {}", key, in_map(path), expected);
}

Key required(std::string name, ValueReader value, std::string description) {
  return {std::move(name), std::move(value), true, std::move(description)};
}

Key optional(std::string name, ValueReader value, std::string description) {
  return {std::move(name), std::move(value), false, std::move(description)};
}

bool collect(const ConfigValue& value, const std::function<void()>& read) {
  Mistakes* const mistakes = value.mistakes;
  if (mistakes == nullptr) {
    read();
    return true;
  }
  const std::size_t before = mistakes->count();
  try {
    read();
  } catch (const FollowsFromMistake&) {
    mistakes->add_untold(value.path);
  } catch (const PlacedError& error) {
    mistakes->add(value.path, error.place, error.what());
  } catch (const ConfigError& error) {
    const PlacedError placed = config_error(value.node.place, "{}", one_line(error.what()));
    mistakes->add(value.path, placed.place, placed.what());
  }
  return mistakes->count() == before;
}

void read_map(const ConfigValue& map, const std::vector<Key>& keys) {
  if (!map.is(YamlNode::Kind::map)) throw map.wrong("a map with the keys " + join(names_of(keys)));
  check_keys(map, keys);
  for (const Key& key : keys)
    if (const auto value = map.find(key.name)) collect(*value, [&] { key.value.read(*value); });
}

ValueReader later(std::string expected, std::function<ValueReader()> make) {
  return {std::move(expected), [make](const ConfigValue& value) { make().read(value); },
          [make] { return make().describe(); }, [make] { return make().write(); }};
}

ValueReader checked(ValueReader reader, Check check) {
  reader.read = [read = std::move(reader.read), check = std::move(check)](const auto& value) {
    if (collect(value, [&] { read(value); })) check(value);
  };
  return reader;
}

ValueReader hangs_on(std::vector<std::string> paths, ValueReader reader) {
  reader.read = [paths = std::move(paths), read = std::move(reader.read)](const auto& value) {
    const std::string map = value.path.substr(0, value.path.find_last_of('.'));
    for (const std::string& path : paths)
      if (value.is_wrong_at(path.starts_with('.') ? map + path : path)) throw FollowsFromMistake();
    read(value);
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

// Readers are copied into those of the maps around them: the keys are shared.
ValueReader map_of(std::vector<Key> keys, Check after) {
  const std::string expected = "a map with the keys " + join(names_of(keys));
  const auto all = std::make_shared<const std::vector<Key>>(std::move(keys));
  return {expected,
          [all, after = std::move(after)](const ConfigValue& value) {
            if (collect(value, [&] { read_map(value, *all); }) && after) after(value);
          },
          [all] { return map_shape(*all); }, [all] { return map_text(*all); }};
}

}  // namespace hodge::sim
