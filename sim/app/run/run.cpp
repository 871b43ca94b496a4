// Over 400 lines: a run from its beginning to whichever end it has.
#include "sim/app/run/open_run.hpp"

#include <fmt/format.h>

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
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

}  // namespace

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

// What is checked, and locked, before anything costly is done.
struct OpenRun::Start {
  std::optional<RunLock> lock;  // of a directory that is continued or overwritten
  RestartPoint restart;
  Settings settings;        // with the name of the run that is continued in its directory
  bool keeps_name = false;  // it is not the one that was asked for
};

namespace {

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

OpenRun::Start checked_start(const Settings& settings, const Problem& problem,
                             const RunOptions& options) {
  const std::string& directory = settings.output.directory;
  const Manifest planned = manifest_of(settings, problem);
  if (options.restart.empty()) RunDirectory::check(directory, options.overwrite, planned);
  OpenRun::Start start{RunDirectory::lock_existing(directory), restart_point(settings, options),
                       settings};
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

RunDirectory directory_of(const Problem& problem, const RunOptions& options,
                          OpenRun::Start& start) {
  const Settings& settings = start.settings;
  const Manifest planned = manifest_of(settings, problem);
  if (start.restart.in_place)
    return RunDirectory::continued(settings.output.directory, planned, std::move(start.lock));
  return RunDirectory(settings.output.directory, options.overwrite,
                      {settings_to_yaml(settings), planned}, std::move(start.lock));
}

std::string restart_text(const OpenRun::Start& start) {
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
  return end != RunEnd::interrupted && end != RunEnd::stopped && end != RunEnd::wall_clock;
}

// Into the directory of this run only: it may have been replaced by another run's.
void write_summary(const RunDirectory& directory, const std::string& json) {
  directory.lock().require_held();
  write_file_atomically(directory.summary(), json);
}

}  // namespace

// The members are made in the order of a run.
class OpenRun::Parts {
 public:
  Parts(Flow& flow, const Problem& problem, RunOptions options, Start start)
      : flow_(flow),
        problem_(problem),
        options_(std::move(options)),
        start_(std::move(start)),
        steps_(flow, start_.settings, problem),
        directory_(checked_directory()),
        facts_{start_.settings, problem_, flow_, options_, statistics_, seconds_since_1970()} {}

  void begin(const RunLoop::Signal& signal) {
    is_own_ = !start_.restart.in_place;
    if (is_own_) remove_file(directory_.summary());
    summarized([&] {
      open(signal);
      logged([this] { loop_->begin(); });
    });
  }
  bool step(double limit) {
    return summarized([&] { return logged([&] { return loop_->step(limit); }); });
  }
  RunResult finish() {
    return summarized([this] { return finished(); });
  }
  void change_formulas(const Settings& settings, const std::string& line) {
    summarized([&] {
      Settings other = settings;
      other.inputs = start_.settings.inputs;
      other.output.name = start_.settings.output.name;
      start_.settings = std::move(other);
      steps_.change_formulas(problem_);
      directory_.save_config(settings_to_yaml(start_.settings));
      console_->plain(line);
    });
  }
  const Stepper& steps() const { return steps_; }
  const StepReport& report() const { return loop_->report(); }

 private:
  // Before any file is touched.
  RunDirectory checked_directory() {
    if (!start_.restart.checkpoint) steps_.check_first_step(problem_);
    return directory_of(problem_, options_, start_);
  }

  void open(const RunLoop::Signal& signal) {
    const Settings& settings = start_.settings;
    console_.emplace(options_.console, directory_.log(), start_.restart.in_place,
                     options_.verbosity);
    console_->line(opening_text(settings, problem_, flow_, options_.version));
    for (const auto& [system, solver] : solver_lines(settings, problem_))
      console_->line(fmt::format("{:<10}{}", system, solver));
    if (const std::string forces =
            forces_opening(settings, problem_, flow_.grid(), flow_.body_frames());
        !forces.empty())
      console_->line(forces);
    for (const SurfaceOfSolid& one : surfaces_of(problem_.solids))
      if (!one.told.empty()) console_->line("surface   " + one.told);
    if (const auto longest = longest_step_from_rest(settings, problem_, flow_.grid()))
      console_->line(fmt::format(
          "step      at most {:.6g}, a hundredth of time.end, as no formula moves the fluid at "
          "t = 0 (time.step.max)",
          *longest));
    console_->log(provenance_text(facts_));
    if (start_.restart.checkpoint) console_->line(restart_text(start_));
    if (!directory_.lock().is_supported())
      console_->line("the file system knows no locks: nothing keeps a second run out of " +
                     settings.output.directory);
    loop_.emplace(steps_, problem_, RunFiles{directory_, [this] { go_on(); }}, *console_, signal,
                  options_, start_.restart);
    comparison_.emplace(flow_, settings, start_.restart, *console_);
    loop_->compare(comparison_->files());
  }

