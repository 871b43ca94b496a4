#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "linalg/processes/all_processes.hpp"
#include "linalg/space/device.hpp"
#include "sim/app/config/schema.hpp"
#include "tools/hodge/bench/experiment.hpp"
#include "tools/hodge/commands/commands.hpp"
#include "tools/hodge/program/options.hpp"
#include "tools/hodge/program/outputs.hpp"
#include "tools/hodge/program/program.hpp"
#include "tools/hodge/program/python.hpp"

namespace hodge::tools {
namespace {

struct BenchArguments {
  std::vector<std::string> names;
  bench::BenchOptions options;
  std::filesystem::path against;
  bool overwrite = false;
};

// Without --against none.
std::optional<bench::OlderResults> older_results(const BenchArguments& arguments) {
  if (arguments.against.empty()) return std::nullopt;
  bench::OlderResults older(arguments.against);
  const auto& names = arguments.names;
  if (!names.empty() && std::ranges::find(names, older.experiment()) == names.end())
    throw wrong_input(
        "--against {}: it holds the experiment {}, but {} is to run, expected a file of the same "
        "experiment",
        arguments.against.string(), older.experiment(), fmt::join(names, ", "));
  return older;
}

// Several processes run experiments together that are made for it.
void check_shared(const std::vector<std::string>& names, int processes) {
  const auto is_shared = [](const std::string& name) {
    return bench::find_experiment(name)->is_shared;
  };
  if (processes == 1 || std::ranges::all_of(names, is_shared)) return;
  std::vector<std::string> shared;
  for (const bench::Experiment& one : bench::experiment_table())
    if (one.is_shared) shared.push_back(one.name);
  throw wrong_input("hodge bench: {} processes were started, and they measure {} alone, not {}",
                    processes, fmt::join(shared, ", "),
                    *std::ranges::find_if_not(names, is_shared));
}

int bench_command(const BenchArguments& arguments) {
  const std::optional<bench::OlderResults> older = older_results(arguments);
  std::vector<std::string> names = arguments.names;
  if (names.empty() && older) names = {older->experiment()};
  if (names.empty()) names = sim::names_of(bench::experiment_table());
  linalg::Communicator& processes = linalg::all_processes();
  check_shared(names, processes.size());
  bench::BenchOptions options = arguments.options;
  options.own_device = linalg::device_of_process(processes, options.device);
  check(options);
  Files inputs = bench::inputs(options);
  inputs.push_back(arguments.against);
  bench::check_output_folder(options, names, inputs, arguments.overwrite);
  bool measured = false;
  for (const std::string& name : names) {
    const bench::Experiment& experiment = *bench::find_experiment(name);
    bench::ExperimentRun run(experiment.name, experiment.description, options);
    experiment.measure(run);
    if (processes.rank() > 0) continue;  // process 0 has the results
    measured = measured || !run.is_empty();
    if (run.is_empty()) continue;
    if (older && older->experiment() == name) {
      older->compare(run);
      if (experiment.compare != nullptr) experiment.compare(older->data(), run);
    }
    std::cout << run.text() << std::endl;
    if (options.output.empty()) continue;
    run.write(options.output);
    plot("plot_bench.py", options.output / (name + ".json"));
  }
  if (processes.rank() == 0 && !measured && !options.only.empty())
    throw wrong_input(
        "--only {}: no size, case or matrix of {} has this in its name, expected a part of one, "
        "such as '64 x 64'",
        options.only, fmt::join(names, ", "));
  return 0;
}

}  // namespace

void add_bench_command(CLI::App& app, Action& action) {
  auto [command, arguments] = add_command(
      app, action, "bench",
      "Measure solvers, kernels and time steps on this machine, beside yardsticks", bench_command);
  bench::BenchOptions& options = arguments.options;
  command.add_option("NAME", arguments.names, which_ones(bench::experiment_table()))
      ->check(one_of("experiment", sim::names_of(bench::experiment_table())));
  command.add_flag("--quick", options.quick,
                   "Small sizes: says that the program works, not how fast the machine is");
  command.add_flag("--large", options.large,
                   "On the CPU, too, the sizes that only GPUs get otherwise");
  add_file_option(command, "--only", options.only,
                  "Only the sizes, cases and matrices whose name holds TEXT, as in '64 x 64 x 64'",
                  "TEXT");
  add_file_option(command, "--against", arguments.against,
                  "Compare with FILE, the NAME.json of an older run: times over those, row by row");
  add_device_option(command, options.device,
                    "auto (the CPU and, where there is one, the GPU), cpu, cuda or cuda:N");
  add_output_option(command, options.output,
                    "Write NAME.json, NAME.md, CSV tables and a plot into DIR");
  add_overwrite_option(command, arguments.overwrite);
  add_file_option(command, "--matrices", options.matrices, "Run on the *.mtx files of DIR too",
                  "DIR");
}

}  // namespace hodge::tools
