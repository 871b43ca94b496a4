#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "linalg/device.hpp"
#include "linalg/errors.hpp"
#include "sim/config/schema.hpp"
#include "sim/config/text.hpp"
#include "tools/hodge/bench/experiment.hpp"
#include "tools/hodge/bench/plot.hpp"
#include "tools/hodge/commands.hpp"
#include "tools/hodge/options.hpp"

namespace hodge::tools {
namespace {

struct BenchArguments {
  std::vector<std::string> names;
  bench::BenchOptions options;
};

void check_folders(const bench::BenchOptions& options) {
  if (!options.matrices.empty() && !std::filesystem::is_directory(options.matrices)) {
    throw ConfigError(
        fmt::format("--matrices {}: there is no such directory", options.matrices.string()));
  }
}

int bench_command(const BenchArguments& arguments) {
  std::vector<std::string> names = arguments.names;
  if (names.empty()) names = sim::names_of(bench::experiment_table());
  check_folders(arguments.options);
  (void)linalg::chosen_gpu(arguments.options.device);
  for (const std::string& name : names) {
    const bench::Experiment& experiment = *bench::find_experiment(name);
    bench::Report report(experiment.name, experiment.description, arguments.options);
    experiment.run(report);
    std::cout << report.text() << std::endl;
    if (arguments.options.output.empty()) continue;
    report.write(arguments.options.output);
    bench::plot("plot_bench.py", arguments.options.output / (name + ".json"));
  }
  return 0;
}

}  // namespace

void add_bench_command(CLI::App& app, std::function<int()>& action) {
  auto arguments = std::make_shared<BenchArguments>();
  std::string names = "Which ones; all without a name:";
  for (const auto& experiment : bench::experiment_table()) {
    names += fmt::format("\n{}: {}", experiment.name, experiment.description);
  }
  CLI::App* command =
      app.add_subcommand("bench", "Measure the linear algebra of this machine, beside yardsticks");
  command->add_option("NAME", arguments->names, names)
      ->check(one_of("experiment", sim::names_of(bench::experiment_table())));
  command->add_flag("--quick", arguments->options.quick,
                    "Small sizes: says that the program works, not how fast the machine is");
  add_device_option(*command, arguments->options.device,
                    "auto (the CPU and, where there is one, the GPU), cpu, cuda or cuda:N");
  command
      ->add_option("--output", arguments->options.output,
                   "Write NAME.json, NAME.md, CSV tables and a plot into DIR")
      ->type_name("DIR")
      ->check(not_empty());
  command
      ->add_option("--matrices", arguments->options.matrices, "Run on the *.mtx files of DIR too")
      ->type_name("DIR")
      ->check(not_empty());
  command->callback(
      [&action, arguments] { action = [arguments] { return bench_command(*arguments); }; });
}

}  // namespace hodge::tools
