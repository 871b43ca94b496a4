#include "sim/run/run_loop.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "linalg/errors.hpp"
#include "sim/time/step_size.hpp"

namespace hodge::sim {

namespace {

// Exact solutions are evaluated on the host: on grids beyond this many cells that would take longer
// than the step itself, so that their errors are taken at frames alone.
constexpr long long cells_with_errors_every_step = 1 << 14;

std::vector<std::string> exact_fields(const Problem& problem) {
  std::vector<std::string> fields;
  if (problem.exact) fields.push_back("velocity");
  for (const ScalarProblem& scalar : problem.scalars)
    if (scalar.exact) fields.push_back(scalar.name);
  return fields;
}

}  // namespace

RunLoop::RunLoop(Flow& flow, const Settings& settings, const Problem& problem,
                 const RunDirectory& directory, Console& console, const SignalGuard& signals)
    : flow_(flow),
      settings_(settings),
      signals_(signals),
      schedule_(settings.time.end, settings.output.frame_every),
      step_limit_(diffusive_step_limit(settings, problem, flow.grid())),
      diagnostics_(flow.diagnostics()),
      blow_up_(problem, diagnostics_),
      progress_(console),
      exact_velocity_(problem.exact.has_value()),
      history_(directory.history(), exact_fields(problem)),
      frames_(directory.path(), settings.case_name, flow.grid()) {
  if (settings.probes.any())
    probes_.emplace(directory.path(), settings.probes,
                    flow.make_sampler(sampled_points(settings.probes), settings.probes.fields));
  if (problem.solids.empty() || problem.prescribed_velocity) return;
  forces_.emplace(directory.forces(), solid_names(problem.solids),
                  ForcesWriter::Scales{flow.grid().dim(), problem.density, settings.forces});
}

RunResult RunLoop::drive() {
  if (const auto complaint = blow_up_.complaint(diagnostics_)) fail(*complaint);
  record_probes();
  write_frame();
  std::optional<RunEnd> end;
  while (!(end = ended())) take_step();
  if (last_frame_step_ != flow_.step()) write_frame();
  const WallClock waiting;
  frames_.finish();
  statistics_.seconds.output += waiting.seconds();
  return {.end = *end,
          .signal = signals_.received(),
          .steps = statistics_.steps,
          .time = flow_.time(),
          .wall_seconds = since_start_.seconds(),
          .errors = flow_.error_norms(),
          .exact_velocity = exact_velocity_,
          .directory = settings_.output.directory,
          .open = frames_.collection()};
}

RunStatistics RunLoop::statistics() const {
  RunStatistics now = statistics_;
  now.cells = flow_.grid().cell_count();
  now.seconds.total = since_start_.seconds();
  return now;
}

std::optional<RunEnd> RunLoop::ended() const {
  if (schedule_.finished()) return RunEnd::end_time;
  if (settings_.time.steady_tolerance && statistics_.steps > 0 &&
      diagnostics_.rate_of_change <= *settings_.time.steady_tolerance) {
    return RunEnd::steady;
  }
  if (settings_.time.max_steps && flow_.step() >= *settings_.time.max_steps) {
    return RunEnd::max_steps;
  }
  if (settings_.time.max_wall_seconds &&
      since_start_.seconds() >= *settings_.time.max_wall_seconds) {
    return RunEnd::wall_clock;
  }
  if (signals_.received() != 0) return RunEnd::interrupted;
  return std::nullopt;
}

void RunLoop::take_step() {
  const WallClock step_clock;
  const double time = flow_.time();
  const double stop = schedule_.next_stop();
  const double dt = next_step_size(settings_.time.step, {.time = time,
                                                         .next_stop = stop,
                                                         .cfl_rate = diagnostics_.cfl_rate,
                                                         .previous_dt = previous_dt_,
                                                         .limit = step_limit_});
  if (time + dt <= time) fail(fmt::format("the time step has shrunk to {:.3g}", dt));
  const bool lands = dt >= stop - time;
  cfl_ = dt * diagnostics_.cfl_rate;
  const StepReport report = flow_.advance(dt);
  if (!report.ok) fail_solve(report.failure);
  previous_dt_ = dt;
  if (lands) {
    flow_.set_time(stop);
    schedule_.reached();
  }
  statistics_.add(report);
  look_at_fields();
  append_history(report, step_clock.seconds() - report.comparison_seconds, lands);
  append_forces();
  record_probes();
  frames_.check();  // now, not at the next frame, which may be hours away
  if (lands) write_frame();
  show_progress(report, lands);
}

void RunLoop::look_at_fields() {
  const WallClock clock;
  diagnostics_ = flow_.diagnostics();
  statistics_.seconds.diagnostics += clock.seconds();
  if (const auto complaint = blow_up_.complaint(diagnostics_)) fail(*complaint);
}

void RunLoop::append_history(const StepReport& report, double step_seconds, bool frame_due) {
  HistoryRow row;
  row.step = flow_.step();
  row.time = flow_.time();
  row.dt = report.dt;
  row.cfl = cfl_;
  row.kinetic_energy = diagnostics_.kinetic_energy;
  row.max_divergence = diagnostics_.max_divergence;
  row.step_seconds = step_seconds;
  for (const SolveSummary& solve : report.solves) {
    row.solves.push_back({solve.system, solve.iterations, solve.seconds});
  }
  WallClock clock;
  if (frame_due || flow_.grid().cell_count() <= cells_with_errors_every_step) {
    if (const auto errors = flow_.error_norms()) {
      if (exact_velocity_) row.errors.push_back({errors->velocity_l2, errors->velocity_max});
      for (const ScalarErrors& scalar : errors->scalars)
        row.errors.push_back({scalar.l2, scalar.max});
    }
  }
  row.quantities = flow_.quantities();
  statistics_.seconds.diagnostics += clock.seconds();
  clock.restart();
  history_.append(row);
  statistics_.seconds.output += clock.seconds();
}

void RunLoop::append_forces() {
  if (!forces_) return;
  WallClock clock;
  const std::vector<BodyForce> forces = flow_.forces();
  statistics_.seconds.diagnostics += clock.seconds();
  clock.restart();
  forces_->append(flow_.step(), flow_.time(), forces);
  statistics_.seconds.output += clock.seconds();
}

void RunLoop::record_probes() {
  if (!probes_) return;
  const WallClock clock;
  probes_->record(flow_.step(), flow_.time());
  statistics_.seconds.output += clock.seconds();
}

void RunLoop::write_frame() {
  const WallClock clock;
  if (probes_) probes_->write_averages();
  frames_.submit({.step = flow_.step(),
                  .time = flow_.time(),
                  .arrays = flow_.cell_arrays(settings_.output.fields)});
  last_frame_step_ = flow_.step();
  statistics_.seconds.output += clock.seconds();
}

void RunLoop::show_progress(const StepReport& report, bool at_frame) {
  const RunStatistics now = statistics();
  double fraction = flow_.time() / settings_.time.end;
  if (settings_.time.max_steps) {
    fraction = std::max(fraction, static_cast<double>(flow_.step()) /
                                      static_cast<double>(*settings_.time.max_steps));
  }
  progress_.update({.step = flow_.step(),
                    .time = flow_.time(),
                    .dt = report.dt,
                    .cfl = cfl_,
                    .solves = report.solves,
                    .cell_steps_per_second = now.cell_steps_per_second(),
                    .fraction = fraction,
                    .elapsed = now.seconds.total},
                   at_frame);
}

void RunLoop::fail_solve(const std::string& reason) {
  const bool good = !blow_up_.complaint(flow_.diagnostics());
  if (good && last_frame_step_ != flow_.step()) write_frame();
  fail(reason);
}

void RunLoop::fail(const std::string& reason) {
  frames_.finish();
  const auto last = frames_.last_landed();
  const std::string good = last ? fmt::format("the last good frame is {} (step {}, t = {:.6g})",
                                              last->path.string(), last->step, last->time)
                                : "there is no good frame";
  throw NumericalError(fmt::format("stopped after step {}, t = {:.6g}: {}; {}", flow_.step(),
                                   flow_.time(), reason, good));
}

}  // namespace hodge::sim
