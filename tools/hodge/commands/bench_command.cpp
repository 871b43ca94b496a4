#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>

#include "linalg/base/errors.hpp"
#include "linalg/space/device.hpp"
#include "sim/app/config/schema.hpp"
#include "sim/base/text.hpp"
#include "tools/hodge/bench/against.hpp"
#include "tools/hodge/bench/experiment.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/plot.hpp"

namespace hodge::tools {
namespace {

struct BenchArguments {
  std::vector<std::string> names;
  bench::BenchOptions options;
  std::filesystem::path against;
};

void check_folders(const bench::BenchOptions& options) {
  if (!options.matrices.empty() && !std::filesystem::is_directory(options.matrices)) {
    throw ConfigError(
        fmt::format("--matrices {}: there is no such directory", options.matrices.string()));
  }
}

// Without --against none.
std::optional<bench::OlderResults> older_results(const BenchArguments& arguments) {
  if (arguments.against.empty()) return std::nullopt;
  bench::OlderResults older(arguments.against);
  const auto& names = arguments.names;
  if (!names.empty() && std::find(names.begin(), names.end(), older.experiment()) == names.end()) {
    throw ConfigError(fmt::format(
        "--against {}: it holds the experiment {}, but {} is to run, expected a file of the same "
        "experiment",
        arguments.against.string(), older.experiment(), fmt::join(names, ", ")));
  }
  return older;
}

// All of them without a name, and with --against that of the file.
std::vector<std::string> chosen_names(const BenchArguments& arguments,
                                      const std::optional<bench::OlderResults>& older) {
  if (!arguments.names.empty()) return arguments.names;
  if (older) return {older->experiment()};
  return sim::names_of(bench::experiment_table());
}

int bench_command(const BenchArguments& arguments) {
  const std::optional<bench::OlderResults> older = older_results(arguments);
  const std::vector<std::string> names = chosen_names(arguments, older);
  check_folders(arguments.options);
  (void)linalg::chosen_gpu(arguments.options.device);
  bool measured = false;
  for (const std::string& name : names) {
    const bench::Experiment& experiment = *bench::find_experiment(name);
    bench::ExperimentRun run(experiment.name, experiment.description, arguments.options);
    experiment.measure(run);
    measured = measured || !run.is_empty();
    if (run.is_empty()) continue;
    if (older && older->experiment() == name) older->compare(run);
    std::cout << run.text() << std::endl;
    if (arguments.options.output.empty()) continue;
    run.write(arguments.options.output);
    plot("plot_bench.py", arguments.options.output / (name + ".json"));
  }
  if (!measured && !arguments.options.only.empty()) {
    throw ConfigError(fmt::format(
        "--only {}: no size, case or matrix of {} has this in its name, expected a part of one, "
        "such as '64 x 64'",
        arguments.options.only, fmt::join(names, ", ")));
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
  CLI::App* command = app.add_subcommand(
      "bench", "Measure solvers, kernels and time steps on this machine, beside yardsticks");
  command->add_option("NAME", arguments->names, names)
      ->check(one_of("experiment", sim::names_of(bench::experiment_table())));
  command->add_flag("--quick", arguments->options.quick,
                    "Small sizes: says that the program works, not how fast the machine is");
  command->add_flag("--large", arguments->options.large,
                    "On the CPU, too, the sizes that only GPUs get otherwise");
  const auto add_option = [&](const char* name, auto& value, const char* type, const char* text) {
    command->add_option(name, value, text)->type_name(type)->check(not_empty());
  };
  add_option("--only", arguments->options.only, "TEXT",
             "Only the sizes, cases and matrices whose name holds TEXT, as in '64 x 64 x 64'");
  add_option("--against", arguments->against, "FILE",
             "Compare with FILE, the NAME.json of an older run: times over those, row by row");
  add_device_option(*command, arguments->options.device,
                    "auto (the CPU and, where there is one, the GPU), cpu, cuda or cuda:N");
  add_option("--output", arguments->options.output, "DIR",
             "Write NAME.json, NAME.md, CSV tables and a plot into DIR");
  add_option("--matrices", arguments->options.matrices, "DIR", "Run on the *.mtx files of DIR too");
  command->callback(
      [&action, arguments] { action = [arguments] { return bench_command(*arguments); }; });
}

}  // namespace hodge::tools
