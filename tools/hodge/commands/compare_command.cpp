#include <CLI/CLI.hpp>
#include <optional>

#include "linalg/base/errors.hpp"
#include "linalg/version.hpp"
#include "sim/app/simulation.hpp"
#include "sim/model/schemes.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/commit.hpp"
#include "tools/hodge/program/job_text.hpp"
#include "tools/hodge/program/options.hpp"

namespace hodge::tools {
namespace {

// Early steps, where much changes, densely; late ones sparsely.
const std::vector<int> default_steps{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000};

constexpr double longest_solve = 10;  // seconds

struct CompareArguments {
  std::vector<std::string> files, overrides;
  std::string device, output;
  std::optional<long> every, steps;
  std::optional<std::optional<double>> give_up;  // as CompareSettings has it
  bool histories = false, overwrite = false;
};

void complete(const CompareArguments& arguments, sim::Settings& settings) {
  if (!settings.compare) {
    const bool symmetric = sim::find_time_scheme(settings.time.scheme).has_symmetric_transport();
    sim::add_default_candidates(settings, symmetric, settings.compare.emplace());
    settings.compare->guesses = true;
    settings.compare->max_seconds = longest_solve;
    if (!arguments.every) settings.compare->steps = default_steps;
  }
  if (arguments.every) {
    settings.compare->every = arguments.every;
    settings.compare->steps.clear();
  }
  if (arguments.give_up) settings.compare->give_up = *arguments.give_up;
  if (arguments.histories) settings.compare->histories = true;
  if (arguments.steps) settings.time.max_steps = arguments.steps;
  settings.output.directory += "_compare";
}

int compare_file(const CompareArguments& arguments, const std::string& file,
                 sim::FlowLeader* leader) {
  Job job = load_job({file, arguments.overrides}, cases::known_cases(), arguments.device);
  print_warnings(job);
  complete(arguments, job.settings);
  if (!arguments.output.empty()) job.settings.output.directory = arguments.output;
  sim::RunOptions options;
  options.overwrite = arguments.overwrite;
  options.version = version;
  options.commit = commit();
  options.leader = leader;
  return sim::run(job, options).exit_code();
}

int compare_command(const CompareArguments& arguments, sim::FlowLeader* leader) {
  if (arguments.files.size() > 1 && !arguments.output.empty())
    throw ConfigError(
        "hodge compare: --output names one directory and there are several files; "
        "leave it out or give one file");
  for (const std::string& file : arguments.files)
    if (const int code = compare_file(arguments, file, leader); code != 0) return code;
  return 0;
}

}  // namespace

void add_compare_command(CLI::App& app, Action& action) {
  auto [command, arguments] = add_command(
      app, action, "compare",
      "Run a simulation, solve its systems by many solvers, and say which one is the fastest",
      compare_command);
  add_configurations_option(
      command, arguments.files,
      "Configurations, YAML files; one without the section compare gets a list of "
      "solvers and compares at steps 1, 2, 5, 10, 20, 50, ...");
  command.add_option("--every", arguments.every, "Compare every so many steps")
      ->check(CLI::PositiveNumber);
  command.add_option("--steps", arguments.steps, "End the run after so many steps")
      ->check(CLI::PositiveNumber);
  add_give_up_option(command, [&arguments = arguments](std::optional<double> times) {
    arguments.give_up = times;
  });
  command.add_flag("--histories", arguments.histories,
                   "Write the residual of every iteration to compare_history.csv");
  add_device_option(command, arguments.device);
  add_set_option(command, arguments.overrides);
  add_output_option(command, arguments.output,
                    "The run directory, in place of the file's with _compare added");
  command.add_flag("--overwrite", arguments.overwrite,
                   "Remove an earlier run from the run directory first");
}

}  // namespace hodge::tools
