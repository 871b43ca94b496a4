#include "sim/app/config/settings_from_yaml.hpp"

#include <algorithm>
#include <filesystem>
#include <regex>

#include "sim/app/config/default_solvers.hpp"
#include "sim/app/config/file_reader.hpp"
#include "sim/app/config/overrides.hpp"

namespace hodge::sim {
namespace {

// The name of the case is read before everything else: parameters and dimensions hang on it.
const CaseSchema& chosen_case(const YamlNode& root, std::span<const CaseSchema> cases) {
  static const CaseSchema none = [] {
    CaseSchema schema;
    schema.described_in_file = true;
    return schema;
  }();
  const YamlNode* value = root.find("case");
  if (value == nullptr) return none;  // read_map says so, and all keys are known until then
  std::string name;
  one_of(name, "case", names_of(cases)).read(*value, "case");
  return *std::find_if(cases.begin(), cases.end(),
                       [&](const CaseSchema& entry) { return entry.name == name; });
}

}  // namespace

Settings default_settings() {
  Settings settings;
  settings.pressure = default_pressure_solver();
  settings.transport = default_transport_solver(false);
  settings.scalars = default_transport_solver(false);
  return settings;
}

bool is_device_name(const std::string& name) {
  return std::regex_match(name, std::regex(device_pattern));
}

Settings settings_from_yaml(const YamlNode& root, const std::string& name,
                            std::span<const CaseSchema> cases) {
  Settings settings = default_settings();
  settings.output.directory = "output/" + name;
  const CaseSchema& chosen = chosen_case(root, cases);
  for (const ParameterSchema& parameter : chosen.parameters) {
    settings.parameters[parameter.name] = parameter.default_value;
  }
  FileReader(root, chosen, settings).read(cases);
  return settings;
}

ValueShape file_shape(const CaseSchema& chosen, int dim, std::span<const CaseSchema> cases) {
  Settings settings = default_settings();
  settings.case_name = chosen.name;
  settings.custom.described_in_file = chosen.described_in_file;
  for (const ParameterSchema& parameter : chosen.parameters)
    settings.parameters[parameter.name] = parameter.default_value;
  settings.grid.dim = dim;
  for (int d = 0; d < dim; ++d)
    settings.grid.axes[d] = {.cells = 64, .lower = chosen.lower[d], .upper = chosen.upper[d]};
  YamlNode nothing;
  nothing.kind = YamlNode::Kind::map;
  return FileReader(nothing, chosen, settings).describe(cases);
}

Settings load_settings(const ConfigSource& source, std::span<const CaseSchema> cases) {
  YamlNode root = load_yaml(source.file);
  apply_overrides(root, source.overrides);
  return settings_from_yaml(root, std::filesystem::path(source.file).stem().string(), cases);
}

}  // namespace hodge::sim
