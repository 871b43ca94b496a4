// What a configuration file must know of a case: its name, its parameters, its dimensions. The
// table of cases is above sim, so whoever reads a file passes this along.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace hodge::sim {

struct Problem;
struct Settings;

struct ParameterSchema {
  std::string name;
  double default_value = 0;
  double lower = -std::numeric_limits<double>::infinity();  // both bounds are allowed values
  double upper = std::numeric_limits<double>::infinity();
  std::string description = {};
};

struct CaseContents {
  std::vector<std::string> scalars;
  bool solids = false;
  bool prescribed_velocity = false;  // only scalars are carried
};

struct CaseSchema {
  std::string name{};
  std::vector<ParameterSchema> parameters{};
  std::vector<int> dimensions{2};  // 2, 3 or both
  // Of the box, where the file does not give them.
  std::array<double, 3> lower{0, 0, 0}, upper{1, 1, 1};
  // Throws ConfigError, without a place, where box, grid and parameters do not suit each other.
  std::function<void(const Settings&)> check = [](const Settings&) {};
  // What the case has of itself, for parameters and grid. Throws as check does.
  std::function<CaseContents(const Settings&)> contents = [](const Settings&) {
    return CaseContents();
  };
  bool described_in_file = false;  // the file says what fluid, boundaries and initial state are
  // The problem, with what the file adds. Throws as check does.
  std::function<Problem(const Settings&)> make{};
};

}  // namespace hodge::sim
