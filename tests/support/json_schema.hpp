// What a JSON schema says of a document: the part of draft 7 that hodge's schemas use. A keyword
// that is not known here is an error, so that nothing passes because nobody looked.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace hodge::test {

class JsonSchema {
 public:
  using Json = nlohmann::ordered_json;

  explicit JsonSchema(Json schema) : root_(std::move(schema)) {}

  // "/time/end: below the minimum"; empty for a document that the schema takes.
  std::vector<std::string> complaints(const Json& document) const {
    std::vector<std::string> found;
    check(root_, document, "", found);
    return found;
  }
  bool takes(const Json& document) const { return complaints(document).empty(); }

 private:
  using Found = std::vector<std::string>;

  void check(const Json& schema, const Json& value, const std::string& path, Found& found) const {
    if (schema.is_boolean()) {
      if (!schema.get<bool>()) found.push_back(path + ": not allowed");
      return;
    }
    for (const auto& [keyword, rule] : schema.items()) {
      const std::string complaint = check_keyword(schema, keyword, rule, value, path, found);
      if (!complaint.empty()) found.push_back(path + ": " + complaint);
    }
  }

  bool holds(const Json& schema, const Json& value) const {
    Found found;
    check(schema, value, "", found);
    return found.empty();
  }

  const Json& referred(const std::string& reference) const {
    const std::string prefix = "#/definitions/";
    if (!reference.starts_with(prefix)) throw std::runtime_error("no definition: " + reference);
    return root_.at("definitions").at(reference.substr(prefix.size()));
  }

  static bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "number") return value.is_number();
    if (type == "integer")
      return value.is_number_integer() ||
             (value.is_number() && value.get<double>() == std::floor(value.get<double>()));
    throw std::runtime_error("unknown type " + type);
  }

  static bool has_any_type(const Json& value, const Json& types) {
    if (types.is_string()) return has_type(value, types);
    return std::any_of(types.begin(), types.end(),
                       [&](const Json& type) { return has_type(value, type); });
  }

  std::string check_keyword(const Json& schema, const std::string& keyword, const Json& rule,
                            const Json& value, const std::string& path, Found& found) const {
    static const std::set<std::string> notes{"$schema", "title",       "description",
                                             "default", "definitions", "then"};
    static const std::set<std::string> of_numbers{"minimum", "maximum", "exclusiveMinimum",
                                                  "exclusiveMaximum"};
    if (notes.contains(keyword)) return "";
    if (of_numbers.contains(keyword)) return check_number(keyword, rule, value);
    if (keyword == "type") return has_any_type(value, rule) ? "" : "expected " + rule.dump();
    if (keyword == "enum" || keyword == "const") return check_names(keyword, rule, value);
    if (keyword == "$ref") return check(referred(rule), value, path, found), "";
    if (keyword == "pattern" || keyword == "minLength") return check_text(keyword, rule, value);
    if (keyword == "items" || keyword == "minItems" || keyword == "maxItems")
      return check_list(keyword, rule, value, path, found);
    if (keyword == "properties" || keyword == "required" || keyword == "additionalProperties" ||
        keyword == "propertyNames")
      return check_map(schema, keyword, rule, value, path, found);
    return check_combination(schema, keyword, rule, value, path, found);
  }

  static std::string check_number(const std::string& keyword, const Json& rule, const Json& value) {
    if (!value.is_number()) return "";
    const double x = value.get<double>(), bound = rule.get<double>();
    const bool good = keyword == "minimum"            ? x >= bound
                      : keyword == "maximum"          ? x <= bound
                      : keyword == "exclusiveMinimum" ? x > bound
                                                      : x < bound;
    return good ? "" : fmt::format("{} is against {} {}", x, keyword, bound);
  }

  static std::string check_names(const std::string& keyword, const Json& rule, const Json& value) {
    const bool good = keyword == "const" ? value == rule
                                         : std::find(rule.begin(), rule.end(), value) != rule.end();
    return good ? "" : value.dump() + " is none of " + rule.dump();
  }

  static std::string check_text(const std::string& keyword, const Json& rule, const Json& value) {
    if (!value.is_string()) return "";
    const std::string text = value;
    const bool good = keyword == "minLength"
                          ? text.size() >= rule.get<std::size_t>()
                          : std::regex_search(text, std::regex(std::string(rule)));
    return good ? "" : value.dump() + " is against " + keyword + " " + rule.dump();
  }

  std::string check_list(const std::string& keyword, const Json& rule, const Json& value,
                         const std::string& path, Found& found) const {
    if (!value.is_array()) return "";
    if (keyword == "minItems") return value.size() >= rule.get<std::size_t>() ? "" : "too short";
    if (keyword == "maxItems") return value.size() <= rule.get<std::size_t>() ? "" : "too long";
    for (std::size_t i = 0; i < value.size(); ++i)
      check(rule, value[i], fmt::format("{}/{}", path, i), found);
    return "";
  }

  std::string check_map(const Json& schema, const std::string& keyword, const Json& rule,
                        const Json& value, const std::string& path, Found& found) const {
    if (!value.is_object()) return "";
    if (keyword == "required") {
      for (const Json& key : rule)
        if (!value.contains(std::string(key))) return "no key " + std::string(key);
      return "";
    }
    const Json properties = schema.value("properties", Json::object());
    for (const auto& [key, entry] : value.items()) {
      const std::string at = path + "/" + key;
      if (keyword == "propertyNames") check(rule, Json(key), at, found);
      if (keyword == "properties" && rule.contains(key)) check(rule.at(key), entry, at, found);
      if (keyword == "additionalProperties" && !properties.contains(key))
        check(rule, entry, at, found);
    }
    return "";
  }

  std::string check_combination(const Json& schema, const std::string& keyword, const Json& rule,
                                const Json& value, const std::string& path, Found& found) const {
    if (keyword == "not") return holds(rule, value) ? "against not " + rule.dump() : "";
    if (keyword == "if") {
      if (holds(rule, value)) check(schema.at("then"), value, path, found);
      return "";
    }
    if (keyword == "allOf") {
      for (const Json& part : rule) check(part, value, path, found);
      return "";
    }
    if (keyword != "anyOf" && keyword != "oneOf")
      throw std::runtime_error("unknown keyword " + keyword);
    const auto count = std::count_if(rule.begin(), rule.end(),
                                     [&](const Json& part) { return holds(part, value); });
    const bool good = keyword == "anyOf" ? count > 0 : count == 1;
    return good ? "" : fmt::format("{} of {} hold of {}", count, rule.size(), keyword);
  }

  Json root_;
};

}  // namespace hodge::test
