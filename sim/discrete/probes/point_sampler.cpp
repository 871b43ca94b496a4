#include "sim/discrete/probes/point_sampler.hpp"

#include "sim/discrete/fields/velocity.hpp"
#include "sim/discrete/grid/grid.hpp"

namespace hodge::sim {

std::vector<std::string> field_columns(const std::vector<std::string>& fields, int dim) {
  std::vector<std::string> columns;
  for (const std::string& field : fields) {
    if (field == "velocity")
      columns.insert(columns.end(), velocity_names.begin(), velocity_names.begin() + dim);
    else if (field == "vorticity" && dim == 3)
      for (const char* axis : axis_names) columns.push_back(field + "_" + axis);
    else
      columns.push_back(field);
  }
  return columns;
}

}  // namespace hodge::sim
