#include "tools/hodge/init/starter_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <vector>

#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/config/value_shape.hpp"
#include "sim/app/config/yaml_number.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "sim/base/text.hpp"

namespace hodge::tools {
namespace {

using sim::KeyShape;
using sim::ValueShape;
using sim::YamlNode;
using Kind = sim::ValueShape::Kind;

constexpr std::size_t comment_column = 31;
constexpr std::size_t longest_line = 80;  // of the brief form, with its comment
constexpr std::size_t most_names = 6;     // in a comment

// Behind a '#' in the brief form, beside what a case sets; sides of the box, too.
constexpr const char* edited_first[] = {
    "grid.lower", "grid.upper",        "time.scheme", "time.step",     "time.step.cfl",
    "convection", "convection.scheme", "output",      "output.fields", "output.frames.every",
};
// Where the brief form has an empty line.
constexpr const char* begins_part[] = {"case", "boundaries", "time", "output"};

bool is_among(std::span<const char* const> paths, const std::string& path) {
  return std::ranges::find(paths, path) != paths.end();
}

// The comment of a key, the longest first.
std::vector<std::string> comments_of(const KeyShape& key) {
  const std::vector<std::string>& names = key.value.names;
  std::vector<std::string> comments;
  if (!names.empty() && names.size() <= most_names)
    comments.push_back(key.description + ": " + sim::join(names));
  comments.push_back(key.description);
  for (std::size_t end; (end = comments.back().find_last_of(";,:")) != std::string::npos;)
    comments.push_back(comments.back().substr(0, end));
  comments.emplace_back();
  return comments;
}

std::string sample_value(const ValueShape& shape);

std::string sample_number(const sim::Range& range) {
  if (range.contains(1)) return "1";
  if (std::isfinite(range.lower) && std::isfinite(range.upper))
    return sim::yaml_number(0.5 * (range.lower + range.upper));
  return sim::yaml_number(std::isfinite(range.lower) ? range.lower + 1 : range.upper - 1);
}

std::string sample_list(const ValueShape& shape) {
  if (shape.fewest == 0 || shape.items.empty()) return "[]";
  const std::vector<std::string> items(shape.fewest, sample_value(shape.items[0]));
  return fmt::format("[{}]", sim::join(items));
}

// The keys that it needs; where it needs none those that have defaults.
std::string sample_map(const ValueShape& shape) {
  const bool needs_keys =
      std::ranges::any_of(shape.keys, [](const KeyShape& key) { return key.is_required; });
  std::vector<std::string> entries;
  for (const KeyShape& key : shape.keys)
    if (needs_keys ? key.is_required : !key.value.value.empty())
      entries.push_back(key.name + ": " + sample_value(key.value));
  return fmt::format("{{{}}}", fmt::join(entries, ", "));
}

// A value of a shape in one line: of maps the example, of all else the default; where there is
// none, something that is allowed.
std::string sample_value(const ValueShape& shape) {
  if (!shape.value.empty()) return shape.value;
  if (!shape.example.empty()) return shape.example;
  switch (shape.kind) {
    case Kind::number:
    case Kind::whole_number:
      return sample_number(shape.range);
    case Kind::formula:
      return "0";
    case Kind::text:
      return shape.names.empty() ? "name" : shape.names.front();
    case Kind::yes_or_no:
      return "false";
    case Kind::list:
      return sample_list(shape);
    case Kind::map:
      return sample_map(shape);
    case Kind::choice:
      return sample_value(shape.choices.front());
    case Kind::any:
      break;
  }
  return "";
}

// A value in one line. `plain`: without quotes, to compare.
std::string flow_text(const YamlNode& node, bool plain = false) {
  std::vector<std::string> parts;
  for (const YamlNode& item : node.items) parts.push_back(flow_text(item, plain));
  for (const auto& [key, value] : node.entries)
    parts.push_back(key.scalar + ": " + flow_text(value, plain));
  const std::string list = fmt::format("{}", fmt::join(parts, ", "));
  if (node.kind == YamlNode::Kind::list) return "[" + list + "]";
  if (node.kind == YamlNode::Kind::map) return "{" + list + "}";
  return node.quoted && !plain ? sim::double_quoted(node.scalar) : node.scalar;
}

// The file that sets what the case's starter says, and nothing else.
YamlNode file_of(const cases::Case& entry) {
  YamlNode root{YamlNode::Kind::map};
  std::vector<std::string> settings{std::string("case=") + entry.name};
  for (const auto& [path, value] : entry.starter) settings.push_back(path + "=" + value);
  sim::apply_overrides(root, settings);
  return root;
}

const YamlNode* find(const YamlNode& root, const std::string& path) {
  const YamlNode* node = &root;
  for (std::size_t begin = 0; node != nullptr && begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    node = node->find(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return node;
}

class StarterText {
 public:
  // `resolved` is the file with every default.
  StarterText(const cases::Case& entry, const YamlNode& resolved, StarterForm form)
      : starter_(entry.starter), resolved_(resolved), is_brief_(form == StarterForm::brief) {}

  void add_sections(const ValueShape& file) {
    for (const KeyShape& section : file.keys) {
      if (is_left_out(file, section, "")) continue;
      const bool begins_block = is_set(section, section.name);
      if (is_brief_ ? is_among(begins_part, section.name) : begins_block || was_block_)
        text_ += "\n";
      was_block_ = begins_block;
      add(section, section.name, 0);
    }
  }

  const std::string& text() const { return text_; }

 private:
  // What stands without '#'.
  bool is_set(const KeyShape& key, const std::string& path) const {
    return key.is_required || value_at(path) != nullptr || has_values_below(path) ||
           (path == "parameters" && !key.value.keys.empty());
  }

  void add(const KeyShape& key, const std::string& path, int indent) {
    if (const auto [setting, last] = in_one_line(key, path); last != nullptr) {
      line(indent, setting, *last);
    } else if (is_set(key, path)) {
      line(indent, key.name + ":", key);
      add_keys(key.value, path, indent + 2);
    } else {
      add_unset(key, path, indent);
    }
  }

  // A setting that fits into one line, and the key that its comment is about: a value, and in the
  // brief form a map of which one key is shown.
  std::pair<std::string, const KeyShape*> in_one_line(const KeyShape& key,
                                                      const std::string& path) const {
    if (!is_set(key, path) && !path.starts_with("parameters.")) return {};
    if (const std::string* const value = value_at(path)) return {key.name + ": " + *value, &key};
    if (!has_values_below(path) && path != "parameters")
      return {key.name + ": " + default_of(key, path).value_or(sample_value(key.value)), &key};
    const std::vector<const KeyShape*> keys = shown_keys(key.value, path);
    if (!is_brief_ || keys.size() != 1 || !key.value.named.empty()) return {};
    const auto [setting, last] = in_one_line(*keys[0], path + "." + keys[0]->name);
    return {fmt::format("{}: {{{}}}", key.name, setting), last};
  }

  void add_unset(const KeyShape& key, const std::string& path, int indent) {
    if (const auto value = default_of(key, path))
      line(indent, "# " + key.name + ": " + *value, key);
    else
      line(indent, "# " + key.name + ": " + sample_value(key.value), key, "example");
  }

  // What the key is where this file does not say it; none: the run is then without it.
  std::optional<std::string> default_of(const KeyShape& key, const std::string& path) const {
    if (path == "solvers.pressure.preconditioner") return std::nullopt;  // alone it means method cg
    const std::string& usual = key.value.value;
    const YamlNode* const found = find(resolved_, path);
    if (found == nullptr) return usual.empty() ? std::nullopt : std::optional(usual);
    const bool is_nothing = found->kind == YamlNode::Kind::list && found->items.empty();
    if (is_nothing && !key.value.example.empty()) return std::nullopt;
    const bool is_usual = !usual.empty() && flow_text(sim::parse_yaml(usual, "a default"), true) ==
                                                flow_text(*found, true);
    return is_usual ? usual : flow_text(*found);
  }

  void add_keys(const ValueShape& map, const std::string& path, int indent) {
    for (const KeyShape* key : shown_keys(map, path)) add(*key, path + "." + key->name, indent);
    if (map.named.empty()) return;
    for (const auto& [at, value] : starter_)
      if (at.starts_with(path + ".")) line(indent, at.substr(path.size() + 1) + ": " + value, {});
  }

  std::vector<const KeyShape*> shown_keys(const ValueShape& map, const std::string& path) const {
    std::vector<const KeyShape*> keys;
    for (const KeyShape& key : map.keys)
      if (!is_left_out(map, key, path)) keys.push_back(&key);
    return keys;
  }

  bool is_left_out(const ValueShape& map, const KeyShape& key, const std::string& path) const {
    const std::string at = path.empty() ? key.name : path + "." + key.name;
    if (is_set(key, at) || path == "parameters") return is_wrong_beside(map, key, path);
    if (is_brief_ && path != "boundaries" && !is_among(edited_first, at)) return true;
    return is_wrong_beside(map, key, path);
  }

  // What would make the file a wrong one, if it were set beside what is.
  bool is_wrong_beside(const ValueShape& map, const KeyShape& key, const std::string& path) const {
    const auto set = [&](const std::string& name) {
      const std::string at = path.empty() ? name : path + "." + name;
      return value_at(at) != nullptr || has_values_below(at);
    };
    if (set(key.name)) return false;
    const YamlNode* const cells = find(resolved_, "grid.cells");
    if (path.empty() && key.name == "turbulence" && cells != nullptr && cells->items.size() < 3)
      return true;
    const auto& one_key_of = map.one_key_of;
    if (std::ranges::count(map.never_alone, key.name) > 0) return true;
    if (std::ranges::count(one_key_of, key.name) > 0 && std::ranges::any_of(one_key_of, set))
      return true;
    if (key.name == "parameters" && key.value.keys.empty() && key.value.named.empty()) return true;
    return std::ranges::any_of(map.never_both, [&](const auto& pair) {
      return (pair.first == key.name && set(pair.second)) ||
             (pair.second == key.name && set(pair.first));
    });
  }

  void line(int indent, const std::string& setting, const KeyShape& key, const char* mark = "") {
    std::string line = std::string(static_cast<std::size_t>(indent), ' ') + setting;
    const std::size_t column = std::max(line.size() + 1, comment_column);
    for (std::string comment : comments_of(key)) {
      if (comment.empty() || *mark == '\0')
        comment = mark + comment;
      else
        comment = fmt::format("{}: {}", mark, comment);
      const auto fits_at = [&](std::size_t begin) {
        return !is_brief_ || begin + 2 + comment.size() <= longest_line;
      };
      if (comment.empty() || !fits_at(line.size() + 1)) continue;
      line.resize(fits_at(column) ? column : line.size() + 1, ' ');
      line += "# " + comment;
      break;
    }
    text_ += line + "\n";
  }

  const std::string* value_at(const std::string& path) const {
    for (const auto& [at, value] : starter_)
      if (path == at) return &value;
    return nullptr;
  }

  bool has_values_below(const std::string& path) const {
    return std::ranges::any_of(
        starter_, [&](const auto& value) { return value.path.starts_with(path + "."); });
  }

  const std::vector<cases::StarterValue>& starter_;
  const YamlNode& resolved_;
  const bool is_brief_;
  std::string text_;
  bool was_block_ = true;
};

std::string header(const cases::Case& entry, const std::string& file, StarterForm form) {
  const std::string more =
      form == StarterForm::brief
          ? fmt::format("`hodge init {} --all` writes every setting.", entry.name)
          : "Others are examples, and say so; sim/CONFIGURATION.md explains all.";
  return fmt::format(
      "# {}\n"
      "#   hodge check {}    # what it means, or its mistakes\n"
      "#   hodge run {}      # runs it\n"
      "# A commented setting shows its default: delete the '#' to change it.\n"
      "# {}\n"
      "# Units are the case's own: L length, T time, M mass, [c] unit of a scalar.\n",
      entry.description, file, file, more);
}

}  // namespace

std::string starter_text(const cases::Case& entry, std::span<const sim::CaseSchema> schemas,
                         const std::string& file, StarterForm form) {
  const std::string run = std::filesystem::path(file).stem().string();
  const sim::Settings settings = sim::settings_from_yaml(file_of(entry), run, schemas);
  const YamlNode resolved = sim::parse_yaml(sim::settings_to_yaml(settings), file);
  const auto schema = std::ranges::find(schemas, entry.name, &sim::CaseSchema::name);
  StarterText text(entry, resolved, form);
  text.add_sections(sim::file_shape(*schema, settings.grid, schemas));
  return header(entry, file, form) + text.text();
}

}  // namespace hodge::tools
