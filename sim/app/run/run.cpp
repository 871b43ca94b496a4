#include "sim/app/run/run.hpp"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/files/atomic_file.hpp"
#include "linalg/files/directories.hpp"
#include "sim/app/checkpoint/other_output.hpp"
#include "sim/app/checkpoint/restart.hpp"
#include "sim/app/compare/comparison_files.hpp"
#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/initial/initial_state.hpp"
#include "sim/app/initial/surface_files.hpp"
#include "sim/app/output/checksums.hpp"
#include "sim/app/output/manifest.hpp"
#include "sim/app/output/run_directory.hpp"
#include "sim/app/run/console.hpp"
#include "sim/app/run/provenance.hpp"
#include "sim/app/run/run_loop.hpp"
#include "sim/app/run/signals.hpp"
#include "sim/app/run/solver_lines.hpp"
#include "sim/app/run/summary.hpp"
#include "sim/base/text.hpp"
#include "sim/discrete/bodies/surface.hpp"
#include "sim/flow/checks.hpp"
#include "sim/time/stability.hpp"
#include "sim/time/step_control.hpp"

namespace hodge::sim {
namespace {

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
    std::optional<long> last_kept_step;
    if (restart.in_place) last_kept_step = restart.checkpoint->header().step;
    if (last_kept_step) {
      const Manifest listed = Manifest::read(settings.output.directory).value_or(Manifest());
      leave_comparison(settings.output.directory, *last_kept_step,
                       [&listed](const std::string& name) { return listed.lists(name); });
    }
    if (!settings.compare) return;
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

