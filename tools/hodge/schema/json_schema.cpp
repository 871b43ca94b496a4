#include "tools/hodge/schema/json_schema.hpp"

#include <fmt/format.h>

#include <charconv>

#include "sim/app/config/schema.hpp"
#include "sim/app/config/settings_yaml.hpp"

namespace hodge::tools {
namespace {

template <typename T>
bool is_whole(std::string_view text, T& value) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// inf and nan are text in YAML, which writes .inf and .nan.
bool begins_as_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789+-.eE") == std::string::npos;
}

Json scalar(const sim::YamlNode& node) {
  const std::string& text = node.scalar;
  if (node.quoted) return text;
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  if (!begins_as_number(text)) return text;
  if (long whole = 0; is_whole(text, whole)) return whole;
  if (double number = 0; is_whole(text, number)) return number;
  return text;
}

// Holds for files of the case and, where it has several dimensions, of this one; without cells of
// the least. A case in the file has one for files that prescribe the velocity, and one for others.
Json condition(const sim::CaseSchema& entry, int dim, bool velocity_is_prescribed) {
  Json properties{{"case", {{"const", entry.name}}}};
  Json required{"case"};
  if (entry.dimensions.size() > 1) {
    const bool least = dim == entry.dimensions.front();
    const Json cells = least ? Json{{"maxItems", dim}} : Json{{"type", "array"}, {"minItems", dim}};
    properties["grid"] = {{"properties", {{"cells", cells}}}};
    if (!least) {
      properties["grid"]["required"] = {"cells"};
      required.push_back("grid");
    }
  }
  Json condition{{"properties", properties}, {"required", required}};
  if (velocity_is_prescribed)
    condition["required"].push_back("prescribed_velocity");
  else if (entry.described_in_file)
    condition["not"] = {{"required", {"prescribed_velocity"}}};
  return condition;
}

}  // namespace

Json json_of(const sim::YamlNode& node) {
  Json json;
  switch (node.kind) {
    case sim::YamlNode::Kind::null:
      break;
    case sim::YamlNode::Kind::scalar:
      return scalar(node);
    case sim::YamlNode::Kind::list:
      json = Json::array();
      for (const sim::YamlNode& item : node.items) json.push_back(json_of(item));
      break;
    case sim::YamlNode::Kind::map:
      json = Json::object();
      for (const sim::YamlEntry& entry : node.entries)
        json[entry.key.scalar] = json_of(entry.value);
      break;
  }
  return json;
}

Json json_schema(std::span<const sim::CaseSchema> cases) {
  Definitions definitions;
  Json properties{
      {"case", {{"enum", sim::names_of(cases)}, {"description", "`hodge cases` describes them"}}}};
  Json rules = Json::array();
  const auto add = [&](const sim::CaseSchema& entry, int dim, bool velocity_is_prescribed) {
    const sim::ValueShape file = sim::file_shape(entry, dim, cases, velocity_is_prescribed);
    // What editors offer before they know the case: the names of all sections.
    for (const sim::KeyShape& key : file.keys)
      if (!properties.contains(key.name)) properties[key.name] = {{"description", key.description}};
    const std::string name = fmt::format("{}_{}d", entry.name, dim);
    rules.push_back({{"if", condition(entry, dim, velocity_is_prescribed)},
                     {"then", schema_of(file, name, definitions)}});
  };
  for (const sim::CaseSchema& entry : cases)
    for (const int dim : entry.dimensions) {
      add(entry, dim, false);
      if (entry.described_in_file) add(entry, dim, true);
    }
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "configuration of hodge"},
          {"type", "object"},
          {"properties", properties},
          {"required", {"case", "grid", "time"}},
          {"allOf", rules},
          {"definitions", definitions.all()}};
}

}  // namespace hodge::tools
