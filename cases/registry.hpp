// The cases by name. To add one: a file with a function that returns the Case, and its name in the
// list of registry.cpp.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/app/config/case_schema.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::cases {

using Parameter = sim::ParameterSchema;

// The box that a case is made for, which a configuration without bounds gets.
struct CaseBox {
  std::array<double, 3> lower{0, 0, 0}, upper{1, 1, 1};
};

// A setting of the file that `hodge init` writes, from "time.step.max: 0.1".
struct StarterValue {
  StarterValue(const std::string& setting, std::size_t colon)
      : path(setting, 0, colon), value(setting, colon + 2) {}
  StarterValue(const char* setting)  // NOLINT: implicit, so that starters read like files
      : StarterValue(setting, std::string_view(setting).find(": ")) {}

  std::string path, value;
};

// Every parameter must be present. Errors: ConfigError where the grid does not suit the case.
using MakeProblem = sim::Problem (*)(const sim::Settings& settings);

struct Case {
  const char* name;
  const char* description;
  std::vector<Parameter> parameters{};
  std::vector<int> dimensions;
  MakeProblem make;
  CaseBox box{};
  bool described_in_file = false;  // the settings say what other cases bring
  // What a new file begins with: the values that the case cannot do without, and those that suit
  // it better than the defaults. Small grids, so that the first run is short.
  std::vector<StarterValue> starter;
};

// The problem of the case with the scalars and solids that the settings add. Errors: as make has.
sim::Problem make_problem(const Case& entry, const sim::Settings& settings);

std::span<const Case> case_table();
const Case* find_case(std::string_view name);  // null where there is none

}  // namespace hodge::cases
