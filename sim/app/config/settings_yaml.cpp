// Over 400 lines: the keys of all sections that have no file of their own, in the order of a
// configuration.
#include "sim/app/config/settings_yaml.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <regex>
#include <type_traits>

#include "sim/app/config/default_solvers.hpp"
#include "sim/app/config/file_keys.hpp"
#include "sim/app/config/places.hpp"
#include "sim/app/config/readers.hpp"
#include "sim/app/config/sections.hpp"
#include "sim/base/file_names.hpp"
#include "sim/base/formulas/names.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/operators/convection.hpp"
#include "sim/discrete/operators/output_fields.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/stability.hpp"

namespace hodge::sim {
namespace {

// Why a method for symmetric matrices cannot solve the transport systems; empty where it can.
std::string unsymmetric(const std::string& scheme) {
  if (find_time_scheme(scheme).has_symmetric_transport()) return "";
  return "with " + scheme + " it is not (convection is implicit)";
}

// The keys of a whole file, in the order in which they are read and written: what others hang on
// comes first. Fills the settings, which hold the defaults and the parameters of the chosen case.
class FileReader {
 public:
  FileReader(const ConfigValue& file, const CaseSchema& chosen, Settings& settings,
             std::span<const CaseSchema> cases = {})
      : file_(file), chosen_(chosen), settings_(settings), cases_(cases) {}

  // Leaves the mistakes with those of the file. What needs the whole configuration is judged where
  // it has none.
  void read() {
    custom_.described_in_file = in_file_;
    const std::vector<Key> keys = this->keys();
    if (!in_file_) refuse_custom_keys(file_, custom_keys(), chosen_.name);
    collect(file_, [&] { read_map(file_, keys); });
    if (!file_.is(YamlNode::Kind::map)) return;
    collect_at("time.step", [this] { settle_step(); });
    if (in_file_ && !file_.is_wrong_at("case"))
      collect_at("fluid", [this] { check_custom(file_, custom_); });
    const auto force = file_.find("force");
    if (force && !any_wrong({"force", "boundaries", "grid"}))
      collect_at("force", [&] { check_flow_rates(*force, custom_, settings_.grid.dim); });
    if (file_.mistakes->any()) return;
    const Carried carried = this->carried();
    settings_.carries_velocity = carried.velocity;
    settings_.carries_scalars = carried.scalars;
    const auto output = file_.find("output");
    if (!output || !output->has("fields")) complete_fields();
    ask_case([this] { chosen_.check(settings_); });
  }

  // What the file may hold, for the chosen case and the dimension of the settings' grid.
  ValueShape describe() {
    describes_ = true;
    try {
      settings_.carries_velocity = carried().velocity;
    } catch (const Error&) {  // a case that its defaults do not make
    }
    ValueShape file = map_shape(keys());
    if (in_file_) file.one_key_of = {"fluid", "prescribed_velocity"};
    return file;
  }

  // The settings as a file.
  std::string write() { return map_text(keys()); }

 private:
  void collect_at(const std::string& path, const std::function<void()>& check) const {
    collect({file_.node, path, file_.mistakes}, check);
  }
  bool any_wrong(std::initializer_list<const char*> keys) const {
    return std::any_of(keys.begin(), keys.end(),
                       [this](const char* key) { return file_.is_wrong_at(key); });
  }
  // What the case has of itself can be asked, and what the file adds has been read.
  bool knows_contents() const {
    return !any_wrong({"case", "parameters", "grid", "prescribed_velocity", "scalars", "fluid",
                       "boundaries", "force", "initial", "exact"});
  }

  // The default of the CFL number and its largest value hang on the schemes of all that is carried.
  void settle_step() {
    if (any_wrong({"time", "convection"}) || !knows_contents()) return;
    const std::vector<const StablePair*> pairs = stable_pairs(settings_, carried());
    StepSettings& step = settings_.time.step;
    if (!step.size && !step.cfl) step.cfl = default_cfl(pairs);
    for (const StablePair* pair : pairs)
      if (step.cfl && *step.cfl > pair->largest_cfl)
        throw file_.find("time")->find("step")->find("cfl")->error(
            " is {}, expected at most {}: {} with {} convection is unstable beyond it",
            number_text(*step.cfl), number_text(pair->largest_cfl), pair->time, pair->convection);
  }

