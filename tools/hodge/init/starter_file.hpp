// A file to begin with: the values that a case needs or is better with (Case::starter) as they
// stand, every other setting behind a '#' with its default, or with an example where there is none.
//
// Whichever one of these lines loses its '#', the file is a right one.
#pragma once

#include <string>

#include "cases/registry.hpp"
#include "sim/app/config/value_shape.hpp"

namespace hodge::tools {

// `shape` is what a file of the case may hold, `file` the name that the text will be under.
std::string starter_text(const cases::Case& entry, const sim::ValueShape& shape,
                         const std::string& file);

}  // namespace hodge::tools
