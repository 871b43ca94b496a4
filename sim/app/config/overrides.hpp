// Changes to a configuration from the command line: `--set time.end=5` replaces or adds one value
// of the tree.
//
// The path is a list of keys with dots, the value is YAML (`grid.cells=[64,64]`); numbers as keys
// pick list items from 0 (`grid.cells.0=64`); the first number beyond the list adds an item.
// Whether a new key is allowed is judged when the tree is read. Errors, now and later, name the
// override itself: `--set time.end=abc: ...`.
#pragma once

#include <string>
#include <vector>

#include "sim/app/config/yaml_tree.hpp"

namespace hodge::sim {

void apply_override(YamlNode& root, const std::string& assignment);

void apply_overrides(YamlNode& root, const std::vector<std::string>& assignments);

}  // namespace hodge::sim