  std::vector<Key> keys() {
    const ValueReader of_case = one_of(settings_.case_name, "case", names_of(cases_));
    std::vector<Key> keys{
        required("case", of_case,
                 "`hodge cases` describes them; custom takes everything from this file"),
        optional(
            "parameters",
            hangs_on({"case"}, in_file_ ? free_parameters_section(settings_)
                                        : parameters_section(settings_.parameters, chosen_)),
            in_file_ ? "names with numbers, which formulas then know" : "the numbers of the case"),
        required("grid", grid_section(settings_.grid, chosen_), "the box and its cells")};
    for (const std::vector<Key>& some : {in_file_ ? custom_keys() : std::vector<Key>{initial_key()},
                                         carried_keys(), numerical_keys(), output_keys()})
      keys.insert(keys.end(), some.begin(), some.end());
    return keys;
  }

  FormulaScope scope() const {
    return {.names = {FormulaConstants::view(settings_.parameters), {}},
            .dim = settings_.grid.dim,
            .inputs = &settings_.inputs};
  }

  ValueReader device() {
    const std::string expected = "auto, cpu, cuda or cuda:N";
    ValueReader reader = text_like(settings_.device, expected, device_pattern);
    reader.read = [read = reader.read, expected](const ConfigValue& value) {
      const std::string& name = value.node.scalar;
      const std::string meant = nearest_name(name, std::vector<std::string>{"auto", "cpu", "cuda"});
      if (!meant.empty() && !is_device_name(name))
        throw value.error(" is {}, did you mean '{}'? expected {}", quote(name), meant, expected);
      read(value);
    };
    return reader;
  }

  // What cannot be judged without the case and the dimension of the grid.
  static ValueReader of_grid(ValueReader reader) {
    return hangs_on({"case", "grid.cells"}, std::move(reader));
  }

  // Of the case custom alone.
  std::vector<Key> custom_keys() {
    const auto section = [this](auto make) {
      return of_grid(later("a map", [this, make] { return make(custom_, scope()); }));
    };
    const auto list = [this](auto& out) {
      return of_grid(later("a list of formulas", [this, &out] { return formulas(out, scope()); }));
    };
    // What is solved for only without a prescribed velocity.
    const auto of_momentum = [this](const ValueReader& reader) {
      return written_if(reader, [this] { return !custom_.prescribed_velocity; });
    };
    return {
        optional("prescribed_velocity", list(custom_.prescribed_velocity),
                 "instead of fluid: only scalars are solved for; formulas of x, y, z, t; L/T"),
        optional("fluid",
                 of_momentum(of_grid(later("a map",
                                           [this] {
                                             return fluid_section(
                                                 custom_,
                                                 coefficient_scope(scope(), names_of_scalars()));
                                           }))),
                 "what flows"),
        optional(
            "force",
            of_momentum(of_grid(later(
                "a map", [this] { return force_section(custom_, scope(), names_of_forces()); }))),
            "per unit of mass, formulas of x, y, z, t, u, v, w and the scalars; L/T^2; "
            "or a map"),
        optional("boundaries", section(boundaries_section),
                 "what each side of the box is; without: a wall at rest"),
        initial_key(),
        optional("exact", section(exact_section), "the exact solution, where it is known")};
  }

  Key initial_key() {
    const ValueReader initial =
        of_grid(later("a map", [this] { return initial_section(settings_, scope(), in_file_); }));
    const auto is_written = [this] {
      const bool has_formulas = in_file_ && !custom_.prescribed_velocity;
      return has_formulas || !settings_.initial_from.path.empty();
    };
    return optional("initial", written_if(initial, is_written),
                    in_file_ ? "the state at t = 0; without: at rest"
                             : "the state at t = 0; without: that of the case");
  }

