#include "sim/app/simulation.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iostream>
#include <limits>
#include <span>
#include <string>
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
      leads_(leader != nullptr),
      made_(
          with_places(job_, [&] { return make_shared_flow(leader, job_.settings, job_.problem); })),
      flow_(made_.get()) {
  own_.emplace(*flow_, job_.settings, job_.problem);
  with_places(job_, [&] { own_->check_first_step(job_.problem); });
  if (const auto complaint = own_->blow_up.complaint(own_->diagnostics)) fail(*complaint);
}

Simulation::Simulation(Job job, RunOptions options)
    : job_(std::move(job)), leads_(options.leader != nullptr) {
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
  flow_->change_formulas(other.problem,
                         leads_ ? config_for_others(other.settings, other.problem) : std::string());
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

namespace {

ReadFlowInput reader_of(KnownCases cases) {
  return [cases](const std::string& config, bool has_state) {
    Job job = load_job_text(config, cases, !has_state);
    return FlowInput{std::move(job.settings), std::move(job.problem), make_piece_files};
  };
}

}  // namespace

class ProcessesOfOneProgram::Parts {
 public:
  Parts(const linalg::Launch& launch, KnownCases cases)
      : all_(linalg::start_all_processes(launch)) {
    if (all_.rank() == 0)
      leader_.emplace(all_);
    else
      follower_.emplace(all_, reader_of(cases));
  }

  linalg::AllProcesses& all() { return all_; }
  FlowLeader* leader() { return leader_ ? &*leader_ : nullptr; }

  std::string together(const std::function<std::string()>& action) {
    try {
      return shared(leader_ ? led(action) : followed());
    } catch (const std::exception& error) {
      std::cerr << "rank " << all_.rank() << ": " << error.what() << std::endl;
      all_.abort(4);
      return {};  // GCC 12 does not see that abort() does not return
    }
  }

  void end() {
    leader_.reset();  // tells the others
    if (follower_) (void)follower_->follow();
    follower_.reset();
    (void)all_.end_together(0, std::numeric_limits<double>::infinity());
    all_.finish();
  }

 private:
  std::string led(const std::function<std::string()>& action) {
    std::string text = action();
    if (leader_->has_lost_others()) throw DeviceError("the other processes were lost by an error");
    leader_->pause();
    return text;
  }
  std::string followed() {
    (void)follower_->follow();
    return "";
  }
  // The text of process 0.
  std::string shared(std::string text) {
    std::uint64_t size = text.size();
    all_.broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
    text.resize(size);
    all_.broadcast(std::as_writable_bytes(std::span(text)), 0);
    return text;
  }

  linalg::AllProcesses& all_;
  std::optional<FlowLeader> leader_;
  std::optional<Follower> follower_;
};

ProcessesOfOneProgram::ProcessesOfOneProgram(KnownCases cases) {
  const linalg::Launch launch = linalg::launched_processes();
  if (launch.several()) parts_ = std::make_unique<Parts>(launch, cases);
}

ProcessesOfOneProgram::~ProcessesOfOneProgram() = default;

int ProcessesOfOneProgram::rank() const {
  return parts_ ? parts_->all().rank() : 0;
}

int ProcessesOfOneProgram::size() const {
  return parts_ ? parts_->all().size() : 1;
}

FlowLeader* ProcessesOfOneProgram::leader() {
  return parts_ ? parts_->leader() : nullptr;
}

std::string ProcessesOfOneProgram::together(const std::function<std::string()>& action) {
  return parts_ ? parts_->together(action) : action();
}

void ProcessesOfOneProgram::end() {
  if (parts_) parts_->end();
}

int lead_or_follow(linalg::Communicator& all, KnownCases cases,
                   const std::function<int(FlowLeader&)>& action, const TakeSignal& take_signal) {
  if (all.rank() == 0) {
    FlowLeader leader(all, SignalGuard::take_over);
    return action(leader);
  }
  follow(all, reader_of(cases), take_signal);
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
