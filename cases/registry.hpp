// The cases by name. To add one: a file cases/NAME.cpp with a function describe() in the namespace
// hodge::cases::NAME; the build finds the file. What most of them use comes with this header.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "linalg/base/errors.hpp"
#include "sim/app/config/case_schema.hpp"
#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::cases {

using Parameter = sim::ParameterSchema;
using sim::Expression, sim::FormulaNames, sim::Point, sim::Problem, sim::ScalarProblem,
    sim::Settings;
using sim::ScalarSide, sim::ScalarSideKind, sim::Side, sim::SideKind;
using Vector = std::array<double, 3>;

// The box that a case is made for, which a configuration without bounds gets.
struct CaseBox {
  Vector lower{0, 0, 0}, upper{1, 1, 1};
};

// A setting of the file that `hodge init` writes, from "time.step.max: 0.1".
struct StarterValue {
  StarterValue(const char* setting)  // NOLINT: implicit, so that starters read like files
      : path(setting, std::string_view(setting).find(": ")), value(setting + path.size() + 2) {}

  std::string path, value;
};

// Every parameter must be present. Errors: ConfigError where the grid does not suit the case.
using MakeProblem = std::function<Problem(const Settings& settings)>;

struct Case {
  const char* name = nullptr;  // that of its file unless said
  const char* description;
  std::vector<Parameter> parameters{};
  std::vector<int> dimensions{2, 3};
  MakeProblem make;
  CaseBox box{};
  bool described_in_file = false;  // the settings say what other cases bring
  // What a new file begins with: the values that the case cannot do without, and those that suit
  // it better than the defaults. Small grids, so that the first run is short.
  std::vector<StarterValue> starter;
};
using Cases = std::vector<Case>;  // of one file, in most of them one

// For cases whose formulas hold in one box, or in a whole number of periods along each axis: errors
// (ConfigError) where the grid has another box. `name` is that of the case, `text` what the message
// calls the box; the period is the value of the parameter, whose name the message repeats.
void check_box(const std::string& name, const Settings& settings, const CaseBox& box,
               const std::string& text);
void check_periods(const std::string& name, const Settings& settings, const std::string& parameter);

// The problem of the case with the scalars and solids that the settings add. Errors: as make has.
Problem make_problem(const Case& entry, const Settings& settings);

std::span<const Case> case_table();
// The same as readers of configurations and the facade (sim/app) want it.
const std::vector<sim::CaseSchema>& known_cases();
const Case* find_case(std::string_view name);  // null where there is none

}  // namespace hodge::cases
