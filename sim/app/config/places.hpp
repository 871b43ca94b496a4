// Where the file says what a KeyError is about (base/key_error.hpp).
#pragma once

#include <string>

#include "sim/app/config/yaml_tree.hpp"
#include "sim/base/key_error.hpp"

namespace hodge::sim {

// Of the key, else of the innermost map that is there and would hold it: of time.step for
// time.step.cfl. A part that no file of a case has, as the boundaries of a case of its own, follows
// from its parameters; then it is their place, or that of the case's name.
const Place& place_of(const YamlNode& file, const std::string& key);

// The error with the place of its key.
PlacedError placed(const YamlNode& file, const KeyError& error);

}  // namespace hodge::sim