  // What comes from a file for every case: it may name what is before it.
  std::vector<Key> carried_keys() {
    const ValueReader scalars = later("a map of scalars", [this] {
      return scalars_section(custom_.scalars, scope(), contents().scalars,
                             in_file_ ? &custom_.boundaries : nullptr);
    });
    const ValueReader solids = later(solids_expected, [this] {
      return solids_section(settings_.solids, settings_.grid, scope());
    });
    const ValueReader porous = later("a list of porous bodies", [this] {
      return porous_section(settings_.resistances.porous, settings_.grid, scope());
    });
    const ValueReader sponges = later("a list of sponges", [this] {
      return sponges_section(settings_.resistances.sponges, settings_.grid, scope());
    });
    return {
        optional("scalars", of_grid(scalars), "what the fluid carries, by name"),
        optional("solids", of_grid(solids), "bodies in the fluid, each of one shape"),
        optional("porous", of_grid(porous), "bodies that the fluid passes with a resistance"),
        optional("sponges", of_grid(sponges), "parts of the box that relax to a given state"),
        optional("turbulence",
                 optional_value(settings_.turbulence,
                                [](Turbulence& out) { return turbulence_section(out); }),
                 "a large-eddy simulation in 3D: what scales below the grid take"),
        optional("rotation",
                 of_grid(later("a list of 3 numbers",
                               [this] { return rotation_section(settings_.rotation, scope()); })),
                 "angular velocity of the frame, Omega: the force is -2 Omega x u; 1/T"),
        optional("forces", of_grid(forces_section(settings_.forces, settings_.grid)),
                 "scales of drag and lift coefficients in forces.csv")};
  }

