// From a YAML file, or its tree, to Settings: strict, with every default filled in; and back.
//
// Errors: ConfigError, one line `file:line:column: what, what was expected`; for a value from the
// command line `--set key=value: what, what was expected`. Several are told at once: ConfigErrors
// (mistakes.hpp).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/app/config/case_schema.hpp"
#include "sim/app/config/value_shape.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "sim/model/settings.hpp"

namespace hodge::sim {

struct ConfigSource {
  std::string file;
  std::vector<std::string> overrides{};    // "time.end=5", applied in turn
  std::vector<std::string> combination{};  // after these, of `hodge sweep --over`
  std::optional<std::string> text{};       // in place of what the file holds
  bool places_are_keys = false;            // errors name `grid.cells[0]`, not the line of the text
};

struct Configuration {
  Settings settings;
  YamlNode file;  // with the overrides
};

Configuration load_configuration(const ConfigSource& source, std::span<const CaseSchema> cases);

// `name` is that of the file: what output.directory, below "output/", and output.name default to.
Settings settings_from_yaml(const YamlNode& root, const std::string& name,
                            std::span<const CaseSchema> cases);

// A file that reads back to the same Settings: every setting, with the defaults that were taken.
// Numbers have the shortest digits that read back to the same double.
std::string settings_to_yaml(const Settings& settings);

// Every default that hangs on neither the case nor the grid.
Settings default_settings();

// What a file of the case may hold on grids of a dimension that it has, as a map: the keys, types,
// ranges, names, defaults and descriptions that the readers above go by.
// Files of the case custom that prescribe the velocity have sides of another shape.
ValueShape file_shape(const CaseSchema& chosen, int dim, std::span<const CaseSchema> cases,
                      bool velocity_is_prescribed = false);
// The same, with examples that fit a grid.
ValueShape file_shape(const CaseSchema& chosen, const GridSettings& grid,
                      std::span<const CaseSchema> cases, bool velocity_is_prescribed = false);

// "auto", "cpu", "cuda" or "cuda:N".
inline constexpr const char* device_pattern = "^(auto|cpu|cuda|cuda:[0-9]{1,4})$";
bool is_device_name(const std::string& name);

}  // namespace hodge::sim
