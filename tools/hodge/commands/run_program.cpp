#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <optional>
#include <vector>

#include "cases/registry.hpp"
#include "linalg/processes/all_processes.hpp"
#include "linalg/processes/launched.hpp"
#include "linalg/space/device.hpp"
#include "linalg/version.hpp"
#include "sim/app/run/provenance.hpp"
#include "sim/app/run/signals.hpp"
#include "sim/app/simulation.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/commit.hpp"
#include "tools/hodge/program/environment.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/processes.hpp"
#include "tools/hodge/program/program.hpp"
#include "tools/hodge/program/same_command.hpp"

namespace hodge::tools {
namespace {

// The commands that several processes run together (mpirun -n 4 hodge ...); others are refused
// there.
struct ParallelCommand {
  std::string name;
  bool is_led;  // by process 0, and the others have parts of its flows
};
const std::vector<ParallelCommand> parallel_commands{{"run", true},    {"compare", true},
                                                     {"study", true},  {"validate", true},
                                                     {"solve", false}, {"bench", false}};

std::string cuda_text() {
  const std::string toolkit = sim::cuda_toolkit_version();
  if (toolkit.empty()) return "no, built without it";
  return fmt::format(
      "yes, toolkit {}, {}", toolkit,
      linalg::chosen_gpu("auto") < 0 ? "no usable GPU on this machine" : "a GPU is usable");
}

std::string mpi_text() {
  const linalg::MpiLibrary mpi = linalg::mpi_library();
  return mpi.name.empty() ? "no, " + mpi.reason : "yes, " + mpi.name;
}

std::string nccl_text() {
  if (sim::cuda_toolkit_version().empty()) return "no, built without CUDA";
  const std::string nccl = linalg::nccl_version();
  return nccl.empty() ? "no, libnccl.so.2 (2.7 or newer) was not found" : "yes, " + nccl;
}

// What `hodge --version` prints. MPI and NCCL are asked for, as a run would: nothing is linked.
std::string version_text() {
  std::vector<std::string> libraries;
  for (const sim::Library& library : sim::library_versions())
    libraries.push_back(std::string(library.name) + " " + library.version);
  return fmt::format("hodge {}\ncommit: {}\nCUDA: {}\nMPI: {}\nNCCL: {}\nbuild: {}\nlibraries: {}",
                     version, commit(), cuda_text(), mpi_text(), nccl_text(), sim::build_text(),
                     sim::join(libraries));
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

// What CLI11 found wrong, in one line that names the nearest command or option.
std::string command_line_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* command = &app;     // the one that was meant
  std::string name = app.get_name();  // its full name: `hodge matrix info`
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
  }
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
  if (!extra.empty() && superfluous)
    return fmt::format("{}: unexpected {}, {}{}", name, sim::quote(extra.front()),
                       sim::suggestion(extra.front(), option_names(*command)), help);
  return fmt::format("{}: {}; {}", name, sim::one_line(error.what()), help);
}

// The chosen command among several processes, all of which decide alike.
int run_in_processes(const CLI::App& app, const linalg::Launch& launch, const Action& action) {
  const std::string command = app.get_subcommands().front()->get_name();
  const auto found = std::ranges::find(parallel_commands, command, &ParallelCommand::name);
  if (found != parallel_commands.end() && !found->is_led) return action(nullptr);
  if (found != parallel_commands.end()) {
    // Until this process ends: what comes behind the last step ends nothing.
    static std::optional<sim::SignalGuard> signals;
    if (linalg::all_processes().rank() > 0) signals.emplace(sim::SignalGuard::Second::is_ignored);
    return sim::lead_or_follow(
        linalg::all_processes(), cases::known_cases(),
        [&](sim::FlowLeader& leader) { return action(&leader); }, [] { return signals->take(); });
  }
  return fail(2, fmt::format("hodge {}: runs in one process only so far, and {} were started ({}); "
                             "commands for several processes: {}",
                             command, launch.size, launch.launcher,
                             sim::join(sim::names_of(parallel_commands))));
}

void add_commands(CLI::App& app, Action& action) {
  for (AddCommand* add :
       {add_run_command, add_sweep_command, add_compare_command, add_study_command,
        add_check_command, add_init_command, add_schema_command, add_list_commands,
        add_validate_command, add_solve_command, add_matrix_command, add_bench_command,
        add_gauss_command, add_reproduce_command, add_verify_command, add_view_command,
        add_completion_commands})
    add(app, action);
  app.set_version_flag("--version", version_text,
                       "Print version, commit, build and libraries and exit");
  app.set_help_flag("--help,-h", "Print this help and exit");
  app.footer(exit_codes_text());
  app.require_subcommand(1);
}

// Those that the chosen command names.
std::vector<std::string> configurations_of(const CLI::App& app) {
  std::vector<std::string> files;
  for (CLI::App* command : app.get_subcommands())
    for (CLI::Option* option : command->get_options())
      if (takes_configurations(*option))
        files.insert(files.end(), option->results().begin(), option->results().end());
  return files;
}

// What --help and --version print, or what is wrong with the command line.
int tell(const CLI::App& app, const CLI::ParseError& error) {
  return error.get_exit_code() == 0 ? app.exit(error, std::cout, std::cerr)
                                    : fail(2, command_line_error(app, error));
}

int run_command_line(int argc, char** argv, const linalg::Launch& launch) {
  OnlyFirstTalks voice(launch.rank);
  CLI::App app("Incompressible flow on Cartesian grids: simulates what a YAML file describes.",
               "hodge");
  Action action;
  add_commands(app, action);
  std::optional<CLI::ParseError> error;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& of_parsing) {
    error = of_parsing;
  }
  const auto checked_action = [&](sim::FlowLeader* leader) {
    check_blas_environment();
    return action(leader);
  };
  const bool only_tells = error && error->get_exit_code() == 0;
  if (error && (!launch.several() || (only_tells && linalg::mpi_library().name.empty())))
    return after_output(tell(app, *error));
  if (!launch.several()) return guarded([&] { return checked_action(nullptr); });
  return in_all_processes(launch, voice, [&] {
    const std::vector<std::string> words(argv + 1, argv + argc);
    require_same_command(linalg::all_processes(), words, configurations_of(app));
    return error ? tell(app, *error) : run_in_processes(app, launch, checked_action);
  });
}

}  // namespace

int run_program(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away must not end a run
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error of writing, EFBIG
  return guarded([&] { return run_command_line(argc, argv, linalg::launched_processes()); });
}

}  // namespace hodge::tools
