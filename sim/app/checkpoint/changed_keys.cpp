#include "sim/app/checkpoint/changed_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/app/config/yaml_tree.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

// What a restart may change: how long the run lasts, how exactly it is solved, where files go.
constexpr std::array may_change{
    "time.end",      "time.steps",        "time.wall_clock", "time.step",
    "time.steady",   "solvers",           "compare",         "output.directory",
    "output.frames", "output.checkpoint", "device"};

bool is_free(const std::string& key) {
  return std::find(may_change.begin(), may_change.end(), key) != may_change.end();
}

std::string text_of(const YamlNode* node) {
  if (node == nullptr) return "not given";
  std::vector<std::string> parts;
  switch (node->kind) {
    case YamlNode::Kind::null:
      return "empty";
    case YamlNode::Kind::scalar:
      return one_line(node->scalar);
    case YamlNode::Kind::list:
      for (const YamlNode& item : node->items) parts.push_back(text_of(&item));
      return fmt::format("[{}]", fmt::join(parts, ", "));
    case YamlNode::Kind::map:
      for (const YamlEntry& entry : node->entries)
        parts.push_back(entry.key.scalar + ": " + text_of(&entry.value));
      return fmt::format("{{{}}}", fmt::join(parts, ", "));
  }
  return {};
}

std::optional<ChangedKey> compare(const std::string& key, const YamlNode* before,
                                  const YamlNode* now) {
  const auto is_map = [](const YamlNode* n) { return n && n->kind == YamlNode::Kind::map; };
  if (is_free(key)) return std::nullopt;
  if (!is_map(before) || !is_map(now)) {
    if (text_of(before) == text_of(now)) return std::nullopt;
    return ChangedKey{key, text_of(before), text_of(now)};
  }
  const auto below = [&](const YamlEntry& entry) {
    const std::string& name = entry.key.scalar;
    return compare(key.empty() ? name : key + "." + name, before->find(name), now->find(name));
  };
  for (const YamlNode* side : {now, before})
    for (const YamlEntry& entry : side->entries)
      if (auto change = below(entry)) return change;
  return std::nullopt;
}

}  // namespace

std::optional<ChangedKey> first_change(const std::string& before, const std::string& now) {
  const YamlNode old_tree = parse_yaml(before, "checkpoint", false);
  const YamlNode new_tree = parse_yaml(now, "settings", false);
  return compare("", &old_tree, &new_tree);
}

std::string keys_that_may_change() {
  return fmt::format("{}", fmt::join(may_change, ", "));
}

}  // namespace hodge::sim
