#include "tools/hodge/schema/json_schema.hpp"

#include <fmt/format.h>

#include <cmath>
#include <regex>

namespace hodge::tools {
namespace {

using sim::KeyShape;
using sim::ValueShape;
using Kind = sim::ValueShape::Kind;

constexpr std::size_t small = 200;  // characters: a reference would hardly be shorter

Json number_schema(const sim::Range& range, Json type) {
  Json schema{{"type", std::move(type)}};
  if (std::isfinite(range.lower))
    schema[range.lower_open ? "exclusiveMinimum" : "minimum"] = range.lower;
  if (std::isfinite(range.upper))
    schema[range.upper_open ? "exclusiveMaximum" : "maximum"] = range.upper;
  return schema;
}

// What a file writes without quotes may look like a number to an editor and is a text all the same.
Json text_schema(const ValueShape& shape) {
  if (!shape.names.empty()) {
    const Json known{{"enum", shape.names}};
    if (!shape.other_names) return known;
    return {{"anyOf", {known, {{"type", "string"}, {"pattern", "^[A-Za-z_][A-Za-z0-9_]*$"}}}}};
  }
  Json schema{{"type", {"string", "number", "boolean"}}, {"minLength", 1}};
  if (shape.pattern.empty()) return schema;
  if (!std::regex_search("1", std::regex(shape.pattern))) schema["type"] = "string";
  schema["pattern"] = shape.pattern;
  return schema;
}

Json list_schema(const ValueShape& shape, const std::string& name, Definitions& definitions) {
  Json schema{{"type", "array"}};
  if (!shape.items.empty())
    schema["items"] = schema_of(shape.items[0], name + "_item", definitions);
  if (shape.fewest > 0) schema["minItems"] = shape.fewest;
  if (shape.most != std::numeric_limits<std::size_t>::max()) schema["maxItems"] = shape.most;
  return schema;
}

Json schema_of(const KeyShape& key, Definitions& definitions);

Json key_rules(const ValueShape& shape) {
  Json rules = Json::array();
  if (!shape.one_key_of.empty()) {
    Json one = Json::array();
    for (const std::string& key : shape.one_key_of) one.push_back({{"required", {key}}});
    rules.push_back({{"oneOf", one}});
  }
  for (const auto& [key, values, needed] : shape.needed_keys)
    rules.push_back({{"if", {{"properties", {{key, {{"enum", values}}}}}, {"required", {key}}}},
                     {"then", {{"required", {needed}}}}});
  for (const auto& [a, b] : shape.never_both) rules.push_back({{"not", {{"required", {a, b}}}}});
  return rules;
}

Json map_schema(const ValueShape& shape, const std::string& name, Definitions& definitions) {
  Json schema{{"type", "object"}};
  Json properties = Json::object(), required = Json::array();
  for (const KeyShape& key : shape.keys) {
    properties[key.name] = schema_of(key, definitions);
    if (key.is_required) required.push_back(key.name);
  }
  if (!shape.keys.empty()) schema["properties"] = properties;
  if (!required.empty()) schema["required"] = required;
  if (shape.named.empty()) {
    schema["additionalProperties"] = false;
  } else {
    schema["additionalProperties"] = schema_of(shape.named[0], name + "_value", definitions);
    schema["propertyNames"] = {{"pattern", shape.name_pattern}};
  }
  const Json rules = key_rules(shape);
  if (!rules.empty()) schema["allOf"] = rules;
  return schema;
}

Json schema_without_name(const ValueShape& shape, const std::string& name,
                         Definitions& definitions) {
  switch (shape.kind) {
    case Kind::any:
      return Json::object();
    case Kind::number:
      return number_schema(shape.range, "number");
    case Kind::whole_number:
      return number_schema(shape.range, "integer");
    case Kind::formula:
      return number_schema(shape.range, {"number", "string"});
    case Kind::text:
      return text_schema(shape);
    case Kind::yes_or_no:
      return {{"type", "boolean"}};
    case Kind::list:
      return list_schema(shape, name, definitions);
    case Kind::map:
      return map_schema(shape, name, definitions);
    case Kind::choice: {
      Json choices = Json::array();
      for (const ValueShape& choice : shape.choices)
        choices.push_back(schema_of(choice, name, definitions));
      return {{"anyOf", choices}};
    }
  }
  return Json::object();
}

// A number says what it may be; for others the schema itself is as clear.
std::string description_of(const KeyShape& key) {
  const bool is_number = key.value.kind == Kind::number || key.value.kind == Kind::whole_number ||
                         key.value.kind == Kind::formula;
  if (!is_number || key.value.expected.empty()) return key.description;
  if (key.description.empty()) return key.value.expected;
  return key.description + " (" + key.value.expected + ")";
}

Json schema_of(const KeyShape& key, Definitions& definitions) {
  Json schema = schema_without_name(key.value, key.name, definitions);
  const std::string description = description_of(key);
  if (!description.empty()) schema["description"] = description;
  if (!key.is_required && !key.value.value.empty())
    schema["default"] = json_of(sim::parse_yaml(key.value.value, key.name, false));
  return definitions.refer(key.name, std::move(schema));
}

}  // namespace

Json Definitions::refer(const std::string& name, Json schema) {
  const std::string text = schema.dump();
  if (text.size() < small) return schema;
  auto known = names_.find(text);
  if (known == names_.end()) {
    std::string free = name;
    for (int k = 2; all_.contains(free); ++k) free = fmt::format("{}_{}", name, k);
    known = names_.emplace(text, free).first;
    all_[free] = std::move(schema);
  }
  return {{"$ref", "#/definitions/" + known->second}};
}

Json schema_of(const ValueShape& shape, const std::string& name, Definitions& definitions) {
  return definitions.refer(name, schema_without_name(shape, name, definitions));
}

}  // namespace hodge::tools
