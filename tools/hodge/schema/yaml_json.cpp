#include "tools/hodge/schema/yaml_json.hpp"

#include <charconv>

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

}  // namespace hodge::tools
