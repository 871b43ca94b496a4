// parameters: numbers, of which a case knows the names or, in the case custom, the file alone.
#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/base/formulas/names.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

void check_name(const YamlNode& key, const std::string& path,
                const std::map<std::string, double>& earlier) {
  const std::string refusal =
      key.kind == YamlNode::Kind::scalar ? name_refusal(key.scalar) : "it is no text";
  if (!refusal.empty())
    throw config_error(key.place, "{}: {} cannot be the name of a parameter: {}", path,
                       quote(key.scalar), refusal);
  if (earlier.contains(key.scalar))
    throw config_error(key.place, "{}: {} is given twice, expected once", path, quote(key.scalar));
}

// The command line changes parameters that the file has: another one would be a slip of the pen.
void check_added(const YamlNode& parameters, const YamlNode& key, const std::string& path) {
  const bool is_added = key.place.line == 0 && parameters.place.line != 0;
  if (!is_added) return;
  std::vector<std::string> known;
  for (const YamlEntry& entry : parameters.entries)
    if (entry.key.place.line != 0) known.push_back(entry.key.scalar);
  throw config_error(key.place, "{}: the file has no parameter {}, {}known: {}", path,
                     quote(key.scalar), suggestion(key.scalar, known), join(known));
}

// By their names, so that a file can be written without the table of cases.
std::string parameters_text(const std::map<std::string, double>& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += entry_text(name, number_text(value));
  return text.empty() ? "{}" : text;
}

}  // namespace

ValueReader parameters_section(std::map<std::string, double>& parameters,
                               const CaseSchema& chosen) {
  std::vector<Key> keys;
  for (const ParameterSchema& parameter : chosen.parameters) {
    keys.push_back(
        optional(parameter.name,
                 number(parameters[parameter.name], from_to(parameter.lower, parameter.upper)),
                 parameter.description));
  }
  ValueReader map = map_of(std::move(keys));
  map.write = [&parameters] { return parameters_text(parameters); };
  return map;
}

ValueReader free_parameters_section(std::map<std::string, double>& parameters) {
  const std::string expected = "a map of numbers, as {speed: 2}";
  return {expected,
          [&parameters, expected](const YamlNode& node, const std::string& path) {
            if (node.kind != YamlNode::Kind::map) throw wrong_value(node, path, expected);
            for (const auto& [key, value] : node.entries) {
              check_name(key, path, parameters);
              check_added(node, key, path);
              double number = 0;
              FormulaScope scope;
              scope.names.constants = parameters;
              constant(number, {}, scope).read(value, path + "." + key.scalar);
              parameters[key.scalar] = number;
            }
          },
          [] {
            double number = 0;
            ValueShape shape = with_default(constant(number, {}, {}), "").describe();
            return named_shape(shape, name_pattern, "{speed: 2}");
          },
          [&parameters] { return parameters_text(parameters); }};
}

}  // namespace hodge::sim
