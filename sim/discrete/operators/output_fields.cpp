#include "sim/discrete/operators/output_fields.hpp"

#include <algorithm>

namespace hodge::sim {
namespace {

constexpr std::string_view prefix_of_means = "mean_";

}  // namespace

const OutputField* find_output_field(std::string_view name) {
  for (const OutputField& row : output_field_table())
    if (name == row.name) return &row;
  return nullptr;
}

int components_of(const std::string& field, int dim) {
  const OutputField* const row = find_output_field(averaged_field(field).value_or(field));
  return row == nullptr ? 1 : row->components[static_cast<std::size_t>(dim - 2)];
}

int computed_components_of(const std::string& field, int dim) {
  return std::min(components_of(field, dim), dim);
}

std::vector<std::string> field_columns(const std::vector<std::string>& fields, int dim) {
  const auto is_scalar = [&](const char* name) {
    return std::find(fields.begin(), fields.end(), name) != fields.end();
  };
  std::vector<std::string> columns;
  for (const std::string& field : fields) {
    const OutputField* const row = find_output_field(field);
    const int components = computed_components_of(field, dim);
    const bool has_names =
        row && row->is == StoredField::velocity &&
        std::none_of(velocity_names.begin(), velocity_names.begin() + dim, is_scalar);
    for (int d = 0; d < components; ++d)
      columns.push_back(has_names        ? velocity_names[d]
                        : components > 1 ? field + "_" + axis_names[d]
                                         : field);
  }
  return columns;
}

std::optional<std::string> averaged_field(const std::string& name) {
  if (!name.starts_with(prefix_of_means)) return std::nullopt;
  return name.substr(prefix_of_means.size());
}

std::vector<std::string> with_means(std::vector<std::string> fields) {
  const std::size_t count = fields.size();
  for (std::size_t i = 0; i < count; ++i) {
    const OutputField* const row = find_output_field(fields[i]);
    if (row == nullptr || row->is != StoredField::none)
      fields.push_back(std::string(prefix_of_means) + fields[i]);
  }
  return fields;
}

std::vector<std::string> fields_of_probes(std::vector<std::string> fields) {
  std::erase_if(fields, [](const std::string& name) {
    const OutputField* const row = find_output_field(name);
    return averaged_field(name) || (row && !row->has_probes);
  });
  return fields;
}

}  // namespace hodge::sim
