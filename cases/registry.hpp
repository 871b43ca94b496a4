// The cases by name. To add one: one file, one declaration and one line in the table of
// registry.cpp.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>

#include "sim/config/settings.hpp"
#include "sim/flow/problem.hpp"

namespace hodge::cases {

struct Parameter {
  const char* name;
  double default_value;
  double lower, upper;  // the values allowed, both included
  const char* description;
};

struct Case {
  const char* name;
  const char* description;
  std::span<const Parameter> parameters;
  std::span<const int> dimensions;
  // Every parameter must be present. Errors: ConfigError where the grid does not suit the case.
  sim::Problem (*make)(const std::map<std::string, double>& parameters,
                       const sim::GridSettings& grid);
};

std::span<const Case> case_table();
const Case* find_case(std::string_view name);  // null where there is none

extern const Case lid_driven_cavity;
extern const Case taylor_green;

}  // namespace hodge::cases
