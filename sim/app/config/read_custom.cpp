// fluid, force, initial, exact, prescribed_velocity: what only the case `custom` takes from a file.
#include "sim/app/config/sections.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

// With a prescribed velocity nothing is solved for but scalars.
constexpr const char* momentum_keys[] = {"fluid", "force", "exact"};

}  // namespace

ValueReader fluid_section(CustomSettings& custom, const FormulaScope& scope) {
  return map_of(
      {required("viscosity", with_example(constant(custom.viscosity, at_least(0), scope), "0.01"),
                "kinematic, L^2/T"),
       optional("density", constant(custom.density, above(0), scope), "M/L^3")});
}

ValueReader initial_section(Settings& settings, const FormulaScope& formulas_of,
                            bool with_formulas) {
  CustomSettings& custom = settings.custom;
  InitialSource& from = settings.initial_from;
  FormulaScope scope = formulas_of;
  scope.varies_in_time = false;
  const auto is_written = [&settings] {
    return settings.initial_from.path.empty() && !settings.custom.prescribed_velocity;
  };
  std::vector<Key> keys{optional(
      "from",
      with_example(in_quotes(written_if(checked(file_name(from.path),
                                                [&from](const ConfigValue& value) {
                                                  from.place =
                                                      value.node.place.text() + ": " + value.path;
                                                }),
                                        [&from] { return !from.path.empty(); })),
                   "output/before"),
      "a run directory, a checkpoint or a frame: the run begins with its fields")};
  if (!with_formulas) return map_of(std::move(keys));
  keys.push_back(optional("velocity",
                          written_if(formulas(custom.initial_velocity, scope), is_written),
                          "formulas of x, y, z; L/T; its divergence is taken out"));
  keys.push_back(optional(
      "pressure", written_if(formula(custom.initial_pressure, scope), is_written), "M/(L T^2)"));
  return never_with(map_of(std::move(keys)), "from", "names a file with the fields",
                    {"velocity", "pressure"}, "gives one of them");
}

ValueReader exact_section(CustomSettings& custom, const FormulaScope& scope) {
  return map_of({required("velocity", formulas(custom.exact_velocity, scope),
                          "formulas of x, y, z, t; the run reports errors against them"),
                 optional("pressure", formula(custom.exact_pressure, scope), "M/(L T^2)")});
}

void refuse_custom_keys(const ConfigValue& file, const std::vector<Key>& custom_keys,
                        const std::string& chosen) {
  for (const YamlEntry& entry : file.node.entries)
    for (const std::string& key : names_of(custom_keys))
      if (entry.key.scalar == key && key != "initial")  // of which every case has a part
        throw config_error(entry.key.place,
                           "'{}' belongs to case custom; case {} brings its own, expected no such "
                           "key",
                           key, chosen);
}

void check_custom(const ConfigValue& file, const CustomSettings& custom) {
  if (!custom.prescribed_velocity) {
    if (file.has("fluid")) return;
    throw file.missing(
        "fluid", "{viscosity: ...}, or prescribed_velocity where only scalars are solved for");
  }
  for (const char* key : momentum_keys)
    file.refuse(key,
                ": prescribed_velocity gives the velocity, and no momentum is solved for, expected "
                "no such key");
  if (const auto initial = file.find("initial"))
    for (const char* key : {"velocity", "pressure"})
      initial->refuse(key,
                      ": prescribed_velocity gives the velocity, and scalars have their own "
                      "initial, expected no such key");
  if (custom.scalars.empty())
    throw file.find("prescribed_velocity")
        ->error(": there is nothing to solve for, expected scalars");
}

}  // namespace hodge::sim
