// The JSON schema (draft 7) of configuration files, for editors: generated from what the readers
// say of themselves (sim/app/config/value_shape.hpp), a definition for each case and dimension.
//
// It knows keys, types, ranges, names, lengths of lists, and which keys exclude each other. What
// hangs on several values at once (a box that is no box, a formula of unknown names) only
// `hodge check` sees.
#pragma once

#include <map>
#include <span>
#include <string>

#include "sim/app/config/case_schema.hpp"
#include "sim/app/config/value_shape.hpp"
#include "sim/app/config/yaml_tree.hpp"
#include "sim/base/table.hpp"

namespace hodge::tools {

using sim::Json;

Json json_schema(std::span<const sim::CaseSchema> cases);

// A YAML tree as JSON sees it, for editors and schemas: YAML 1.2 core, so that plain scalars may be
// numbers, true, false or null, and everything in quotes is text.
Json json_of(const sim::YamlNode& node);

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

// The schema of a shape. `name` is what its definition is called, should it need one.
Json schema_of(const sim::ValueShape& shape, const std::string& name, Definitions& definitions);

}  // namespace hodge::tools
