#include "sim/discrete/operators/output_fields.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/discrete/operators/statistic_table.hpp"

namespace hodge::sim {
namespace {

constexpr std::array<StatisticRow, 4> rows{
    {{"mean_FIELD", "mean_", StatisticKind::mean, "of velocity, pressure or a scalar"},
     {"rms_FIELD", "rms_", StatisticKind::rms, "root of the mean square of its fluctuation"},
     {"reynolds_stress", "reynolds_stress", StatisticKind::stress,
      "means of the products of velocity fluctuations: xx, yy, zz, xy, yz, xz"},
     {"flux_SCALAR", "flux_", StatisticKind::flux,
      "means of the products of velocity and scalar fluctuations"}}};

std::string name_of(StatisticKind kind, const std::string& field = {}) {
  for (const StatisticRow& row : rows)
    if (row.kind == kind) return row.prefix + field;
  return field;
}

// Stored are velocity, pressure and scalars.
bool is_stored(const std::string& field) {
  const OutputField* const row = find_output_field(field);
  return row == nullptr ? !find_statistic(field) : row->is != StoredField::none;
}

bool is_scalar(const std::string& field) {
  return is_stored(field) && find_output_field(field) == nullptr;
}

}  // namespace

const OutputField* find_output_field(std::string_view name) {
  for (const OutputField& row : output_field_table())
    if (name == row.name) return &row;
  return nullptr;
}

int components_of(const std::string& field, int dim) {
  const std::optional<Statistic> statistic = find_statistic(field);
  if (statistic && statistic->kind == StatisticKind::stress) return MomentArrays::most;
  if (statistic && statistic->kind == StatisticKind::flux) return 3;
  const OutputField* const row = find_output_field(statistic ? statistic->of : field);
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

std::span<const StatisticRow> statistic_table() {
  return rows;
}

std::optional<Statistic> find_statistic(const std::string& name) {
  for (const StatisticRow& row : rows) {
    if (row.kind == StatisticKind::stress) {
      if (name == row.prefix) return Statistic{row.kind, "velocity"};
    } else if (name.starts_with(row.prefix)) {
      return Statistic{row.kind, name.substr(std::string_view(row.prefix).size())};
    }
  }
  return std::nullopt;
}

std::optional<std::string> averaged_field(const std::string& name) {
  const std::optional<Statistic> statistic = find_statistic(name);
  if (!statistic || statistic->kind != StatisticKind::mean) return std::nullopt;
  return statistic->of;
}

std::vector<std::string> with_statistics(std::vector<std::string> fields) {
  const std::vector<std::string> own = fields;
  for (const StatisticKind kind : {StatisticKind::mean, StatisticKind::rms})
    for (const std::string& field : own)
      if (is_stored(field)) fields.push_back(name_of(kind, field));
  fields.push_back(name_of(StatisticKind::stress));
  for (const std::string& field : own)
    if (is_scalar(field)) fields.push_back(name_of(StatisticKind::flux, field));
  return fields;
}

std::vector<std::string> usual_statistics(const std::vector<std::string>& fields) {
  std::vector<std::string> usual;
  for (const std::string& field : fields)
    if (is_stored(field)) usual.push_back(name_of(StatisticKind::mean, field));
  usual.push_back(name_of(StatisticKind::stress));
  for (const StatisticKind kind : {StatisticKind::rms, StatisticKind::flux})
    for (const std::string& field : fields)
      if (is_scalar(field)) usual.push_back(name_of(kind, field));
  return usual;
}

std::vector<std::string> fields_of_probes(std::vector<std::string> fields) {
  std::erase_if(fields, [](const std::string& name) {
    const OutputField* const row = find_output_field(name);
    return find_statistic(name) || (row && !row->has_probes);
  });
  return fields;
}

std::vector<std::string> usual_fields_of_probes(const std::vector<std::string>& fields) {
  std::vector<std::string> usual = fields_of_probes(fields);
  std::erase_if(usual, [](const std::string& name) {
    const OutputField* const row = find_output_field(name);
    return row && !row->is_for_all_probes;
  });
  return usual;
}

}  // namespace hodge::sim
