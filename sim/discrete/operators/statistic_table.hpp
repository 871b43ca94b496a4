// The statistics over time that output.fields may name, beside the fields of output_field_table().
#pragma once

#include <span>

#include "sim/discrete/operators/output_fields.hpp"

namespace hodge::sim {

struct StatisticRow {
  const char* name;    // with FIELD or SCALAR where the name of one stands
  const char* prefix;  // what stands before that name; all of the name where none does
  StatisticKind kind;
  const char* description;
};

std::span<const StatisticRow> statistic_table();

}  // namespace hodge::sim
