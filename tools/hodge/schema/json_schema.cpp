#include "tools/hodge/schema/json_schema.hpp"

#include <fmt/format.h>

#include "sim/app/config/schema.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "tools/hodge/schema/shape_schema.hpp"

namespace hodge::tools {
namespace {

// Holds for files of the case and, where it has several dimensions, of this one; without cells of
// the least.
Json condition(const sim::CaseSchema& entry, int dim) {
  Json properties{{"case", {{"const", entry.name}}}};
  Json required{"case"};
  if (entry.dimensions.size() > 1) {
    const bool least = dim == entry.dimensions.front();
    const Json cells = least ? Json{{"maxItems", dim}} : Json{{"type", "array"}, {"minItems", dim}};
    properties["grid"] = {{"properties", {{"cells", cells}}}};
    if (!least) {
      properties["grid"]["required"] = {"cells"};
      required.push_back("grid");
    }
  }
  return {{"properties", properties}, {"required", required}};
}

// What editors offer before they know the case: the names of all sections.
void add_sections(Json& properties, const sim::ValueShape& file) {
  for (const sim::KeyShape& key : file.keys)
    if (!properties.contains(key.name)) properties[key.name] = {{"description", key.description}};
}

}  // namespace

Json json_schema(std::span<const sim::CaseSchema> cases) {
  Definitions definitions;
  Json properties{
      {"case", {{"enum", sim::names_of(cases)}, {"description", "`hodge cases` describes them"}}}};
  Json rules = Json::array();
  for (const sim::CaseSchema& entry : cases) {
    for (const int dim : entry.dimensions) {
      const sim::ValueShape file = sim::file_shape(entry, dim, cases);
      add_sections(properties, file);
      const std::string name = fmt::format("{}_{}d", entry.name, dim);
      rules.push_back(
          {{"if", condition(entry, dim)}, {"then", schema_of(file, name, definitions)}});
    }
  }
  return {{"$schema", "http://json-schema.org/draft-07/schema#"},
          {"title", "configuration of hodge"},
          {"type", "object"},
          {"properties", properties},
          {"required", {"case", "grid", "time"}},
          {"allOf", rules},
          {"definitions", definitions.all()}};
}

}  // namespace hodge::tools
