#include "sim/app/config/file_reader.hpp"

#include "sim/app/config/default_solvers.hpp"
#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/app/config/settings_from_yaml.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/operators/convection.hpp"
#include "sim/discrete/operators/output_fields.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/stability.hpp"

namespace hodge::sim {
namespace {

// What the case says, with the place of the grid where it refuses.
template <typename Ask>
auto ask_case(const YamlNode& root, Ask ask) {
  try {
    return ask();
  } catch (const ConfigError& error) {
    const YamlNode* grid = root.find("grid");
    throw config_error(grid == nullptr ? root.place : grid->place, "{}", one_line(error.what()));
  }
}

// Why a method for symmetric matrices cannot solve the transport systems; empty where it can.
std::string unsymmetric(const std::string& scheme) {
  if (find_time_scheme(scheme).has_symmetric_transport()) return "";
  return "with " + scheme + " it is not (convection is implicit)";
}

}  // namespace

void FileReader::read(std::span<const CaseSchema> cases) {
  settings_.custom.described_in_file = chosen_.described_in_file;
  if (!chosen_.described_in_file) refuse_custom_keys(root_, custom_keys(), chosen_.name);
  read_map(root_, "", keys(cases));
  settle_step();
  if (chosen_.described_in_file) check_custom(root_, settings_.custom);
  const YamlNode* output = root_.find("output");
  if (output == nullptr || output->find("fields") == nullptr) complete_fields();
  ask_case(root_, [&] { chosen_.check(settings_); });
}

// The default of the CFL number and its largest value hang on both schemes.
void FileReader::settle_step() {
  const StablePair& pair = stability_of(settings_.time.scheme, settings_.convection_scheme);
  StepSettings& step = settings_.time.step;
  if (!step.size && !step.cfl) step.cfl = pair.default_cfl;
  if (!step.cfl || *step.cfl <= pair.largest_cfl) return;
  throw config_error(root_.find("time")->find("step")->find("cfl")->place,
                     "time.step.cfl is {}, expected at most {}: {} with {} convection is unstable "
                     "beyond it",
                     number_text(*step.cfl), number_text(pair.largest_cfl), pair.time,
                     pair.convection);
}

ValueShape FileReader::describe(std::span<const CaseSchema> cases) {
  ValueShape file = map_shape(keys(cases));
  if (chosen_.described_in_file) file.one_key_of = {"fluid", "prescribed_velocity"};
  return file;
}

std::string FileReader::write() {
  return map_text(keys({}));
}

std::vector<Key> FileReader::keys(std::span<const CaseSchema> cases) {
  const bool in_file = chosen_.described_in_file;
  std::vector<Key> keys = {
      required("case", one_of(settings_.case_name, "case", names_of(cases)),
               "`hodge cases` describes them; custom takes everything from this file"),
      optional(
          "parameters",
          in_file ? free_parameters_section(settings_.parameters)
                  : parameters_section(settings_.parameters, chosen_),
          in_file ? "names with numbers, which formulas then know" : "the numbers of the case"),
      required("grid", grid_section(settings_.grid, chosen_), "the box and its cells")};
  for (const std::vector<Key>& some : {problem_keys(), numerical_keys(), output_keys()})
    keys.insert(keys.end(), some.begin(), some.end());
  return keys;
}

FormulaScope FileReader::scope() const {
  return {.names = {settings_.parameters, {}}, .dim = settings_.grid.dim};
}

// What comes from a file for every case comes last: it may name what is before it.
std::vector<Key> FileReader::problem_keys() {
  std::vector<Key> keys;
  if (chosen_.described_in_file) keys = custom_keys();
  const ValueReader scalars = later("a map of scalars", [this] {
    CustomSettings& custom = settings_.custom;
    return scalars_section(custom.scalars, scope(), contents().scalars,
                           chosen_.described_in_file ? &custom.boundaries : nullptr);
  });
  keys.push_back(optional("scalars", scalars, "what the fluid carries, by name"));
  keys.push_back(optional("solids", solids_section(settings_.solids, settings_.grid),
                          "bodies in the fluid, each of one shape"));
  keys.push_back(optional("forces", forces_section(settings_.forces, settings_.grid),
                          "scales of drag and lift coefficients in forces.csv"));
  return keys;
}

std::vector<Key> FileReader::custom_keys() {
  CustomSettings& custom = settings_.custom;
  const auto section = [this](auto make) {
    return later("a map", [this, make] { return make(settings_.custom, scope()); });
  };
  // What is solved for only without a prescribed velocity.
  const auto of_momentum = [&custom](const ValueReader& reader) {
    return written_if(reader, [&custom] { return !custom.prescribed_velocity; });
  };
  const ValueReader prescribed = later("a list of formulas", [this, &custom] {
    return formulas(custom.prescribed_velocity, scope());
  });
  const ValueReader force =
      later("a list of formulas", [this, &custom] { return formulas(custom.force, scope()); });
  return {optional("prescribed_velocity", prescribed,
                   "instead of fluid: only scalars are solved for; formulas of x, y, z, t; L/T"),
          optional("fluid", of_momentum(section(fluid_section)), "what flows"),
          optional("force", of_momentum(force), "per unit of mass, formulas of x, y, z, t; L/T^2"),
          optional("boundaries", section(boundaries_section),
                   "what each side of the box is; without: a wall at rest"),
          optional("initial", of_momentum(section(initial_section)),
                   "the state at t = 0; without: at rest"),
          optional("exact", section(exact_section), "the exact solution, where it is known")};
}

ValueReader FileReader::solvers() {
  const auto system = [this](SystemSettings& solver) {
    const bool projects = &solver == &settings_.pressure;
    return later("a map of settings", [this, &solver, projects] {
      return solver_section(solver, projects ? "" : unsymmetric(settings_.time.scheme), projects);
    });
  };
  return map_of(
      {optional("pressure", system(settings_.pressure),
                "the Poisson system of the pressure, symmetric"),
       optional("transport", system(settings_.transport), "a system for each velocity component"),
       optional("scalars", system(settings_.scalars), "a system for each scalar")});
}

std::vector<Key> FileReader::numerical_keys() {
  // The default solvers hang on the scheme.
  const auto set_solvers = [this](const YamlNode&, const std::string&) {
    const bool symmetric = unsymmetric(settings_.time.scheme).empty();
    settings_.transport = settings_.scalars = default_transport_solver(symmetric);
  };
  const ValueReader compare = optional_value(settings_.compare, [this](CompareSettings& out) {
    return compare_section(out, settings_, unsymmetric(settings_.time.scheme).empty());
  });
  const ValueReader scheme =
      one_of(settings_.convection_scheme, "convection scheme", names_of(convection_table()));
  return {
      required("time", checked(time_section(settings_.time), set_solvers), "scheme, end, step"),
      optional("convection", map_of({required("scheme", scheme, "`hodge schemes` describes them")}),
               "of velocity and scalars alike"),
      optional("solvers", solvers(), "of the linear systems"),
      optional("compare", compare, "other solvers on the same systems; the run is not changed")};
}

std::vector<Key> FileReader::output_keys() {
  const ValueReader device =
      text_like(settings_.device, "auto, cpu, cuda or cuda:N", device_pattern);
  const ValueReader output =
      later("a map", [this] { return output_section(settings_.output, known_fields()); });
  const ValueReader probes = later("a map with points or lines", [this] {
    return probes_section(settings_.probes, settings_.grid, settings_.time, known_fields());
  });
  return {optional("output", output, "the run directory and its frames"),
          optional("probes", probes, "values at points and along lines, as CSV files"),
          optional("device", device,
                   "auto (a GPU if there is one), cpu, cuda, cuda:1 (the second GPU)")};
}

CaseContents FileReader::contents() const {
  return ask_case(root_, [&] { return chosen_.contents(settings_); });
}

void FileReader::add_scalars(const CaseContents& contents, std::vector<std::string>& fields) const {
  fields.insert(fields.end(), contents.scalars.begin(), contents.scalars.end());
  for (const CustomScalar& scalar : settings_.custom.scalars) fields.push_back(scalar.name);
}

std::vector<std::string> FileReader::known_fields() const {
  std::vector<std::string> names = names_of(output_field_table());
  add_scalars(contents(), names);
  return names;
}

// Of a file that names none: scalars and solids, too, where there are any.
void FileReader::complete_fields() {
  const CaseContents contents = this->contents();
  add_scalars(contents, settings_.output.fields);
  if (!contents.solids && settings_.solids.empty()) return;
  for (const OutputField& field : output_field_table())
    if (field.comes_with_solids) settings_.output.fields.emplace_back(field.name);
}

}  // namespace hodge::sim
