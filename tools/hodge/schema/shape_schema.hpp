// The JSON schema of a shape.
#pragma once

#include "sim/app/config/value_shape.hpp"
#include "tools/hodge/schema/definitions.hpp"

namespace hodge::tools {

// `name` is what its definition is called, should it need one.
Json schema_of(const sim::ValueShape& shape, const std::string& name, Definitions& definitions);

// The same with what editors show beside it; keys of maps have it.
Json schema_of(const sim::KeyShape& key, Definitions& definitions);

}  // namespace hodge::tools
