// parameters: numbers, of which a case knows the names or, in the case custom, the file alone.
#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/app/config/yaml_number.hpp"
#include "sim/base/formulas/names.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

void check_name(const ConfigValue& key, const std::map<std::string, double>& earlier) {
  const std::string& name = key.node.scalar;
  const std::string refusal = key.is(YamlNode::Kind::scalar) ? name_refusal(name) : "it is no text";
  if (!refusal.empty())
    throw key.error(": {} cannot be the name of a parameter: {}", quote(name), refusal);
  if (earlier.contains(name)) throw key.error(": {} is given twice, expected once", quote(name));
}

// The command line changes parameters that the file has: another one would be a slip of the pen.
void check_added(const YamlNode& parameters, const ConfigValue& key) {
  const bool is_added = key.node.place.line == 0 && parameters.place.line != 0;
  if (!is_added) return;
  std::vector<std::string> known;
  for (const YamlEntry& entry : parameters.entries)
    if (entry.key.place.line != 0) known.push_back(entry.key.scalar);
  throw key.error(": the file has no parameter {}, {}known: {}", quote(key.node.scalar),
                  suggestion(key.node.scalar, known), join(known));
}

// By their names, so that a file can be written without the table of cases.
std::string parameters_text(const std::map<std::string, double>& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) text += entry_text(name, yaml_number(value));
  return text.empty() ? "{}" : text;
}

}  // namespace

ValueReader parameters_section(std::map<std::string, double>& parameters,
                               const CaseSchema& chosen) {
  std::vector<Key> keys;
  for (const auto& [name, default_value, lower, upper, description] : chosen.parameters)
    keys.push_back(optional(name, number(parameters[name], from_to(lower, upper)), description));
  ValueReader map = map_of(std::move(keys));
  map.write = [&parameters] { return parameters_text(parameters); };
  return map;
}

ValueReader free_parameters_section(Settings& settings) {
  std::map<std::string, double>& parameters = settings.parameters;
  InputFiles& inputs = settings.inputs;
  const std::string expected = "a map of numbers, as {speed: 2}";
  return {expected,
          [&parameters, &inputs, expected](const ConfigValue& map) {
            if (!map.is(YamlNode::Kind::map)) throw map.wrong(expected);
            for (const YamlEntry& entry : map.node.entries) {
              const std::string& name = entry.key.scalar;
              const ConfigValue key{entry.key, map.path, map.mistakes};
              const ConfigValue value{entry.value, map.path_of(name), map.mistakes};
              collect(value, [&] {
                check_name(key, parameters);
                check_added(map.node, key);
                double number = 0;
                const FormulaScope earlier{.names = {FormulaConstants::view(parameters), {}},
                                           .inputs = &inputs};
                if (collect(value, [&] { constant(number, {}, earlier).read(value); }))
                  parameters[name] = number;
              });
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
