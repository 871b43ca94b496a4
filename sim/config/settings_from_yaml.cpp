#include "sim/config/settings_from_yaml.hpp"

#include <algorithm>
#include <filesystem>

#include "sim/config/output_fields.hpp"
#include "sim/config/overrides.hpp"
#include "sim/config/sections.hpp"
#include "sim/config/text.hpp"
#include "sim/operators/convection.hpp"

namespace hodge::sim {
namespace {

linalg::SolverSettings default_pressure_solver() {
  return {.method = "cg",
          .preconditioner = {.kind = "ssor_sai", .order = 2, .omega = 1.5},
          .tolerance = 1e-8,
          .absolute_tolerance = 1e-12,
          .max_iterations = 5000,
          .fallback = {}};
}

linalg::SolverSettings default_transport_solver() {
  return {.method = "bicgstab",
          .preconditioner = {.kind = "jacobi"},
          .tolerance = 1e-8,
          .absolute_tolerance = 1e-12,
          .max_iterations = 500,
          .fallback = {"gmres"}};
}

// The name of the case is read before everything else: parameters and dimensions hang on it.
const CaseSchema& chosen_case(const YamlNode& root, std::span<const CaseSchema> cases) {
  static const CaseSchema none;
  const YamlNode* value = root.find("case");
  if (value == nullptr) return none;  // read_map says so
  std::string name;
  one_of(name, "case", names_of(cases)).read(*value, "case");
  return *std::find_if(cases.begin(), cases.end(),
                       [&](const CaseSchema& entry) { return entry.name == name; });
}

void check_case(const YamlNode& root, const CaseSchema& chosen, const Settings& settings) {
  try {
    chosen.check(settings);
  } catch (const ConfigError& error) {
    throw config_error(root.find("grid")->place, "{}", one_line(error.what()));
  }
}

ValueReader device_name(std::string& out) {
  const std::string expected = "auto, cpu, cuda or cuda:N";
  return {expected, [&out, expected](const YamlNode& value, const std::string& path) {
            const bool good = value.kind == YamlNode::Kind::scalar && is_device_name(value.scalar);
            if (!good) throw wrong_value(value, path, expected);
            out = value.scalar;
          }};
}

}  // namespace

Settings default_settings() {
  Settings settings;
  settings.pressure = default_pressure_solver();
  settings.transport = default_transport_solver();
  settings.scalars = default_transport_solver();
  return settings;
}

bool is_device_name(const std::string& name) {
  if (name == "auto" || name == "cpu" || name == "cuda") return true;
  const std::string prefix = "cuda:";
  const bool numbered =
      name.starts_with(prefix) && name.size() > prefix.size() && name.size() <= prefix.size() + 4;
  return numbered && std::all_of(name.begin() + prefix.size(), name.end(),
                                 [](char c) { return c >= '0' && c <= '9'; });
}

Settings settings_from_yaml(const YamlNode& root, const std::string& name,
                            std::span<const CaseSchema> cases) {
  Settings settings = default_settings();
  settings.output.directory = "output/" + name;
  const CaseSchema& chosen = chosen_case(root, cases);
  for (const ParameterSchema& parameter : chosen.parameters) {
    settings.parameters[parameter.name] = parameter.default_value;
  }
  read_map(
      root, "",
      {required("case", one_of(settings.case_name, "case", names_of(cases))),
       optional("parameters", parameters_section(settings.parameters, chosen)),
       required("grid", grid_section(settings.grid, chosen)),
       optional("solids", solids_section(settings.solids, settings.grid)),
       optional("forces", forces_section(settings.forces, settings.grid)),
       required("time", time_section(settings.time)),
       optional("convection",
                map_of({required("scheme", one_of(settings.convection_scheme, "convection scheme",
                                                  names_of(convection_table())))})),
       optional("solvers",
                map_of({optional("pressure", solver_section(settings.pressure, true)),
                        optional("transport", solver_section(settings.transport, false))})),
       optional("output", output_section(settings.output)),
       optional("probes", probes_section(settings.probes, settings.grid, settings.time,
                                         names_of(output_field_table()))),
       optional("device", device_name(settings.device))});
  check_case(root, chosen, settings);
  return settings;
}

Settings load_settings(const ConfigSource& source, std::span<const CaseSchema> cases) {
  YamlNode root = load_yaml(source.file);
  apply_overrides(root, source.overrides);
  return settings_from_yaml(root, std::filesystem::path(source.file).stem().string(), cases);
}

}  // namespace hodge::sim
