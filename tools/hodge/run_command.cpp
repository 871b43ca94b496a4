#include <CLI/CLI.hpp>
#include <memory>

#include "linalg/version.hpp"
#include "sim/run/run.hpp"
#include "tools/hodge/commands.hpp"
#include "tools/hodge/job.hpp"
#include "tools/hodge/options.hpp"

namespace hodge::tools {
namespace {

struct RunArguments {
  sim::ConfigSource source;
  std::string device, output, restart;
  bool overwrite = false;
};

int run_command(const RunArguments& arguments) {
  Job job = load_job(arguments.source);
  if (!arguments.device.empty()) job.settings.device = arguments.device;
  if (!arguments.output.empty()) job.settings.output.directory = arguments.output;
  sim::RunOptions options;
  options.overwrite = arguments.overwrite;
  options.version = version;
  options.restart = arguments.restart;
  return sim::run(job.settings, job.problem, options).exit_code();
}

}  // namespace

void add_run_command(CLI::App& app, std::function<int()>& action) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = app.add_subcommand("run", "Run a simulation");
  command->add_option("FILE", arguments->source.file, "The configuration, a YAML file")
      ->required()
      ->check(not_empty());
  add_device_option(*command, arguments->device,
                    "auto, cpu, cuda or cuda:N, in place of the file's");
  add_set_option(*command, arguments->source.overrides);
  add_output_option(*command, arguments->output, "The run directory, in place of the file's");
  command->add_flag("--overwrite", arguments->overwrite,
                    "Remove an earlier run from the run directory first");
  command
      ->add_option("--restart", arguments->restart,
                   "Go on from a checkpoint: a file, or latest for the newest of the run directory")
      ->type_name("FILE|latest")
      ->check(not_empty());
  command->callback(
      [&action, arguments] { action = [arguments] { return run_command(*arguments); }; });
}

}  // namespace hodge::tools
