#include "tools/hodge/init/starter_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/app/config/yaml_number.hpp"
#include "sim/base/text.hpp"

namespace hodge::tools {
namespace {

using sim::KeyShape;
using sim::ValueShape;
using Kind = sim::ValueShape::Kind;

constexpr std::size_t comment_column = 31;
constexpr std::size_t most_names = 6;  // in a comment

std::string comment_of(const KeyShape& key) {
  const std::vector<std::string>& names = key.value.names;
  if (names.empty() || names.size() > most_names) return key.description;
  return key.description + ": " + sim::join(names);
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

class StarterText {
 public:
  explicit StarterText(const cases::Case& entry) : starter_(entry.starter) {}

  void add_sections(const ValueShape& file) {
    for (const KeyShape& section : file.keys) {
      if (is_left_out(file, section, "")) continue;
      const bool begins_block = is_set(section, section.name);
      if (begins_block || was_block_) text_ += "\n";
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
    const std::string* const value = value_at(path);
    const bool is_parameter = path.starts_with("parameters.");
    if (value != nullptr) {
      line(indent, "", key.name + ": " + *value, comment_of(key));
    } else if (has_values_below(path) || (path == "parameters" && is_set(key, path))) {
      line(indent, "", key.name + ":", comment_of(key));
      add_keys(key.value, path, indent + 2);
    } else {
      const bool stands = key.is_required || is_parameter;
      line(indent, stands ? "" : "# ", key.name + ": " + sample_value(key.value), comment_of(key));
    }
  }

  void add_keys(const ValueShape& map, const std::string& path, int indent) {
    for (const KeyShape& key : map.keys)
      if (!is_left_out(map, key, path)) add(key, path + "." + key.name, indent);
    if (map.named.empty()) return;
    for (const auto& [at, value] : starter_)
      if (at.starts_with(path + "."))
        line(indent, "", at.substr(path.size() + 1) + ": " + value, "");
  }

  // What would make the file a wrong one, if it were set beside what is.
  bool is_left_out(const ValueShape& map, const KeyShape& key, const std::string& path) const {
    const auto set = [&](const std::string& name) {
      const std::string at = path.empty() ? name : path + "." + name;
      return value_at(at) != nullptr || has_values_below(at);
    };
    if (set(key.name)) return false;
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

  void line(int indent, const char* mark, const std::string& setting, const std::string& comment) {
    std::string line = std::string(static_cast<std::size_t>(indent), ' ') + mark + setting;
    if (!comment.empty()) {
      line.resize(std::max(line.size() + 1, comment_column), ' ');
      line += "# " + comment;
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
  std::string text_;
  bool was_block_ = true;
};

}  // namespace

std::string starter_text(const cases::Case& entry, const ValueShape& shape,
                         const std::string& file) {
  StarterText text(entry);
  text.add_sections(shape);
  return fmt::format(
             "# {}: {}\n"
             "#\n"
             "#   hodge check {}    # what this file means, or what is wrong with it\n"
             "#   hodge run {}      # runs it\n"
             "#\n"
             "# Lines behind a '#' are settings with their defaults, or with an example where "
             "there is\n"
             "# none: take the '#' away to set them. sim/CONFIGURATION.md explains all of them. "
             "Units are\n"
             "# the case's own: L a length, T a time, M a mass, [c] the unit of a scalar.\n",
             entry.name, entry.description, file, file) +
         text.text();
}

}  // namespace hodge::tools
