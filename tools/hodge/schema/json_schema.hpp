// The JSON schema (draft 7) of configuration files, for editors: generated from what the readers
// say of themselves (sim/app/config/value_shape.hpp), a definition for each case and dimension.
//
// It knows keys, types, ranges, names, lengths of lists, and which keys exclude each other. What
// hangs on several values at once (a box that is no box, a formula of unknown names) only
// `hodge check` sees.
#pragma once

#include <span>

#include "sim/app/config/case_schema.hpp"
#include "sim/base/table.hpp"

namespace hodge::tools {

using sim::Json;

Json json_schema(std::span<const sim::CaseSchema> cases);

}  // namespace hodge::tools
