#include <CLI/CLI.hpp>

#include "cases/registry.hpp"
#include "linalg/solve/registry.hpp"
#include "sim/app/config/file_keys.hpp"
#include "sim/app/config/schema.hpp"
#include "sim/base/formulas/functions.hpp"
#include "sim/discrete/grid/stretching.hpp"
#include "sim/discrete/operators/convection.hpp"
#include "sim/discrete/operators/output_fields.hpp"
#include "sim/discrete/operators/statistic_table.hpp"
#include "sim/model/boundaries.hpp"
#include "sim/model/schemes.hpp"
#include "sim/time/stability.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/job_text.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools {
namespace {

using linalg::number_text;

// Each entry, with its settings where it has some.
template <typename Table>
void print_table(const std::string& title, const Table& table) {
  std::cout << title << "\n";
  for (const auto& entry : table) {
    say("  {:<16} {}\n", entry.name, entry.description);
    if constexpr (requires { entry.options({}); })
      for (const linalg::Option& option : entry.options({}))
        say("    {:<14} {}: default {}, {}\n", option.name, option.text, option.value_text(),
            option.expected());
  }
}

int list_cases() {
  for (const cases::Case& entry : cases::case_table()) {
    say("{} ({}D)\n  {}\n", entry.name, fmt::join(entry.dimensions, "D, "), entry.description);
    for (const cases::Parameter& parameter : entry.parameters)
      say("    {:<14} {}: default {}, a number{}\n", parameter.name, parameter.description,
          number_text(parameter.default_value),
          sim::from_to(parameter.lower, parameter.upper).text());
  }
  return 0;
}

int list_solvers() {
  print_table("solvers (method and fallback of solvers.pressure, .transport, .scalars)",
              linalg::solver_table());
  print_table("\npreconditioners (preconditioner.kind)", linalg::preconditioner_table());
  return 0;
}

int list_schemes() {
  print_table("time schemes (time.scheme)", sim::time_scheme_table());
  print_table("\nconvection schemes (convection.scheme, convection.scalars)",
              sim::convection_table());
  std::cout << "\nboth together: the default of time.step.cfl, and where they are stable\n";
  for (const sim::StablePair& pair : sim::stability_table())
    say("  {:<16} {:<10} {:<6} {}\n", pair.time, pair.convection, pair.default_cfl,
        sim::stability_text(pair));
  std::cout << "\nforces of the velocity: the largest dt |2 rotation|, dt |df_d/du_d| and dt sum "
               "|df_d/du_e|, each alone\n";
  for (const sim::TimeScheme& scheme : sim::time_scheme_table())
    say("  {:<16} {:<6} {:<6} {}\n", scheme.name, scheme.force.turning, scheme.force.decay,
        scheme.force.coupling);
  print_table("\ngrid stretchings (grid.stretching.x.kind)", sim::stretching_table());
  print_table("\nkinds of sides (boundaries.x_lower.kind)", sim::side_kind_table());
  print_table("\nconditions of scalars (scalars.NAME.boundaries.x_lower)",
              sim::scalar_condition_table());
  print_table("\noutput fields (output.fields), and scalars by their names",
              sim::output_field_table());
  print_table("\nstatistics over time (output.fields, with output.statistics)",
              sim::statistic_table());
  print_table("\nfunctions of formulas", sim::formula_function_table());
  std::cout
      << "  and + - * / ^ < <= > >= == != && ||, condition ? a : b, the names x, y, z, t, pi, "
         "e\n  and those of the parameters; in reactions those of the scalars\n";
  return 0;
}

// Maps have their keys below, which are listed.
int list_keys(const std::string& file) {
  const sim::YamlNode root = file.empty() ? sim::YamlNode() : sim::load_yaml(file);
  for (const auto& [path, key] : sim::keys_of_file(root, cases::known_cases()))
    if (key.value.keys.empty() && key.value.named.empty())
      say("{:<40} {}\n", path, key.description);
  return 0;
}

void add_list(CLI::App& app, Action& action, const char* name, const char* description,
              int (*list)()) {
  app.add_subcommand(name, description)->callback([&action, list] {
    action = [list](sim::FlowLeader*) { return list(); };
  });
}

}  // namespace

void add_list_commands(CLI::App& app, Action& action) {
  add_list(app, action, "cases", "List the cases and their parameters", list_cases);
  add_list(app, action, "solvers", "List the solvers and preconditioners", list_solvers);
  add_list(app, action, "schemes",
           "List schemes, kinds of sides, output fields, statistics, functions of formulas",
           list_schemes);
  auto [keys, file] =
      add_command(app, action, "keys",
                  "List the keys of a configuration, as --set and --over take them", list_keys);
  keys.add_option("FILE", file, "The configuration; without it any of the case custom in 3D")
      ->check(not_empty("*.yaml *.yml"));
}

}  // namespace hodge::tools
