// The JSON schema of a shape.
#pragma once

#include <map>
#include <string>

#include "sim/app/config/value_shape.hpp"
#include "sim/base/table.hpp"

namespace hodge::tools {

using sim::Json;

// Parts of a schema by name, so that what many cases share is there once.
class Definitions {
 public:
  // A reference to the schema, which gets the name, or the name and a number where that is taken by
  // another one. Small ones are returned as they are.
  Json refer(const std::string& name, Json schema);

  const Json& all() const { return all_; }

 private:
  Json all_ = Json::object();
  std::map<std::string, std::string> names_;  // of the schemas' texts
};

// `name` is what its definition is called, should it need one.
Json schema_of(const sim::ValueShape& shape, const std::string& name, Definitions& definitions);

}  // namespace hodge::tools
