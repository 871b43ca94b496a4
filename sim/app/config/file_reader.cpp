#include "sim/app/config/file_reader.hpp"

#include "sim/app/config/default_solvers.hpp"
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

ValueReader device_name(std::string& out) {
  const std::string expected = "auto, cpu, cuda or cuda:N";
  return {expected,
          [&out, expected](const YamlNode& value, const std::string& path) {
            const bool good = value.kind == YamlNode::Kind::scalar && is_device_name(value.scalar);
            if (!good) throw wrong_value(value, path, expected);
            out = value.scalar;
          },
          [&out, expected] {
            ValueShape shape;
            shape.kind = ValueShape::Kind::text;
            shape.expected = expected;
            shape.pattern = "^(auto|cpu|cuda|cuda:[0-9]{1,4})$";
            shape.value = out;
            return shape;
          }};
}

}  // namespace

void FileReader::read(std::span<const CaseSchema> cases) {
  settings_.custom.described_in_file = chosen_.described_in_file;
  if (!chosen_.described_in_file) refuse_custom_keys(root_, chosen_.name);
  read_map(root_, "", keys(cases));
  settle_step();
  if (chosen_.described_in_file) check_custom(root_, settings_.custom);
  if (!fields_are_given_) complete_fields();
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

std::vector<Key> FileReader::keys(std::span<const CaseSchema> cases) {
  std::vector<Key> keys = {
      required("case", one_of(settings_.case_name, "case", names_of(cases)),
               "`hodge cases` describes them; custom takes everything from this file"),
      optional("parameters", parameters(),
               chosen_.described_in_file ? "names with numbers, which formulas then know"
                                         : "the numbers of the case"),
      required("grid", grid_section(settings_.grid, chosen_), "the box and its cells")};
  for (const std::vector<Key>& some : {problem_keys(), numerical_keys(), output_keys()})
    keys.insert(keys.end(), some.begin(), some.end());
  return keys;
}

FormulaScope FileReader::scope() const {
  return {.names = {settings_.parameters, {}}, .dim = settings_.grid.dim};
}

ValueReader FileReader::parameters() {
  return chosen_.described_in_file ? free_parameters_section(settings_.parameters)
                                   : parameters_section(settings_.parameters, chosen_);
}

// What comes from a file for every case comes last: it may name what is before it.
std::vector<Key> FileReader::problem_keys() {
  std::vector<Key> keys;
  if (chosen_.described_in_file) keys = custom_keys();
  keys.push_back(optional("scalars", scalars(), "what the fluid carries, by name"));
  keys.push_back(optional("solids", solids_section(settings_.solids, settings_.grid),
                          "bodies in the fluid, each of one shape"));
  keys.push_back(optional("forces", forces_section(settings_.forces, settings_.grid),
                          "scales of drag and lift coefficients in forces.csv"));
  return keys;
}

std::vector<Key> FileReader::custom_keys() {
  CustomSettings& custom = settings_.custom;
  const auto list = [this](auto& out) {
    return later("a list of formulas", [this, &out] { return formulas(out, scope()); });
  };
  const auto section = [this, &custom](const char* expected, auto make) {
    return later(expected, [this, &custom, make] { return make(custom, scope()); });
  };
  return {optional("prescribed_velocity", list(custom.prescribed_velocity),
                   "instead of fluid: only scalars are solved for; formulas of x, y, z, t; L/T"),
          optional("fluid", section("a map with the key viscosity", fluid_section), "what flows"),
          optional("force", list(custom.force), "on a unit of mass, formulas of x, y, z, t; L/T^2"),
          optional("boundaries", section("a map of sides", boundaries_section),
                   "what each side of the box is; without: a wall at rest"),
          optional("initial", section("a map of formulas", initial_section),
                   "the state at t = 0; without: at rest"),
          optional("exact", section("a map of formulas", exact_section),
                   "the exact solution, where it is known")};
}

ValueReader FileReader::scalars() {
  return later("a map of scalars", [this] {
    CustomSettings& custom = settings_.custom;
    return scalars_section(custom.scalars, scope(), contents().scalars,
                           chosen_.described_in_file ? &custom.boundaries : nullptr);
  });
}

ValueReader FileReader::time() {
  ValueReader time = time_section(settings_.time);
  time.read = [this, read = time.read](const YamlNode& node, const std::string& path) {
    read(node, path);
    const bool symmetric = unsymmetric(settings_.time.scheme).empty();
    settings_.transport = settings_.scalars = default_transport_solver(symmetric);
  };
  return time;
}

ValueReader FileReader::solvers() {
  const auto transport = [this](SystemSettings& solver) {
    return later("a map of settings", [this, &solver] {
      return solver_section(solver, unsymmetric(settings_.time.scheme));
    });
  };
  return map_of({optional("pressure", solver_section(settings_.pressure, "", true),
                          "the Poisson system of the pressure, symmetric"),
                 optional("transport", transport(settings_.transport),
                          "a system for each velocity component"),
                 optional("scalars", transport(settings_.scalars), "a system for each scalar")});
}

ValueReader FileReader::compare() {
  return later("a map", [this] {
    const bool symmetric = unsymmetric(settings_.time.scheme).empty();
    return compare_section(settings_.compare.emplace(), settings_, symmetric);
  });
}

std::vector<Key> FileReader::numerical_keys() {
  const ValueReader scheme =
      one_of(settings_.convection_scheme, "convection scheme", names_of(convection_table()));
  return {
      required("time", time(), "scheme, end, step"),
      optional("convection", map_of({required("scheme", scheme, "`hodge schemes` describes them")}),
               "of velocity and scalars alike"),
      optional("solvers", solvers(), "of the linear systems"),
      optional("compare", compare(), "other solvers on the same systems; the run is not changed")};
}

ValueReader FileReader::output() {
  return later("a map", [this] {
    const YamlNode* output = root_.find("output");
    fields_are_given_ = output != nullptr && output->find("fields") != nullptr;
    return output_section(settings_.output, known_fields());
  });
}

std::vector<Key> FileReader::output_keys() {
  const ValueReader probes = later("a map with points or lines", [this] {
    return probes_section(settings_.probes, settings_.grid, settings_.time, known_fields());
  });
  return {optional("output", output(), "the run directory and its frames"),
          optional("probes", probes, "values at points and along lines, as CSV files"),
          optional("device", device_name(settings_.device),
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
