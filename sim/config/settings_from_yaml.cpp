#include "sim/config/settings_from_yaml.hpp"

#include <algorithm>
#include <filesystem>

#include "sim/config/output_fields.hpp"
#include "sim/config/overrides.hpp"
#include "sim/config/sections.hpp"
#include "sim/config/text.hpp"
#include "sim/operators/convection.hpp"
#include "sim/time/schemes.hpp"

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

// Why a method for symmetric matrices cannot solve the transport systems; empty where it can.
std::string unsymmetric(const std::string& scheme) {
  if (find_time_scheme(scheme).family != TimeFamily::implicit) return "";
  return "scheme " + scheme + " makes none for what is carried (convection is implicit)";
}

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

linalg::SolverSettings symmetric_transport_solver() {
  linalg::SolverSettings solver = default_transport_solver();
  solver.method = "cg";
  solver.fallback = {};
  return solver;
}

// What the case says, with the place of the grid where it refuses.
template <typename Ask>
auto ask_case(const YamlNode& root, Ask ask) {
  try {
    return ask();
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

// The keys of a file in the order in which they are read: what others hang on comes first.
class FileReader {
 public:
  FileReader(const YamlNode& root, const CaseSchema& chosen, Settings& settings)
      : root_(root), chosen_(chosen), settings_(settings) {}

  void read(std::span<const CaseSchema> cases) {
    settings_.custom.described_in_file = chosen_.described_in_file;
    if (!chosen_.described_in_file) refuse_custom_keys(root_, chosen_.name);
    std::vector<Key> keys = {required("case", one_of(settings_.case_name, "case", names_of(cases))),
                             optional("parameters", parameters()),
                             required("grid", grid_section(settings_.grid, chosen_))};
    for (std::vector<Key> some : {problem_keys(), numerical_keys(), output_keys()})
      keys.insert(keys.end(), some.begin(), some.end());
    read_map(root_, "", keys);
    if (chosen_.described_in_file) check_custom(root_, settings_.custom);
    if (!fields_are_given_) complete_fields();
    ask_case(root_, [&] { chosen_.check(settings_); });
  }

 private:
  FormulaScope scope() const {
    return {.names = {settings_.parameters, {}}, .dim = settings_.grid.dim};
  }

  ValueReader parameters() {
    return chosen_.described_in_file ? free_parameters_section(settings_.parameters)
                                     : parameters_section(settings_.parameters, chosen_);
  }

  CaseContents contents() const {
    return ask_case(root_, [&] { return chosen_.contents(settings_); });
  }

  std::vector<Key> problem_keys() {
    CustomSettings& custom = settings_.custom;
    const bool all = chosen_.described_in_file;
    const Key scalars =
        optional("scalars", later("a map of scalars", [this, &custom, all] {
                   return scalars_section(custom.scalars, scope(), contents().scalars,
                                          all ? &custom.boundaries : nullptr);
                 }));
    if (!all) return {scalars};
    return {
        optional("prescribed_velocity",
                 later("a list of formulas",
                       [this, &custom] { return formulas(custom.prescribed_velocity, scope()); })),
        optional("fluid", later("a map with the key viscosity",
                                [this, &custom] { return fluid_section(custom, scope()); })),
        optional("force", later("a list of formulas",
                                [this, &custom] { return formulas(custom.force, scope()); })),
        optional("boundaries",
                 later("a map of sides",
                       [this, &custom] { return boundaries_section(custom, scope()); })),
        scalars,
        optional("initial", later("a map of formulas",
                                  [this, &custom] { return initial_section(custom, scope()); })),
        optional("exact", later("a map of formulas",
                                [this, &custom] { return exact_section(custom, scope()); }))};
  }

  std::vector<Key> numerical_keys() {
    const auto transport = [this](linalg::SolverSettings& solver) {
      return later("a map of settings", [this, &solver] {
        return solver_section(solver, unsymmetric(settings_.time.scheme));
      });
    };
    ValueReader time = time_section(settings_.time);
    time.read = [this, read = time.read](const YamlNode& node, const std::string& path) {
      read(node, path);
      if (unsymmetric(settings_.time.scheme).empty())
        settings_.transport = settings_.scalars = symmetric_transport_solver();
    };
    return {
        required("time", time),
        optional("convection",
                 map_of({required("scheme", one_of(settings_.convection_scheme, "convection scheme",
                                                   names_of(convection_table())))})),
        optional("solvers", map_of({optional("pressure", solver_section(settings_.pressure, "")),
                                    optional("transport", transport(settings_.transport)),
                                    optional("scalars", transport(settings_.scalars))}))};
  }

  std::vector<Key> output_keys() {
    return {optional("solids", solids_section(settings_.solids, settings_.grid)),
            optional("forces", forces_section(settings_.forces, settings_.grid)),
            optional("output", later("a map",
                                     [this] {
                                       fields_are_given_ =
                                           root_.find("output")->find("fields") != nullptr;
                                       return output_section(settings_.output, known_fields());
                                     })),
            optional("probes", later("a map with points or lines",
                                     [this] {
                                       return probes_section(settings_.probes, settings_.grid,
                                                             settings_.time, known_fields());
                                     })),
            optional("device", device_name(settings_.device))};
  }

  void add_scalars(const CaseContents& contents, std::vector<std::string>& fields) const {
    fields.insert(fields.end(), contents.scalars.begin(), contents.scalars.end());
    for (const CustomScalar& scalar : settings_.custom.scalars) fields.push_back(scalar.name);
  }

  std::vector<std::string> known_fields() const {
    std::vector<std::string> names = names_of(output_field_table());
    add_scalars(contents(), names);
    return names;
  }

  // Of a file that names none: scalars and solids, too, where there are any.
  void complete_fields() {
    const CaseContents contents = this->contents();
    add_scalars(contents, settings_.output.fields);
    if (contents.solids || !settings_.solids.empty()) settings_.output.fields.emplace_back("solid");
  }

  const YamlNode& root_;
  const CaseSchema& chosen_;
  Settings& settings_;
  bool fields_are_given_ = false;
};

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
  FileReader(root, chosen, settings).read(cases);
  return settings;
}

Settings load_settings(const ConfigSource& source, std::span<const CaseSchema> cases) {
  YamlNode root = load_yaml(source.file);
  apply_overrides(root, source.overrides);
  return settings_from_yaml(root, std::filesystem::path(source.file).stem().string(), cases);
}

}  // namespace hodge::sim