  ValueReader solvers() {
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

  std::vector<Key> numerical_keys() {
    // The default solvers hang on the scheme.
    const auto set_solvers = [this](const ConfigValue&) {
      const bool symmetric = unsymmetric(settings_.time.scheme).empty();
      settings_.transport = settings_.scalars = default_transport_solver(symmetric);
    };
    const ValueReader compare = optional_value(settings_.compare, [this](CompareSettings& out) {
      return compare_section(out, settings_, unsymmetric(settings_.time.scheme).empty());
    });
    return {
        required("time", checked(time_section(settings_.time), set_solvers), "scheme, end, step"),
        optional("convection", convection(), "the schemes of velocity and scalars"),
        optional("solvers", solvers(), "of the linear systems"),
        optional("compare", compare, "other solvers on the same systems; the run is not changed")};
  }

  // Each is written where something is carried by it.
  ValueReader convection() {
    const auto scheme = [](std::string& out) {
      return one_of(out, "convection scheme", names_of(convection_table()));
    };
    const auto check = [this](const ConfigValue& value) {
      if (knows_contents() && !carried().velocity)
        value.refuse("scheme",
                     ": the velocity is given, and only scalars are carried, expected "
                     "convection.scalars");
    };
    std::vector<Key> keys{
        optional("scheme",
                 written_if(scheme(settings_.convection_scheme),
                            [this] { return settings_.carries_velocity; }),
                 "of the velocity; `hodge schemes` describes them"),
        optional("scalars",
                 written_if(scheme(settings_.scalar_convection),
                            [this] { return settings_.carries_scalars; }),
                 "of scalars; `hodge schemes` says up to which CFL number they stay bounded")};
    if (describes_ && !settings_.carries_velocity) keys.erase(keys.begin());
    return map_of(std::move(keys), check);
  }

  std::vector<Key> output_keys() {
    const ValueReader output = later("a map", [this] {
      return output_section(settings_.output, settings_.time, settings_.grid, known_fields());
    });
    const ValueReader probes = hangs_on({"case", "grid.cells", "grid.lower", "grid.upper"},
                                        later("a map with points or lines", [this] {
                                          return probes_section(settings_.probes, settings_.grid,
                                                                settings_.time, known_fields());
                                        }));
    return {optional("output", output, "the run directory and its frames"),
            optional("probes", probes, "values at points and along lines, as CSV files"),
            optional("device", device(),
                     "auto (a GPU if there is one), cpu, cuda, cuda:1 (the second GPU)"),
            optional("parallel", parallel_section(settings_.parallel),
                     "how several processes share the run")};
  }

  // What the case says, with the place of the grid where it refuses.
  template <typename Ask>
  std::invoke_result_t<Ask> ask_case(Ask ask) const {
    try {
      return ask();
    } catch (const KeyError& error) {
      throw placed(file_.node, error);
    } catch (const ConfigError& error) {
      const auto grid = file_.find("grid");
      throw config_error((grid ? *grid : file_).node.place, "{}", one_line(error.what()));
    }
  }

  // Nothing of a case that cannot be asked.
  CaseContents contents() const {
    for (const char* key : {"case", "parameters", "grid"})
      if (file_.is_wrong_at(key)) return {};
    return ask_case([this] { return chosen_.contents(settings_); });
  }

  // Of the case and of the file, whose scalars may not have been read yet.
  std::vector<std::string> names_of_scalars() const {
    std::vector<std::string> names = contents().scalars;
    const auto scalars = file_.find("scalars");
    const auto add = [&](const std::string& name) {
      if (name_refusal(name).empty() && name != shear_rate_name &&
          !settings_.parameters.contains(name) && std::ranges::count(names, name) == 0)
        names.push_back(name);
    };
    if (scalars && scalars->is(YamlNode::Kind::map))
      for (const YamlEntry& entry : scalars->node.entries) add(entry.key.scalar);
    for (const CustomScalar& scalar : custom_.scalars) add(scalar.name);
    return names;
  }

  std::vector<std::string> names_of_forces() const {
    std::vector<std::string> parameters;
    for (const auto& [name, value] : settings_.parameters) parameters.push_back(name);
    return force_variables(settings_.grid.dim, names_of_scalars(), parameters);
  }

  Carried carried() const {
    const CaseContents contents = this->contents();
    const bool scalars = !contents.scalars.empty() || !custom_.scalars.empty();
    const bool prescribed = contents.prescribed_velocity || custom_.prescribed_velocity.has_value();
    return {!prescribed || !scalars, scalars};
  }

  void add_scalars(const CaseContents& contents, std::vector<std::string>& fields) const {
    fields.insert(fields.end(), contents.scalars.begin(), contents.scalars.end());
    for (const CustomScalar& scalar : custom_.scalars) fields.push_back(scalar.name);
  }

  std::vector<std::string> known_fields() const {
    std::vector<std::string> names = names_of(output_field_table());
    add_scalars(contents(), names);
    return names;
  }

  // Of a file that names none: scalars and solids, too, where there are any, and what of each cell
  // is open beside those that may be sharp.
  void complete_fields() {
    const CaseContents contents = this->contents();
    add_scalars(contents, settings_.output.fields);
    if (!contents.solids && settings_.solids.empty()) return;
    for (const OutputField& field : output_field_table())
      if (field.comes_with_solids) settings_.output.fields.emplace_back(field.name);
    const auto is_staircase = [](const Solid& one) { return !one.sharp && !one.treatment_is_open; };
    if (contents.solids || !std::ranges::all_of(settings_.solids, is_staircase))
      settings_.output.fields.emplace_back(OpenFractionOutput::row.name);
  }

  const ConfigValue file_;
  const CaseSchema& chosen_;
  Settings& settings_;
  const std::span<const CaseSchema> cases_;
  CustomSettings& custom_ = settings_.custom;
  const bool in_file_ = chosen_.described_in_file;
  bool describes_ = false;
};

// The name of the case is read before everything else: parameters and dimensions hang on it. Where
// it is missing or unknown, which read_map tells, all keys are known.
const CaseSchema& chosen_case(const YamlNode& root, std::span<const CaseSchema> cases) {
  static const CaseSchema none{.dimensions = {2, 3}, .described_in_file = true};
  const YamlNode* const name = root.find("case");
  if (name == nullptr) return none;
  const auto chosen = std::find_if(cases.begin(), cases.end(), [&](const CaseSchema& entry) {
    return entry.name == name->scalar;
  });
  return chosen == cases.end() ? none : *chosen;
}

Settings settings_of(const CaseSchema& chosen) {
  Settings settings = default_settings();
  settings.case_name = chosen.name;
  for (const ParameterSchema& parameter : chosen.parameters)
    settings.parameters[parameter.name] = parameter.default_value;
  return settings;
}

bool comes_in(const CaseSchema& chosen, int dim) {
  return std::ranges::find(chosen.dimensions, dim) != chosen.dimensions.end();
}

// What the file may hold in a dimension; none where its case does not come in it.
std::vector<ValueShape> shapes_in(const YamlNode& root, const CaseSchema& chosen, int dim,
                                  std::span<const CaseSchema> cases) {
  if (!comes_in(chosen, dim)) return {};
  return {file_shape(chosen, dim, cases, root.find("prescribed_velocity") != nullptr)};
}

}  // namespace

Settings default_settings() {
  Settings settings;
  settings.scalar_convection = "van_leer";
  settings.pressure = default_pressure_solver();
  settings.transport = settings.scalars = default_transport_solver(false);
  return settings;
}

bool is_device_name(const std::string& name) {
  return std::regex_match(name, std::regex(device_pattern));
}

Settings settings_from_yaml(const YamlNode& root, const std::string& name,
                            std::span<const CaseSchema> cases) {
  const CaseSchema& chosen = chosen_case(root, cases);
  Settings settings = settings_of(chosen);
  settings.output.directory = "output/" + as_folder_name(name);
  settings.output.name = as_run_name(name);
  const auto shape_in = [&](int dim) { return shapes_in(root, chosen, dim, cases); };
  const auto dim = [&] {
    return comes_in(chosen, settings.grid.dim) ? settings.grid.dim : chosen.dimensions.front();
  };
  Mistakes mistakes(guide_to_keys(root, shape_in, dim));
  try {
    FileReader({root, "", &mistakes}, chosen, settings, cases).read();
  } catch (const Mistakes::TooMany&) {  // the first of them are told
  }
  mistakes.raise_if_any();
  return settings;
}

ValueShape file_shape(const CaseSchema& chosen, int dim, std::span<const CaseSchema> cases,
                      bool velocity_is_prescribed) {
  GridSettings grid;
  grid.dim = dim;
  for (int d = 0; d < dim; ++d)
    grid.axes[d] = {.cells = 64, .lower = chosen.lower[d], .upper = chosen.upper[d]};
  return file_shape(chosen, grid, cases, velocity_is_prescribed);
}

ValueShape file_shape(const CaseSchema& chosen, const GridSettings& grid,
                      std::span<const CaseSchema> cases, bool velocity_is_prescribed) {
  Settings settings = settings_of(chosen);
  if (velocity_is_prescribed) settings.custom.prescribed_velocity.emplace();
  settings.custom.described_in_file = chosen.described_in_file;
  settings.grid = grid;
  const YamlNode nothing{YamlNode::Kind::map};
  return FileReader({nothing}, chosen, settings, cases).describe();
}

std::vector<FileKey> keys_of_file(const YamlNode& root, std::span<const CaseSchema> cases) {
  if (const YamlNode* const name = root.find("case"); name != nullptr) {
    std::string known;
    one_of(known, "case", names_of(cases)).read({*name, "case"});
  }
  const CaseSchema& chosen = chosen_case(root, cases);
  const YamlNode* const grid = root.find("grid");
  const YamlNode* const cells = grid == nullptr ? nullptr : grid->find("cells");
  const auto dim = cells == nullptr ? 0 : static_cast<int>(cells->items.size());
  const int known = comes_in(chosen, dim) ? dim : chosen.dimensions.back();
  return file_keys(shapes_in(root, chosen, known, cases).front(), root);
}

namespace {

// A place in the tree is its path, of an entry of the map that holds it.
void name_places_by_keys(YamlNode& node, const std::string& path) {
  const auto place = [](const std::string& text) {
    return Place{std::make_shared<const std::string>(text)};
  };
  node.place = place(path.empty() ? "configuration" : path);
  for (std::size_t i = 0; i < node.items.size(); ++i)
    name_places_by_keys(node.items[i], fmt::format("{}[{}]", path, i));
  for (YamlEntry& entry : node.entries) {
    const std::string there = path.empty() ? entry.key.scalar : path + "." + entry.key.scalar;
    entry.key.place = place(there);
    name_places_by_keys(entry.value, there);
  }
}

}  // namespace

Configuration load_configuration(const ConfigSource& source, std::span<const CaseSchema> cases) {
  YamlNode root = source.text ? parse_yaml(*source.text, source.file) : load_yaml(source.file);
  if (source.places_are_keys) name_places_by_keys(root, "");
  apply_overrides(root, source.overrides);
  apply_overrides(root, source.combination, "--over");
  const std::string name = std::filesystem::path(source.file).stem().string();
  Settings settings = settings_from_yaml(root, name, cases);
  return {std::move(settings), std::move(root)};
}

// Of the case only the name is needed, and whether the file describes it.
std::string settings_to_yaml(const Settings& settings) {
  const CaseSchema chosen{.name = settings.case_name,
                          .described_in_file = settings.custom.described_in_file};
  Settings written = settings;
  const YamlNode nothing;
  return FileReader({nothing}, chosen, written).write();
}

}  // namespace hodge::sim
