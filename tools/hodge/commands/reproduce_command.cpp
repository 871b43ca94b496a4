#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "linalg/files/atomic_file.hpp"
#include "linalg/files/directories.hpp"
#include "linalg/files/read_file.hpp"
#include "sim/app/config/schema.hpp"
#include "tools/hodge/bench/experiment.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/matrix/matrix.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/outputs.hpp"
#include "tools/hodge/program/program.hpp"
#include "tools/hodge/reproduce/reproduction.hpp"

namespace hodge::tools {
namespace {

using reproduce::Findings;
using reproduce::Reproduction;

struct ReproduceArguments {
  std::vector<std::string> names;
  bench::BenchOptions options;
  std::filesystem::path from, markdown;
  bool overwrite = false;
};

std::vector<Reproduction> chosen(const std::vector<std::string>& names) {
  std::vector<Reproduction> all = reproduce::all_reproductions();
  if (names.empty()) return all;
  std::erase_if(all, [&](const Reproduction& one) {
    return std::find(names.begin(), names.end(), one.name) == names.end();
  });
  return all;
}

sim::Json measured_before(const std::filesystem::path& folder, const std::string& experiment) {
  const std::filesystem::path file = folder / (experiment + ".json");
  if (!is_a_file(file))
    throw wrong_input("--from {}: {} is not there, expected it from `hodge bench {} --output {}`",
                      folder.string(), file.filename().string(), experiment, folder.string());
  return bench::read_result(file.string(), "--from");
}

sim::Json measure(const std::string& name, const bench::BenchOptions& options) {
  const bench::Experiment& experiment = *bench::find_experiment(name);
  bench::ExperimentRun run(experiment.name, experiment.description, options);
  experiment.measure(run);
  if (!options.output.empty()) run.write(options.output);
  return run.json();
}

void check_written(const ReproduceArguments& arguments,
                   const std::vector<std::string>& experiments) {
  Files inputs = bench::inputs(arguments.options);
  if (!arguments.from.empty())
    for (const std::string& name : experiments) inputs.push_back(arguments.from / (name + ".json"));
  check_outputs({arguments.markdown}, inputs, arguments.overwrite);
  bench::check_output_folder(arguments.options, experiments, inputs, arguments.overwrite);
}

int reproduce_command(const ReproduceArguments& arguments) {
  const std::vector<Reproduction> wanted = chosen(arguments.names);
  const std::vector<std::string> experiments = reproduce::experiments_of(wanted);
  Findings findings;
  check_written(arguments, experiments);
  check(arguments.options);
  // All files are read before anything is measured or written.
  for (const std::string& name : experiments)
    findings.add(arguments.from.empty() ? measure(name, arguments.options)
                                        : measured_before(arguments.from, name));
  for (const Reproduction& one : wanted) {
    const sim::Table table = reproduce::claims_table(one, findings);
    std::cout << fmt::format("\n{}: {}\n{}", one.name, table.title(), table.text());
  }
  if (!arguments.markdown.empty())
    write_file_atomically(
        arguments.markdown,
        reproduce::literature_markdown(
            wanted, findings,
            fmt::format("hodge reproduce{}{}", arguments.options.quick ? " --quick" : "",
                        arguments.options.device == "auto"
                            ? ""
                            : " --device " + arguments.options.device)));
  return 0;
}

}  // namespace

void add_reproduce_command(CLI::App& app, Action& action) {
  auto [command, arguments] = add_command(
      app, action, "reproduce",
      "Tables and figures of the works behind linalg, beside what this machine measures",
      reproduce_command);
  const std::vector<Reproduction> all = reproduce::all_reproductions();
  command.add_option("NAME", arguments.names, which_ones(all))
      ->check(one_of("reproduction", sim::names_of(all)));
  command.add_flag("--quick", arguments.options.quick,
                   "Small sizes: says that the program works, not what is true of this machine");
  add_device_option(command, arguments.options.device,
                    "auto (the CPU and, where there is one, the GPU), cpu, cuda or cuda:N");
  add_output_option(command, arguments.options.output,
                    "Write the measurements into DIR, as `hodge bench --output` does");
  add_file_option(command, "--from", arguments.from,
                  "Measure nothing: read what `hodge bench --output DIR` has written", "DIR");
  add_output_file_option(command, "--markdown", arguments.markdown,
                         "Write the tables with their sources into FILE");
  add_overwrite_option(command, arguments.overwrite);
  add_file_option(command, "--matrices", arguments.options.matrices,
                  "Run on the *.mtx files of DIR too", "DIR");
}

}  // namespace hodge::tools
