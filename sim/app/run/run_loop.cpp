// Over 400 lines: a loop whose order of steps, files and signals is what a restart repeats.
#include "sim/app/run/run_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/files/directories.hpp"
#include "linalg/space/device.hpp"
#include "sim/app/checkpoint/restart.hpp"
#include "sim/app/output/frame_threads.hpp"
#include "sim/app/output/piece_files.hpp"
#include "sim/app/run/preview.hpp"
#include "sim/app/run/skipped_solves.hpp"

namespace hodge::sim {
namespace {

// "the last good frame is PATH (step 8, t = 0.4)"
template <class Written>
std::string last_text(const std::string& what, const std::optional<Written>& last) {
  if (!last) return "there is no " + what;
  return fmt::format("the last {} is {} (step {}, t = {:.6g})", what, last->path.string(),
                     last->step, last->time);
}

bool met_what_is_no_number(const StepReport& report) {
  return std::any_of(report.solves.begin(), report.solves.end(), [](const SolveSummary& solve) {
    return solve.report.breakdown == linalg::Breakdown::not_finite;
  });
}

}  // namespace

RunLoop::RunLoop(Stepper& steps, const Problem& problem, const RunFiles& files, Console& console,
                 const Signal& signal, const RunOptions& options, const RestartPoint& restart)
    : steps_(steps),
      flow_(steps.flow),
      settings_(steps.settings),
      problem_(problem),
      signal_(signal),
      console_(console),
      files_(files),
      place_of_(options.place_of),
      progress_(console),
      records_(flow_, settings_, problem, files.directory,
               {restart.in_place ? RowFile::Start::with_what_is_there : RowFile::Start::empty,
                restart.probes},
               statistics_.seconds),
      frames_(files.directory.path(), settings_.run_name(), flow_.grid(), frame_background()),
      regions_(files.directory.path(), flow_.grid(), settings_.output, frame_background()),
      threads_(options.leader == nullptr && !settings_.compare &&
               linalg::chosen_gpu(settings_.device) < 0),
      checkpoints_(settings_, options.version),
      restarted_(restart.checkpoint != nullptr),
      probe_part_(restart.probes.part),
      profile_part_(restart.probes.profile_part),
      frame_is_due_(!restarted_) {
  if (are_in_pieces(settings_, flow_.grid()))
    frames_.write_in_pieces(flow_.make_pieces(settings_, make_piece_files));
  if (restarted_) restore(restart);
  start_time_ = flow_.time();
  start_step_ = flow_.step();
}

FrameBackground RunLoop::frame_background() {
  return {frame_encoding(settings_.output.encoding), settings_.output.encoding == "vtkhdf",
          frame_threads(linalg::chosen_gpu(settings_.device) < 0),
          [this](const FrameWriter::Landed& frame) { note_on_disk(frame, frame.doubles); }};
}

// Reads the whole state before it changes a file.
void RunLoop::restore(const RestartPoint& restart) {
  CheckpointReader& checkpoint = *restart.checkpoint;
  records_.begin_surfaces_without(checkpoint);
  visit_state(checkpoint);
  const CheckpointHeader& header = checkpoint.header();
  if (flow_.step() != header.step || flow_.time() != header.time)
    checkpoint.refuse(
        "step", fmt::format("is {} at state/time {}, and those of the whole file are {} and {}",
                            flow_.step(), flow_.time(), header.step, header.time));
  if (checkpoint.has("run/time_lost")) visit_later_state(checkpoint);
  if (steps_.steady.is_wanted() && checkpoint.has("run/steady/rate_0"))
    visit_steadiness(checkpoint);
  if (const auto complaint = steps_.look())
    checkpoint.refuse_all("its fields are not those of a run: " + *complaint);
  steps_.schedule.continue_from(flow_.time());
  checkpoints_.continue_from(checkpoint);
  regions_.continue_from(flow_.step());
  if (!restart.in_place) {
    last_frame_step_ = -1;
    return;
  }
  regions_.continue_regions(checkpoint.names_between("run/regions/", "/submitted"));
  visit_files(checkpoint);
  files_.goes_on();
  CheckpointFolder::holding(checkpoint.path()).set_aside_those_after(checkpoint.path());
  records_.go_back();
  frames_.go_back();
  regions_.go_back();
  records_.leave_other_files(checkpoint);
  for (const std::string& frame : frames_.gone())
    console_.line(fmt::format("{} is not there any more: {} goes on without it", frame,
                              frames_.collection().filename().string()));
  for (const std::string& frame : regions_.gone())
    console_.line(frame + " is not there any more: its region goes on without it");
  const bool has_frame = flow_.step() == 0 || steps_.schedule.is_stop(flow_.time());
  frame_is_due_ = has_frame && last_frame_step_ != flow_.step();
}

void RunLoop::visit_state(StateVisitor& visitor) {
  flow_.visit_state(visitor);
  // A frame may have landed where what follows it could not be written.
  if (const auto last = frames_.last_landed(); last && !visitor.restores())
    last_frame_step_ = std::max(last_frame_step_, last->step);
  StateGroup run(visitor, "run");
  run.visit("previous_dt", steps_.previous_dt, last_step_before(flow_.time(), flow_.step()));
  run.visit("last_frame_step", last_frame_step_, {-1, flow_.step()});
  steps_.blow_up.visit_state(run);
  records_.visit_state(run);
}

// What checkpoints of hodge 0.1.0 do not have.
void RunLoop::visit_later_state(StateVisitor& visitor) {
  const double rounding = rounding_of(flow_.time(), 0);
  visitor.visit("run/time_lost", steps_.sum.lost(), {-rounding, rounding});
  long part = probe_part_;
  visitor.visit(probe_part_name, part, {0, flow_.step() + 1});
  if (visitor.restores() || profile_part_ == 0) return;  // as with RestartPoint
  visitor.visit(profile_part_name, profile_part_);
}

// Of runs that end at a steady state.
void RunLoop::visit_steadiness(StateVisitor& visitor) {
  StateGroup run(visitor, "run");
  StateGroup steady(run, "steady");
  steps_.steady.visit_state(steady, flow_.time());
}

void RunLoop::visit_files(StateVisitor& visitor) {
  StateGroup run(visitor, "run");
  StateGroup frames(run, "frames");
  records_.visit_files(run);
  frames_.visit_state(frames, flow_.step(), flow_.time());
  const auto last = frames_.last_landed();
  if (visitor.restores() && last && last->step != last_frame_step_)
    frames.refuse("last_step",
                  fmt::format("is {}, and run/last_frame_step {}", last->step, last_frame_step_));
  StateGroup regions(run, "regions");
  regions_.visit_state(regions, flow_.step(), flow_.time());
}

// Errors say where the run stopped, and how it goes on.
template <class Action>
auto RunLoop::explained(const Action& action) {
  try {
    return action();
  } catch (const IoError& error) {
    save_what_is_there();
    throw IoError(error.what() + how_to_resume());
  } catch (const MemoryError& error) {
    throw MemoryError(after_step() + error.what() + how_to_resume());
  } catch (const DeviceError& error) {
    throw DeviceError(after_step() + error.what() + how_to_resume());
  }
}

void RunLoop::begin() {
  explained([&] {
    if (const auto complaint = steps_.blow_up.complaint(steps_.diagnostics)) fail(*complaint);
    if (!restarted_) records_.record(steps_.diagnostics, nullptr);
    if (frame_is_due_) write_frame();
    write_regions();
  });
}

bool RunLoop::step(double limit) {
  return explained([&] {
    if (ended()) return false;
    take_step(limit);
    return true;
  });
}

RunResult RunLoop::finish() {
  return explained([&]() -> RunResult {
    const RunEnd end = ended().value_or(RunEnd::stopped);
    if (checkpoints_.enabled() && !step_is_saved()) write_checkpoint();
    records_.record_end();
    write_last_frames();
    timed(statistics_.seconds.output, [this] { finish_files(); });
    return {.end = end,
            .signal = signal_(),
            .steps = flow_.step(),
            .time = flow_.time(),
            .wall_seconds = since_start_.seconds(),
            .errors = flow_.error_norms(),
            .directory = settings_.output.directory,
            .open = frames_.collection(),
            .walls = records_.walls()};
  });
}

void RunLoop::finish_files() {
  frames_.finish();
  regions_.finish();
  records_.write_waiting();
  records_.finish();
  if (comparison_) comparison_->synchronize();
  files_.directory.lock().require_held();
  frames_.check_files();
  regions_.check_files();
}

RunStatistics RunLoop::statistics() const {
  RunStatistics now = statistics_;
  now.cells = flow_.grid().cell_count();
  now.limited = records_.limited();
  now.seconds.total = since_start_.seconds();
  return now;
}

std::optional<RunEnd> RunLoop::ended() const {
  if (const auto end = steps_.ended()) return end;
  if (settings_.time.max_wall_seconds &&
      since_start_.seconds() >= *settings_.time.max_wall_seconds) {
    return RunEnd::wall_clock;
  }
  if (signal_() != 0) return RunEnd::interrupted;
  return std::nullopt;
}

void RunLoop::take_step(double limit) {
  const WallClock step_clock;
  const NextStep next = steps_.next(limit);
  note_shortened(next.state);
  if (const auto complaint = steps_.refusal(next)) fail(*complaint);
  step_.dt = next.dt;
  step_.cfl = next.cfl;
  report_ = steps_.take(next);
  const StepReport& report = report_;
  note_fallbacks(report);
  if (!report.ok) fail_solve(report);
  note_skipped(report);
  statistics_.add(report);
  look_at_fields();
  look_at_divergence(report);
  const FinishedStep finished{.report = report,
                              .cfl = step_.cfl,
                              .seconds = step_clock.seconds() - report.comparison_seconds,
                              .frame_due = next.at_frame};
  records_.record(steps_.diagnostics, &finished);
  steps_.steady.add(report, steps_.diagnostics, records_.forces());
  if (const auto why_not = steps_.steady.news(steps_.diagnostics, flow_.time()))
    console_.plain(*why_not);
  if (const std::string change = threads_.add_step(finished.seconds); !change.empty())
    console_.log(fmt::format("after step {}: {}", flow_.step(), change));
  if (comparison_) {
    comparison_->finish_step(flow_.step(), finished.seconds);
    comparison_->check();
  }
  frames_.check();  // now, not at the next frame, which may be hours away
  regions_.check();
  if (next.at_frame) write_frame();
  write_regions();
  if (checkpoints_.due(flow_.time())) write_checkpoint();
  show_progress(report, next.at_frame);
}

void RunLoop::note_shortened(const StepState& state) {
  if (const auto size = steps_.control.settings().size;
      size && flow_.step() == 0 && state.motion < *size)
    console_.plain(fmt::format(
        "step      the first time.step.size is divided, from {:.4g} on: viscosity moves the fluid "
        "of the whole box in less than a step",
        state.motion));
  const double wanted = size_before_limit(steps_.control.settings(), state);
  if (said_shortened_ || wanted == 0) return;
  said_shortened_ = true;
  const StablePair& pair = steps_.control.stable().binding(
      state.cfl_rate, steps_.diagnostics.max_speed, steps_.diagnostics.diffusion);
  const std::string forces =
      steps_.control.stable().text_of_forces(state.limit, steps_.diagnostics.diffusion);
  console_.plain(fmt::format(
      "steps are shortened from t = {:.6g} on, the first from {:.4g} to {:.4g}: {} with {} "
      "convection is {}{}{}",
      state.time, wanted, state.limit, pair.time, pair.convection, stability_text(pair),
      pair.needs_diffusion || !forces.empty() ? "" : ", and less by diffusion", forces));
}

void RunLoop::look_at_fields() {
  step_.max_speed = steps_.diagnostics.max_speed;
  if (const auto complaint =
          timed(statistics_.seconds.diagnostics, [this] { return steps_.look(); }))
    fail(*complaint);
}

void RunLoop::look_at_divergence(const StepReport& report) {
  const auto complaint = missed_divergence(report, steps_.diagnostics);
  if (!complaint) return;
  step_.cause = cause_of_missed_divergence;
  fail(*complaint);
}

void RunLoop::write_frame() {
  timed(statistics_.seconds.output, [this] {
    files_.directory.lock().require_held();
    records_.write_averages();
    frames_.write(flow_, settings_.output);
    records_.write_surfaces();
  });
  last_frame_step_ = flow_.step();
}

void RunLoop::write_last_frames() {
  if (last_frame_step_ != flow_.step()) write_frame();
  timed(statistics_.seconds.output, [this] { regions_.write_end(flow_); });
}

void RunLoop::write_regions() {
  if (settings_.output.regions.empty()) return;
  timed(statistics_.seconds.output, [this] {
    files_.directory.lock().require_held();
    regions_.write_due(flow_);
  });
}

// In the log: only what a loss of power leaves there. Also called by the thread of the frames.
template <class Written>
void RunLoop::note_on_disk(const Written& file, const std::vector<std::string>& doubles) {
  std::string text = fmt::format(
      "{} is on the disk: step {}, t = {:.6g}",
      file.path.lexically_relative(files_.directory.path()).generic_string(), file.step, file.time);
  if (settings_.output.precision == "single" && !doubles.empty())
    text += fmt::format("; {} in double, for a value beyond single precision",
                        fmt::join(doubles, ", "));
  console_.log(text);
}

bool RunLoop::step_is_saved() const {
  return checkpoints_.last() && checkpoints_.last()->step == flow_.step();
}

// Frames and rows are on the disk before the checkpoint that counts them.
void RunLoop::write_checkpoint() {
  timed(statistics_.seconds.output, [this] {
    files_.directory.lock().require_held();
    frames_.finish();
    regions_.finish();
    records_.synchronize();
    if (comparison_) comparison_->synchronize();
  });
  timed(statistics_.seconds.checkpoints, [this] {
    checkpoints_.write(flow_.step(), flow_.time(), [this](StateVisitor& visitor) {
      visit_state(visitor);
      visit_later_state(visitor);
      if (steps_.steady.is_wanted()) visit_steadiness(visitor);
      visit_files(visitor);
    });
    note_on_disk(*checkpoints_.last());
  });
}

// Called after an error of output; the fields and the rows of their step are complete. A frame that
// could not be written is tried once more. As long as one is missing there is no new checkpoint: an
// earlier one, from which the frame is made again, has to serve.
void RunLoop::save_what_is_there() {
  try {
    files_.directory.lock().require_held();
    frames_.try_again();
    regions_.try_again();
    records_.write_waiting();
    if (checkpoints_.enabled() && !step_is_saved()) write_checkpoint();
  } catch (const Error&) {
  }
}

std::string RunLoop::after_step() const {
  return fmt::format("stopped after step {}, t = {:.6g}: ", flow_.step(), flow_.time());
}

std::string RunLoop::how_to_resume() const {
  const auto& last = checkpoints_.last();
  if (!last || !may_be_there(last->path)) return "; there is no checkpoint to go on from";
  return fmt::format("; --restart {} goes on from step {}, t = {:.6g}", last->path.string(),
                     last->step, last->time);
}

void RunLoop::note_fallbacks(const StepReport& report) {
  statistics_.add_fallbacks(report);
  step_.solver_failed = false;
  for (const SolveSummary& solve : report.solves) {
    if (solve.report.attempts.size() < 2) continue;
    step_.solver_failed = true;
    console_.plain(fmt::format("fallback in the step from t = {:.6g}: the {} system: {}",
                               flow_.time() - (report.ok ? report.dt : 0.0), solve.system,
                               linalg::describe(solve.report)));
  }
}

void RunLoop::note_skipped(const StepReport& report) {
  if (said_skipped_) return;
  const auto text = skipped_solve_text(report, settings_, flow_.step(), flow_.time());
  if (text) console_.line(*text);
  said_skipped_ = text.has_value();
}

void RunLoop::show_progress(const StepReport& report, bool at_frame) {
  const RunStatistics now = statistics();
  double fraction = (flow_.time() - start_time_) / (settings_.time.end - start_time_);
  if (settings_.time.max_steps) {
    fraction = std::max(fraction, static_cast<double>(flow_.step() - start_step_) /
                                      static_cast<double>(*settings_.time.max_steps - start_step_));
  }
  progress_.update({.step = flow_.step(),
                    .time = flow_.time(),
                    .dt = report.dt,
                    .cfl = step_.cfl,
                    .rate_of_change = settings_.time.steady_tolerance
                                          ? std::optional(steps_.diagnostics.rate_of_change)
                                          : std::nullopt,
                    .solves = report.solves,
                    .cell_steps_per_second = now.cell_steps_per_second(),
                    .fraction = fraction,
                    .elapsed = now.seconds.total},
                   at_frame);
}

void RunLoop::fail_solve(const StepReport& report) {
  const bool good = !steps_.blow_up.complaint(flow_.diagnostics(), flow_.time());
  if (good && checkpoints_.enabled()) write_checkpoint();
  if (good) records_.record_end();
  if (good) write_last_frames();
  step_.cause = report.cause;
  step_.bad_key = report.bad_key;
  step_.solver_failed = report.solves_failed && !met_what_is_no_number(report);
  fail(report.failure);
}

void RunLoop::fail(const std::string& reason) {
  std::string lost_frames;
  try {
    frames_.finish();
    regions_.finish();
  } catch (const IoError& error) {  // the fields are no good: no checkpoint may save them
    lost_frames = fmt::format("; {}", error.what());
  }
  if (steps_.diagnostics.finite) step_.max_speed = steps_.diagnostics.max_speed;
  const std::string cause = likely_cause(flow_, settings_, problem_, step_, place_of_);
  throw NumericalError(fmt::format("{}{}; {}; {}; {}; {}{}", after_step(), reason,
                                   worst_place(flow_, problem_), cause,
                                   last_text("good frame", frames_.last_landed()),
                                   last_text("checkpoint", checkpoints_.last()), lost_frames));
}

}  // namespace hodge::sim
