// The keys of a configuration as one list, and what is said of a key that stands where it may not.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "sim/app/config/case_schema.hpp"
#include "sim/app/config/mistakes.hpp"
#include "sim/app/config/value_shape.hpp"
#include "sim/app/config/yaml_tree.hpp"

namespace hodge::sim {

struct FileKey {
  std::string path;  // "time.step.cfl", "solids.0.sphere.radius", as --set takes it
  KeyShape key;
};

// Every key of a map and of the maps and lists in it. Names that a file makes are those that `file`
// has there, else NAME; items of lists those that it has, else the first one.
std::vector<FileKey> file_keys(const ValueShape& map, const YamlNode& file);

// Those of a file, as far as it says its case and its dimension; of an empty one those of the case
// custom in 3D.
std::vector<FileKey> keys_of_file(const YamlNode& file, std::span<const CaseSchema> cases);

// `shape_in(dim)` is what the file may hold in a dimension; none where it may not have that.
// `dim()` is that of its grid, as far as it is known.
KeyGuide guide_to_keys(const YamlNode& file, std::function<std::vector<ValueShape>(int)> shape_in,
                       std::function<int()> dim);

}  // namespace hodge::sim