  ComparisonFiles* files() { return files_ ? &*files_ : nullptr; }

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
RunResult drive(RunLoop& loop, const RunDirectory& directory, const Comparing& comparison,
                Console& console, RunStatistics& statistics) {
  try {
    const RunResult result = loop.drive();
    statistics = loop.statistics();
    return result;
  } catch (const std::exception& error) {
    statistics = loop.statistics();
    if (statistics.steps > 0) console.line(statistics_text(statistics));
    console.log(error.what());
    attempt([&] {
      directory.lock().require_held();
      comparison.report();
    });
    throw;
  }
}

// What is checked, and locked, before anything costly is done.
struct Start {
  std::optional<RunLock> lock;  // of a directory that is continued or overwritten
  RestartPoint restart;
  Settings settings;        // with the name of the run that is continued in its directory
  bool keeps_name = false;  // it is not the one that was asked for
};

RestartPoint restart_point(const Settings& settings, const RunOptions& options) {
  RestartPoint restart;
  restart.probes.part = settings.probes.any() ? 1 : 0;
  restart.probes.profile_part = has_profile(settings.output) ? 1 : 0;
  if (options.restart.empty()) return restart;
  restart.checkpoint = open_checkpoint(options.restart, settings, digest_of_state);
  restart.in_place = continues_in_place(*restart.checkpoint, settings);
  const ContinuedProbes first = restart.probes;
  restart.probes = continued_probes(*restart.checkpoint, settings);
  if (restart.in_place) return restart;
  restart.probes.part = first.part;
  restart.probes.profile_part = first.profile_part;
  return restart;
}

void refuse_to_remove(const RestartPoint& restart, const RunOptions& options) {
  if (restart.in_place && options.overwrite)
    throw ConfigError(
        fmt::format("--overwrite would remove {}, from which the run is to go on: leave it out",
                    restart.checkpoint->path().string()));
}

Start checked_start(const Settings& settings, const Problem& problem, const RunOptions& options) {
  const std::string& directory = settings.output.directory;
  const Manifest planned = manifest_of(settings, problem);
  if (options.restart.empty()) RunDirectory::check(directory, options.overwrite, planned);
  Start start{RunDirectory::lock_existing(directory), restart_point(settings, options), settings};
  const RestartPoint& restart = start.restart;
  if (restart.checkpoint && !restart.in_place && !start.lock)
    RunDirectory::check(directory, options.overwrite, planned);
  refuse_to_remove(restart, options);
  if (restart.checkpoint) start.settings.inputs = inputs_of_restart(*restart.checkpoint, settings);
  if (restart.in_place) {
    start.settings.output.name = run_name_of(*restart.checkpoint);
    start.keeps_name = start.settings.output.name != settings.run_name();
  }
  return start;
}

RunDirectory directory_of(const Problem& problem, const RunOptions& options, Start& start) {
  const Settings& settings = start.settings;
  const RunContents contents{settings_to_yaml(settings), manifest_of(settings, problem)};
  if (start.restart.in_place)
    return RunDirectory::continued(settings.output.directory, contents, std::move(start.lock));
  return RunDirectory(settings.output.directory, options.overwrite, contents,
                      std::move(start.lock));
}

std::string restart_text(const Start& start) {
  const CheckpointReader& checkpoint = *start.restart.checkpoint;
  const CheckpointHeader& header = checkpoint.header();
  std::string text =
      fmt::format("restart   {}: step {}, t = {:.6g}, written by hodge {}",
                  checkpoint.path().string(), header.step, header.time, header.version);
  if (start.keeps_name)
    text += fmt::format("\nname      {}, as at the start of the run", start.settings.run_name());
  return text;
}

// Another restart with the same settings would end here, too.
bool is_end_of_work(RunEnd end) {
  return end != RunEnd::interrupted && end != RunEnd::wall_clock;
}

// Into the directory of this run only: it may have been replaced by another run's.
void write_summary(const RunDirectory& directory, const std::string& json) {
  directory.lock().require_held();
  write_file_atomically(directory.summary(), json);
}

RunResult run(Flow& flow, const Problem& problem, const RunOptions& options, Start& start) {
  const Settings& settings = start.settings;
  const RestartPoint& restart = start.restart;
  Stepper steps(flow, settings, problem);
  if (!restart.checkpoint) steps.check_first_step(problem);  // before any file is touched
  const RunDirectory directory = directory_of(problem, options, start);
  const SignalGuard signals;
  remove_file(directory.summary());  // of the run that is continued
  RunStatistics statistics;
  const RunFacts facts{settings, problem, flow, options, statistics, seconds_since_1970()};
  try {
    Console console(options.console, directory.log(), restart.in_place, options.verbosity);
    console.line(opening_text(settings, problem, flow, options.version));
    for (const auto& [system, solver] : solver_lines(settings, problem))
      console.line(fmt::format("{:<10}{}", system, solver));
    if (const std::string forces =
            forces_opening(settings, problem, flow.grid(), flow.body_frames());
        !forces.empty())
      console.line(forces);
    for (const SurfaceOfSolid& one : surfaces_of(problem.solids))
      if (!one.told.empty()) console.line("surface   " + one.told);
    if (const auto longest = longest_step_from_rest(settings, problem, flow.grid()))
      console.line(fmt::format(
          "step      at most {:.6g}, a hundredth of time.end, as no formula moves the fluid at "
          "t = 0 (time.step.max)",
          *longest));
    console.log(provenance_text(facts));
    if (restart.checkpoint) console.line(restart_text(start));
    if (!directory.lock().is_supported())
      console.line("the file system knows no locks: nothing keeps a second run out of " +
                   settings.output.directory);
    Comparing comparison(flow, settings, restart, console);
    RunLoop loop(steps, problem, {directory, comparison.files()}, console, signals, options,
                 restart);
    RunResult result = drive(loop, directory, comparison, console, statistics);
    result.nothing_left = restart.checkpoint && statistics.steps == 0 && is_end_of_work(result.end);
    result.results = results_of(settings, result.time);
    result.coefficients = coefficients_of(settings, flow.grid(), flow.body_frames(), result.time);
    console.line(ending_text(result, settings) + "\n" + statistics_text(statistics));
    comparison.report();
    console.line(results_text(result));
    console.finish_log();
    const std::string json = summary_json(facts, result);
    write_summary(directory, json);
    Checksums::write(directory.path());
    options.summary(json);
    return result;
  } catch (const std::exception& failure) {
    const std::string json = summary_json(facts, failure);
    attempt([&] { write_summary(directory, json); });
    options.summary(json);
    throw;
  }
}

}  // namespace

void check_start(const Settings& settings, const Problem& problem, const RunOptions& options) {
  const RestartPoint restart = restart_point(settings, options);
  if (!restart.in_place)
    RunDirectory::check(settings.output.directory, options.overwrite,
                        manifest_of(settings, problem));
  refuse_to_remove(restart, options);
}

std::unique_ptr<Flow> make_shared_flow(FlowLeader* leader, const Settings& settings,
                                       const Problem& problem) {
  if (leader == nullptr) return make_flow(settings, problem);
  Settings written = settings;  // without what has no effect in the case: it would be refused
  const Carried carried = carried_in(problem);
  written.carries_velocity = carried.velocity;
  written.carries_scalars = carried.scalars;
  return make_leading_flow(*leader, settings, problem, settings_to_yaml(written));
}

RunResult run(Flow& flow, const Settings& settings, const Problem& problem,
              const RunOptions& options) {
  Start start = checked_start(settings, problem, options);
  return run(flow, problem, options, start);
}

RunResult run(const Settings& settings, const Problem& problem, const RunOptions& options) {
  Start start = checked_start(settings, problem, options);
  const std::unique_ptr<Flow> flow = make_shared_flow(options.leader, start.settings, problem);
  require_same_surfaces(start.settings);
  return run(*flow, problem, options, start);
}

}  // namespace hodge::sim
