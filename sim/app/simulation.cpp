#include "sim/app/simulation.hpp"

#include <fmt/format.h>

#include <iostream>
#include <limits>
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/processes/all_processes.hpp"
#include "sim/app/output/forces.hpp"
#include "sim/app/output/piece_files.hpp"
#include "sim/app/run/signals.hpp"
#include "sim/app/run/step_records.hpp"
#include "sim/base/wall_clock.hpp"

namespace hodge::sim {

namespace {

RunOptions with_places_of(const Job& job, RunOptions options) {
  options.place_of = [&job](const std::string& key) { return place_of(job.file, key).text(); };
  return options;
}

}  // namespace

RunResult run(const Job& job, RunOptions options) {
  options = with_places_of(job, std::move(options));
  return with_places(job, [&] { return run(job.settings, job.problem, options); });
}

Simulation::Simulation(Job job, FlowLeader* leader)
    : job_(std::move(job)),
      made_(
          with_places(job_, [&] { return make_shared_flow(leader, job_.settings, job_.problem); })),
      flow_(made_.get()) {
  own_.emplace(*flow_, job_.settings, job_.problem);
  with_places(job_, [&] { own_->check_first_step(job_.problem); });
  if (const auto complaint = own_->blow_up.complaint(own_->diagnostics)) fail(*complaint);
}

Simulation::Simulation(Job job, RunOptions options) : job_(std::move(job)) {
  options = with_places_of(job_, std::move(options));
  with_places(job_, [&] { opened_.emplace(job_.settings, job_.problem, options); });
  flow_ = &opened_->flow();
  opened_->begin([this] { return signal_; });
}

const StepReport& Simulation::report() const {
  return opened_ ? opened_->report() : report_;
}

bool Simulation::step(double limit) {
  if (opened_) return opened_->step(limit);
  if (ended()) return false;
  step_without_files(limit);
  return true;
}

RunResult Simulation::finish(int signal) {
  if (!opened_) throw ConfigError("the simulation writes no files: there are none to finish");
  signal_ = signal;
  return opened_->finish();
}

void Simulation::set(const std::vector<std::string>& assignments) {
  Job other = with_other_formulas(job_, assignments);
  flow_->change_formulas(other.problem, config_for_others(other.settings, other.problem));
  job_ = std::move(other);
  if (own_) own_->change_formulas(job_.problem);
  if (opened_)
    opened_->change_formulas(job_.settings, fmt::format("set       {} from t = {:.6g} on",
                                                        fmt::join(assignments, ", "), time()));
}

void Simulation::step_without_files(double limit) {
  const WallClock clock;
  const NextStep next = own_->next(limit);
  if (const auto complaint = own_->refusal(next)) fail(*complaint);
  report_ = own_->take(next);
  if (!report_.ok) fail(report_.failure);
  if (const auto complaint = own_->look()) fail(*complaint);
  if (const auto complaint = missed_divergence(report_, diagnostics())) fail(*complaint);
  const bool has_forces = own_->steady.is_wanted() && !job_.problem.prescribed_velocity;
  own_->steady.add(report_, diagnostics(), has_forces ? flow_->forces() : std::vector<BodyForce>{});
  cfl_ = next.cfl;
  seconds_ = clock.seconds();
}

CsvRow Simulation::history() const {
  const FinishedStep step{.report = report(), .cfl = cfl_, .seconds = seconds_};
  return history_row(*flow_, job_.problem, diagnostics(), steps() > 0 ? &step : nullptr);
}

CsvRow Simulation::forces() const {
  if (job_.problem.solids.empty() || job_.problem.prescribed_velocity) return {};
  return forces_row(steps(), time(), flow_->forces(),
                    {flow_->grid().dim(), job_.problem.density, job_.settings.forces});
}

void Simulation::fail(const std::string& reason) const {
  throw NumericalError(
      fmt::format("stopped after step {}, t = {:.6g}: {}", steps(), time(), reason));
}

int lead_or_follow(linalg::Communicator& all, KnownCases cases,
                   const std::function<int(FlowLeader&)>& action, const TakeSignal& take_signal) {
  if (all.rank() == 0) {
    FlowLeader leader(all, SignalGuard::take_over);
    return action(leader);
  }
  const auto read = [&](const std::string& config, bool has_state) {
    Job job = load_job_text(config, cases, !has_state);
    return FlowInput{std::move(job.settings), std::move(job.problem), make_piece_files};
  };
  follow(all, read, take_signal);
  return 0;
}

int by_launched_processes(KnownCases cases, const std::function<int(FlowLeader*)>& action) {
  const linalg::Launch launch = linalg::launched_processes();
  if (!launch.several()) return action(nullptr);
  linalg::AllProcesses& all = linalg::start_all_processes(launch);
  int code = 1;
  try {
    code = lead_or_follow(all, cases, [&](FlowLeader& leader) { return action(&leader); });
  } catch (const std::exception& error) {  // the others may wait for messages that never come
    std::cerr << error.what() << std::endl;
    all.abort(code);
  }
  code = all.end_together(code, std::numeric_limits<double>::infinity())->exit_code;
  all.finish();
  return code;
}

}  // namespace hodge::sim
