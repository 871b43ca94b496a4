#include "sim/app/run/run.hpp"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <optional>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "sim/app/checkpoint/restart.hpp"
#include "sim/app/compare/comparison_files.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/output/run_directory.hpp"
#include "sim/app/run/console.hpp"
#include "sim/app/run/run_loop.hpp"
#include "sim/app/run/schedule.hpp"
#include "sim/app/run/signals.hpp"
#include "sim/app/run/summary.hpp"
#include "sim/time/stability.hpp"
#include "sim/time/step_size.hpp"

namespace hodge::sim {
namespace {

// Throws ConfigError where nothing bounds the first step or stability forbids it, before any file
// is touched.
void check_first_step(const Settings& settings, const Problem& problem, const Flow& flow) {
  const Schedule schedule(settings.time.end, settings.output.frame_every);
  const Diagnostics now = flow.diagnostics();
  const StableStep stable(settings, problem, flow.grid());
  const double limit = stable.largest(now.cfl_rate, now.max_speed);
  if (settings.time.step.size && *settings.time.step.size > limit * (1 + 1e-9))
    throw ConfigError(fmt::format(
        "time.step.size is {}; with the initial velocity {} with {} convection is stable up to "
        "{:.4g}: take smaller steps or an implicit scheme (bdf2)",
        *settings.time.step.size, stable.pair().time, stable.pair().convection, limit));
  next_step_size(
      settings.time.step,
      {.time = flow.time(), .next_stop = schedule.next_stop(), .cfl_rate = now.cfl_rate});
}

// Ignores its error (the disk may be full): the error that ends the run is thrown on.
template <class Action>
void attempt(const Action& action) {
  try {
    action();
  } catch (const IoError&) {
  }
}

// The systems of the flow are compared, as the settings ask for, while this lives; a line about
// each goes to the console. A run that goes on in its directory keeps what was compared before the
// checkpoint.
class Comparing {
 public:
  Comparing(Flow& flow, const Settings& settings, const RestartPoint& restart, Console& console)
      : flow_(flow), console_(console) {
    if (!settings.compare) return;
    std::optional<long> last_kept_step;
    if (restart.in_place) last_kept_step = restart.checkpoint->header().step;
    files_.emplace(settings.output.directory, last_kept_step, *settings.compare,
                   [&console](const std::string& line) {
                     console.plain(line);
                     console.redraw(line);
                   });
    flow.compare_solvers(settings, &*files_);
  }
  ~Comparing() {
    if (files_) flow_.compare_solvers({}, nullptr);
  }
  Comparing(const Comparing&) = delete;
  Comparing& operator=(const Comparing&) = delete;

  // Writes what has been found so far; called after an error too.
  void report() const {
    if (files_) console_.line(files_->finish());
  }

 private:
  Flow& flow_;
  Console& console_;
  std::optional<ComparisonFiles> files_;
};

// An error goes into the log too, after the statistics so far.
RunResult drive(RunLoop& loop, const Comparing& comparison, Console& console,
                RunStatistics& statistics) {
  try {
    const RunResult result = loop.drive();
    statistics = loop.statistics();
    return result;
  } catch (const std::exception& error) {
    statistics = loop.statistics();
    if (statistics.steps > 0) console.line(statistics_text(statistics));
    console.log(error.what());
    attempt([&] { comparison.report(); });
    throw;
  }
}

RestartPoint checked_start(const Settings& settings, const RunOptions& options) {
  RestartPoint restart;
  if (!options.restart.empty()) {
    restart.checkpoint = open_checkpoint(options.restart, settings);
    restart.in_place = continues_in_place(*restart.checkpoint, settings);
  }
  if (!restart.in_place) RunDirectory::check(settings.output.directory, options.overwrite);
  if (restart.in_place && options.overwrite)
    throw ConfigError(
        fmt::format("--overwrite would remove {}, from which the run is to go on: leave it out",
                    restart.checkpoint->path().string()));
  return restart;
}

std::string restart_text(const CheckpointReader& checkpoint) {
  const CheckpointHeader& header = checkpoint.header();
  return fmt::format("restart   {}: step {}, t = {:.6g}, written by hodge {}",
                     checkpoint.path().string(), header.step, header.time, header.version);
}

RunResult run(Flow& flow, const Settings& settings, const Problem& problem,
              const RunOptions& options, const RestartPoint& restart) {
  if (!restart.checkpoint) check_first_step(settings, problem, flow);
  const std::string config = settings_to_yaml(settings);
  const RunDirectory directory =
      restart.in_place ? RunDirectory::continued(settings.output.directory, config)
                       : RunDirectory(settings.output.directory, options.overwrite, config);
  const SignalGuard signals;
  std::error_code ignored;
  std::filesystem::remove(directory.summary(), ignored);  // of the run that is continued
  RunStatistics statistics;
  const RunFacts facts{settings, problem, flow, options, statistics, seconds_since_1970()};
  try {
    Console console(options.console, directory.log(), restart.in_place, options.verbosity);
    console.line(opening_text(settings, problem, flow, options.version));
    if (restart.checkpoint) console.line(restart_text(*restart.checkpoint));
    const Comparing comparison(flow, settings, restart, console);
    RunLoop loop(flow, settings, problem, directory, console, signals, options, restart);
    const RunResult result = drive(loop, comparison, console, statistics);
    console.line(ending_text(result, settings) + "\n" + statistics_text(statistics));
    comparison.report();
    console.line(results_text(result));
    console.check_log();
    const std::string json = summary_json(facts, result);
    write_file_atomically(directory.summary(), json);
    options.summary(json);
    return result;
  } catch (const std::exception& failure) {
    const std::string json = summary_json(facts, failure);
    attempt([&] { write_file_atomically(directory.summary(), json); });
    options.summary(json);
    throw;
  }
}

}  // namespace

RunResult run(Flow& flow, const Settings& settings, const Problem& problem,
              const RunOptions& options) {
  return run(flow, settings, problem, options, checked_start(settings, options));
}

RunResult run(const Settings& settings, const Problem& problem, const RunOptions& options) {
  const RestartPoint restart = checked_start(settings, options);
  const std::unique_ptr<Flow> flow = make_flow(settings, problem);
  return run(*flow, settings, problem, options, restart);
}

}  // namespace hodge::sim
