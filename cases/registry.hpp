// The cases by name. To add one: one file, one declaration and one line in the table of
// registry.cpp.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "sim/model/problem.hpp"
#include "sim/model/settings.hpp"

namespace hodge::cases {

struct Parameter {
  const char* name;
  double default_value;
  double lower, upper;  // the values allowed, both included
  const char* description;
};

// The box that a case is made for, which a configuration without bounds gets.
struct CaseBox {
  std::array<double, 3> lower{0, 0, 0}, upper{1, 1, 1};
};

struct Case {
  const char* name;
  const char* description;
  std::span<const Parameter> parameters;
  std::span<const int> dimensions;
  // Every parameter must be present. Errors: ConfigError where the grid does not suit the case.
  sim::Problem (*make)(const sim::Settings& settings);
  CaseBox box{};
  bool described_in_file = false;  // the settings say what other cases bring
};

// The problem of the case with the scalars and solids that the settings add. Errors: as make has.
sim::Problem make_problem(const Case& entry, const sim::Settings& settings);

std::span<const Case> case_table();
const Case* find_case(std::string_view name);  // null where there is none

extern const Case backward_facing_step;
extern const Case brusselator;
extern const Case brusselator_line;
extern const Case circular_cylinder;
extern const Case custom;
extern const Case duct;
extern const Case ethier_steinman;
extern const Case heated_cavity;
extern const Case kovasznay;
extern const Case lid_driven_cavity;
extern const Case manufactured_scalar;
extern const Case oscillating_flow;
extern const Case poiseuille;
extern const Case rayleigh_benard;
extern const Case robertson;
extern const Case rotating_cone;
extern const Case smith_hutton;
extern const Case square_cylinder;
extern const Case taylor_green;
extern const Case taylor_green_3d;

}  // namespace hodge::cases
