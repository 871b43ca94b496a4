#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "cases/registry.hpp"
#include "linalg/solve/registry.hpp"
#include "sim/app/config/schema.hpp"
#include "sim/base/formulas/functions.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/grid/stretching.hpp"
#include "sim/discrete/operators/convection.hpp"
#include "sim/discrete/operators/output_fields.hpp"
#include "sim/model/boundaries.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/stability.hpp"
#include "tools/hodge/commands/commands.hpp"

namespace hodge::tools {
namespace {

using sim::number_text;

template <typename Table>
void print_table(const std::string& title, const Table& table) {
  std::cout << title << "\n";
  for (const auto& entry : table) {
    std::cout << fmt::format("  {:<16} {}\n", entry.name, entry.description);
  }
}

std::string range_text(const cases::Parameter& parameter) {
  return sim::from_to(parameter.lower, parameter.upper).text();
}

int list_cases() {
  for (const cases::Case& entry : cases::case_table()) {
    std::cout << fmt::format("{} ({}D)\n  {}\n", entry.name, fmt::join(entry.dimensions, "D, "),
                             entry.description);
    for (const cases::Parameter& parameter : entry.parameters) {
      std::cout << fmt::format("    {:<14} {}: default {}, a number{}\n", parameter.name,
                               parameter.description, number_text(parameter.default_value),
                               range_text(parameter));
    }
  }
  return 0;
}

// Each entry with its settings.
template <typename Table>
void print_methods(const std::string& title, const Table& table) {
  std::cout << title << "\n";
  for (const auto& entry : table) {
    std::cout << fmt::format("  {:<16} {}\n", entry.name, entry.description);
    for (const linalg::Option& option : entry.options({}))
      std::cout << fmt::format("    {:<14} {}: default {}, {}\n", option.name, option.text,
                               option.value_text(), option.expected());
  }
}

int list_solvers() {
  print_methods("solvers (method and fallback of solvers.pressure, .transport, .scalars)",
                linalg::solver_table());
  std::cout << "\n";
  print_methods("preconditioners (preconditioner.kind)", linalg::preconditioner_table());
  return 0;
}

int list_schemes() {
  print_table("time schemes (time.scheme)", sim::time_scheme_table());
  std::cout << "\n";
  print_table("convection schemes (convection.scheme)", sim::convection_table());
  std::cout << "\n";
  std::cout << "both together: the default of time.step.cfl, and where they are stable\n";
  for (const sim::StablePair& pair : sim::stability_table())
    std::cout << fmt::format("  {:<16} {:<10} {:<6} {}\n", pair.time, pair.convection,
                             pair.default_cfl, sim::stability_text(pair));
  std::cout << "\n";
  print_table("grid stretchings (grid.stretching.x.kind)", sim::stretching_table());
  std::cout << "\n";
  print_table("kinds of sides (boundaries.x_lower.kind)", sim::side_kind_table());
  std::cout << "\n";
  print_table("conditions of scalars (scalars.NAME.boundaries.x_lower)",
              sim::scalar_condition_table());
  std::cout << "\n";
  print_table("output fields (output.fields), and scalars by their names",
              sim::output_field_table());
  std::cout << "\n";
  print_table("functions of formulas", sim::formula_function_table());
  std::cout
      << "  and + - * / ^ < <= > >= == != && ||, condition ? a : b, the names x, y, z, t, pi, "
         "e\n  and those of the parameters; in reactions those of the scalars\n";
  return 0;
}

void add_list(CLI::App& app, std::function<int()>& action, const char* name,
              const char* description, int (*list)()) {
  app.add_subcommand(name, description)->callback([&action, list] { action = list; });
}

}  // namespace

void add_list_commands(CLI::App& app, std::function<int()>& action) {
  add_list(app, action, "cases", "List the cases and their parameters", list_cases);
  add_list(app, action, "solvers", "List the solvers and preconditioners", list_solvers);
  add_list(app, action, "schemes",
           "List schemes, kinds of sides, output fields, functions of formulas", list_schemes);
}

}  // namespace hodge::tools
