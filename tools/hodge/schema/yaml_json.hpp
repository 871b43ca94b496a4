// A YAML tree as JSON sees it, for editors and schemas: YAML 1.2 core, so that plain scalars may be
// numbers, true, false or null, and everything in quotes is text.
#pragma once

#include "sim/app/config/yaml_tree.hpp"
#include "sim/base/table.hpp"

namespace hodge::tools {

using sim::Json;

Json json_of(const sim::YamlNode& node);

}  // namespace hodge::tools
