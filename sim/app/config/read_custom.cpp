// fluid, force, initial, exact, prescribed_velocity: what only the case `custom` takes from a file.
#include <algorithm>

#include "sim/app/config/sections.hpp"
#include "sim/base/text.hpp"

namespace hodge::sim {
namespace {

// With a prescribed velocity nothing is solved for but scalars.
constexpr const char* momentum_keys[] = {"fluid", "force", "exact"};

}  // namespace

ValueReader fluid_section(CustomSettings& custom, const FormulaScope& scope) {
  FormulaScope plain = scope;
  plain.names.variables.clear();
  return map_of(
      {required(
           "viscosity", viscosity(custom, scope),
           "kinematic, L^2/T: a number, a formula of x, y, z, t, shear_rate and the scalars, or "
           "a map with model"),
       optional("density", constant(custom.density, above(0), plain), "M/L^3")});
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
      with_example(written_if(checked(file_name(from.path),
                                      [&from](const ConfigValue& value) {
                                        from.place = value.node.place.text() + ": " + value.path;
                                      }),
                              [&from] { return !from.path.empty(); }),
                   "output/before"),
      "a run directory, a checkpoint, a frame or a CSV file of points: the run begins with its "
      "fields")};
  if (!with_formulas) return map_of(std::move(keys));
  keys.push_back(optional("velocity",
                          written_if(formulas(custom.initial_velocity, scope), is_written),
                          "formulas of x, y, z; L/T; its divergence is taken out"));
  keys.push_back(
      optional("pressure", formula(custom.initial_pressure, scope),
               "M/(L T^2); without it, the pressure that belongs to the initial velocity"));
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
  const std::vector<std::string> refused = names_of(custom_keys);
  for (const YamlEntry& entry : file.node.entries) {
    const std::string& key = entry.key.scalar;
    if (key == "initial") continue;  // every case has a part of it
    if (std::find(refused.begin(), refused.end(), key) == refused.end()) continue;
    collect({entry.value, key, file.mistakes}, [&] {
      throw config_error(entry.key.place,
                         "'{}' belongs to case custom; case {} brings its own, expected no such "
                         "key",
                         key, chosen);
    });
  }
}

void check_custom(const ConfigValue& file, const CustomSettings& custom) {
  if (!file.has("prescribed_velocity")) {
    if (file.has("fluid") || file.is_wrong_at("fluid")) return;
    throw file.missing(
        "fluid", "{viscosity: ...}, or prescribed_velocity where only scalars are solved for");
  }
  const auto refuse = [&file](const ConfigValue& map, const char* key, const char* why) {
    collect({file.node, map.path_of(key), file.mistakes}, [&] {
      map.refuse(key, ": prescribed_velocity gives the velocity, and {}, expected no such key",
                 why);
    });
  };
  for (const char* key : momentum_keys) refuse(file, key, "no momentum is solved for");
  if (const auto initial = file.find("initial"))
    for (const char* key : {"velocity", "pressure"})
      refuse(*initial, key, "scalars have their own initial");
  if (custom.scalars.empty() && !file.is_wrong_at("scalars"))
    throw file.find("prescribed_velocity")
        ->error(": there is nothing to solve for, expected scalars");
}

}  // namespace hodge::sim
