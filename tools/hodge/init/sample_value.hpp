// A value of a shape as YAML in one line.
#pragma once

#include <string>

#include "sim/app/config/value_shape.hpp"

namespace hodge::tools {

// Of maps the example, of all else the default; where there is none, something that is allowed.
std::string sample_value(const sim::ValueShape& shape);

}  // namespace hodge::tools