  // Until here a run that is refused leaves the files of the one that it would continue.
  void go_on() {
    directory_.lock().require_held();
    remove_file(directory_.summary());
    is_own_ = true;
    directory_.save_config(settings_to_yaml(start_.settings));
  }

  RunResult finished() {
    const Settings& settings = start_.settings;
    RunResult result = logged([this] { return loop_->finish(); });
    statistics_ = loop_->statistics();
    result.nothing_left =
        start_.restart.checkpoint && statistics_.steps == 0 && is_end_of_work(result.end);
    result.results = results_of(settings, result.time);
    result.coefficients = coefficients_of(settings, flow_.grid(), flow_.body_frames(), result.time);
    console_->line(ending_text(result, settings) + "\n" + statistics_text(statistics_));
    comparison_->report();
    console_->line(results_text(result));
    console_->finish_log();
    const std::string json = summary_json(facts_, result);
    write_summary(directory_, json);
    Checksums::write(directory_.path());
    options_.summary(json);
    directory_.release();
    return result;
  }

  // An error goes into the log too, after the statistics so far.
  template <class Action>
  std::invoke_result_t<const Action&> logged(const Action& action) {
    try {
      return action();
    } catch (const std::exception& error) {
      statistics_ = loop_->statistics();
      if (statistics_.steps > 0) console_->line(statistics_text(statistics_));
      console_->log(error.what());
      attempt([&] {
        directory_.lock().require_held();
        comparison_->report();
      });
      throw;
    }
  }

  template <class Action>
  std::invoke_result_t<const Action&> summarized(const Action& action) {
    try {
      return action();
    } catch (const std::exception& failure) {
      const std::string json = summary_json(facts_, failure);
      if (is_own_) attempt([&] { write_summary(directory_, json); });
      options_.summary(json);
      throw;
    }
  }

  Flow& flow_;
  const Problem& problem_;
  RunOptions options_;
  Start start_;
  Stepper steps_;
  RunDirectory directory_;
  RunStatistics statistics_;
  const RunFacts facts_;
  bool is_own_ = false;  // the files are this run's, and not those of one that it may continue
  std::optional<Console> console_;
  std::optional<Comparing> comparison_;
  std::optional<RunLoop> loop_;
};

OpenRun::OpenRun(const Settings& settings, const Problem& problem, const RunOptions& options) {
  Start start = checked_start(settings, problem, options);
  flow_ = make_shared_flow(options.leader, start.settings, problem);
  require_same_surfaces(start.settings);
  parts_ = std::make_unique<Parts>(*flow_, problem, options, std::move(start));
}

OpenRun::OpenRun(Flow& flow, const Settings& settings, const Problem& problem,
                 const RunOptions& options)
    : parts_(std::make_unique<Parts>(flow, problem, options,
                                     checked_start(settings, problem, options))) {}

OpenRun::~OpenRun() = default;
OpenRun::OpenRun(OpenRun&&) noexcept = default;

void OpenRun::begin(const std::function<int()>& signal) {
  parts_->begin(signal);
}

bool OpenRun::step(double limit) {
  return parts_->step(limit);
}

RunResult OpenRun::finish() {
  return parts_->finish();
}

void OpenRun::change_formulas(const Settings& settings, const std::string& line) {
  parts_->change_formulas(settings, line);
}

const Stepper& OpenRun::steps() const {
  return parts_->steps();
}

const StepReport& OpenRun::report() const {
  return parts_->report();
}

namespace {

RunResult drive(OpenRun opened) {
  const SignalGuard signals;
  opened.begin([&signals] { return signals.received(); });
  while (opened.step()) continue;
  return opened.finish();
}

}  // namespace

void check_start(const Settings& settings, const Problem& problem, const RunOptions& options) {
  const RestartPoint restart = restart_point(settings, options);
  if (!restart.in_place)
    RunDirectory::check(settings.output.directory, options.overwrite,
                        manifest_of(settings, problem));
  refuse_to_remove(restart, options);
}

std::string config_for_others(const Settings& settings, const Problem& problem) {
  Settings written = settings;  // without what has no effect in the case: it would be refused
  const Carried carried = carried_in(problem);
  written.carries_velocity = carried.velocity;
  written.carries_scalars = carried.scalars;
  return settings_to_yaml(written);
}

std::unique_ptr<Flow> make_shared_flow(FlowLeader* leader, const Settings& settings,
                                       const Problem& problem) {
  if (leader == nullptr) return make_flow(settings, problem);
  return make_leading_flow(*leader, settings, problem, config_for_others(settings, problem));
}

RunResult run(Flow& flow, const Settings& settings, const Problem& problem,
              const RunOptions& options) {
  return drive(OpenRun(flow, settings, problem, options));
}

RunResult run(const Settings& settings, const Problem& problem, const RunOptions& options) {
  return drive(OpenRun(settings, problem, options));
}

}  // namespace hodge::sim
