#include "tools/hodge/commands/run_program.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>

#include "linalg/version.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/program.hpp"

namespace hodge::tools {
namespace {

// What `hodge --version` prints. The macros come from tools/CMakeLists.txt; HODGE_CUDA_VERSION is
// "" without CUDA.
std::string version_text() {
  const std::string toolkit = HODGE_CUDA_VERSION;
#ifdef __clang__
  const char* compiler = "";  // __VERSION__ names it
#else
  const char* compiler = "GCC ";
#endif
  return fmt::format("hodge {}\nCUDA: {}\nbuild: {}, {}{}", version,
                     toolkit.empty() ? "no" : "yes, toolkit " + toolkit, HODGE_BUILD_TYPE, compiler,
                     __VERSION__);
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// The command that was meant, with its full name: `hodge matrix info`.
struct Chosen {
  const CLI::App* command;
  std::string name;
};

Chosen chosen_command(const CLI::App& app) {
  Chosen chosen{&app, app.get_name()};
  while (!chosen.command->get_subcommands().empty()) {
    chosen.command = chosen.command->get_subcommands().front();
    chosen.name += " " + chosen.command->get_name();
  }
  return chosen;
}

// What CLI11 found wrong, in one line that names the nearest command or option.
std::string command_line_error(const CLI::App& app, const CLI::ParseError& error) {
  const auto [command, name] = chosen_command(app);
  const std::vector<std::string> extra = command->remaining(true);
  const std::vector<std::string> commands = command_names(*command);
  if (!commands.empty()) {
    const std::string known = "known commands: " + sim::join(commands);
    if (extra.empty()) return fmt::format("{}: no command given, {}", name, known);
    const bool option = extra.front().starts_with("-");
    return fmt::format(
        "{}: unknown {} {}, {}{}", name, option ? "option" : "command", sim::quote(extra.front()),
        sim::suggestion(extra.front(), option ? option_names(*command) : commands), known);
  }
  const std::string help = fmt::format("'{} --help' shows the usage", name);
  const bool superfluous = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError);
  if (!extra.empty() && superfluous) {
    return fmt::format("{}: unexpected {}, {}{}", name, sim::quote(extra.front()),
                       sim::suggestion(extra.front(), option_names(*command)), help);
  }
  return fmt::format("{}: {}; {}", name, sim::one_line(error.what()), help);
}

}  // namespace

int run_program(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away must not end a run
  CLI::App app("Incompressible flow on Cartesian grids: simulates what a YAML file describes.",
               "hodge");
  std::function<int()> action;
  add_run_command(app, action);
  add_compare_command(app, action);
  add_study_command(app, action);
  add_check_command(app, action);
  add_init_command(app, action);
  add_schema_command(app, action);
  add_list_commands(app, action);
  add_validate_command(app, action);
  add_stability_command(app, action);
  add_solve_command(app, action);
  add_matrix_command(app, action);
  add_bench_command(app, action);
  add_gauss_command(app, action);
  app.set_version_flag("--version", version_text());
  app.set_help_flag("--help,-h", "Print this help and exit");
  app.footer(exit_codes_text());
  app.require_subcommand(1);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return after_output(app.exit(error, std::cout, std::cerr));
    return fail(2, command_line_error(app, error));
  }
  return guarded(action);
}

}  // namespace hodge::tools
