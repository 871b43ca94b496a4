#include "sim/run/run.hpp"

#include <exception>

#include "linalg/errors.hpp"
#include "sim/compare/run_comparison.hpp"
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

// The error that ends the run is what counts.
void report_so_far(const RunComparison& comparison) {
  try {
    comparison.report();
  } catch (const IoError&) {
  }
}

// What goes wrong on the way is in the log too, after what had been done until then.
RunResult drive(RunLoop& loop, const RunComparison& comparison, Console& console) {
  try {
    return loop.drive();
  } catch (const std::exception& error) {
    if (loop.statistics().steps > 0) console.line(statistics_text(loop.statistics()));
    console.log(error.what());
    report_so_far(comparison);
    throw;
  }
}

}  // namespace

RunResult run(Flow& flow, const Settings& settings, const Problem& problem,
              const RunOptions& options) {
  check_first_step(settings, flow);
  const RunDirectory directory(settings.output.directory, options.overwrite,
                               settings_to_yaml(settings));
  const SignalGuard signals;
  Console console(options.console, directory.log());
  console.line(opening_text(settings, problem, flow, options.version));
  const RunComparison comparison(flow, settings, directory.path(), console);
  RunLoop loop(flow, settings, problem, directory, console, signals);
  const RunResult result = drive(loop, comparison, console);
  console.line(ending_text(result, settings) + "\n" + statistics_text(loop.statistics()));
  comparison.report();
  console.line(results_text(result));
  console.check_log();
  return result;
}

RunResult run(const Settings& settings, const Problem& problem, const RunOptions& options) {
  RunDirectory::check(settings.output.directory, options.overwrite);
  const std::unique_ptr<Flow> flow = make_flow(settings, problem);
  return run(*flow, settings, problem, options);
}

}  // namespace hodge::sim
