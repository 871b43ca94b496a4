// Parts of a JSON schema by name, so that what many cases share is there once.
#pragma once

#include <map>
#include <string>

#include "sim/base/table.hpp"

namespace hodge::tools {

using sim::Json;

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

}  // namespace hodge::tools
