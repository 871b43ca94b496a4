#include "sim/run/run.hpp"

#include <fmt/format.h>

#include <exception>
#include <memory>

#include "sim/checkpoint/restart.hpp"
#include "sim/config/settings_to_yaml.hpp"
#include "sim/output/run_directory.hpp"
#include "sim/run/console.hpp"
#include "sim/run/run_loop.hpp"
#include "sim/run/schedule.hpp"
#include "sim/run/signals.hpp"
#include "sim/run/summary.hpp"
#include "sim/time/step_size.hpp"

namespace hodge::sim {

namespace {

// Throws ConfigError where nothing bounds the first step, before any file is touched.
void check_first_step(const Settings& settings, const Flow& flow) {
  const Schedule schedule(settings.time.end, settings.output.frame_every);
  next_step_size(settings.time.step, {.time = flow.time(),
                                      .next_stop = schedule.next_stop(),
                                      .cfl_rate = flow.diagnostics().cfl_rate});
}

// What goes wrong on the way is in the log too, after what had been done until then.
RunResult drive(RunLoop& loop, Console& console) {
  try {
    return loop.drive();
  } catch (const std::exception& error) {
    if (loop.statistics().steps > 0) console.line(statistics_text(loop.statistics()));
    console.log(error.what());
    throw;
  }
}

}  // namespace

namespace {

// Null without a restart.
std::unique_ptr<CheckpointReader> checked_start(const Settings& settings,
                                                const RunOptions& options) {
  if (options.restart.empty()) {
    RunDirectory::check(settings.output.directory, options.overwrite);
    return nullptr;
  }
  auto checkpoint = open_checkpoint(options.restart, settings);
  const bool in_place = continues_in_place(*checkpoint, settings);
  if (!in_place) RunDirectory::check(settings.output.directory, options.overwrite);
  if (in_place && options.overwrite)
    throw ConfigError(
        fmt::format("--overwrite would remove {}, from which the run is to go on: leave it out",
                    checkpoint->path().string()));
  return checkpoint;
}

std::string restart_text(const CheckpointReader& checkpoint) {
  const CheckpointHeader& header = checkpoint.header();
  return fmt::format("restart   {}: step {}, t = {:.6g}, written by hodge {}",
                     checkpoint.path().string(), header.step, header.time, header.version);
}

RunResult run(Flow& flow, const Settings& settings, const Problem& problem,
              const RunOptions& options, const RestartPoint& restart) {
  if (restart.checkpoint == nullptr) check_first_step(settings, flow);
  const std::string config = settings_to_yaml(settings);
  const RunDirectory directory =
      restart.in_place ? RunDirectory::continued(settings.output.directory, config)
                       : RunDirectory(settings.output.directory, options.overwrite, config);
  const SignalGuard signals;
  Console console(options.console, directory.log(), restart.in_place);
  console.line(opening_text(settings, problem, flow, options.version));
  if (restart.checkpoint != nullptr) console.line(restart_text(*restart.checkpoint));
  RunLoop loop(flow, settings, problem, directory, console, signals, options, restart);
  const RunResult result = drive(loop, console);
  console.line(ending_text(result, settings) + "\n" + statistics_text(loop.statistics()) + "\n" +
               results_text(result));
  console.check_log();
  return result;
}

RestartPoint restart_point(const std::unique_ptr<CheckpointReader>& checkpoint,
                           const Settings& settings) {
  if (!checkpoint) return {};
  return {checkpoint.get(), continues_in_place(*checkpoint, settings)};
}

}  // namespace

RunResult run(Flow& flow, const Settings& settings, const Problem& problem,
              const RunOptions& options) {
  const auto checkpoint = checked_start(settings, options);
  return run(flow, settings, problem, options, restart_point(checkpoint, settings));
}

RunResult run(const Settings& settings, const Problem& problem, const RunOptions& options) {
  const auto checkpoint = checked_start(settings, options);
  const std::unique_ptr<Flow> flow = make_flow(settings, problem);
  return run(*flow, settings, problem, options, restart_point(checkpoint, settings));
}

}  // namespace hodge::sim
