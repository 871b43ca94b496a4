#include "sim/app/simulation.hpp"

#include <fmt/format.h>

#include <iostream>
#include <limits>
#include <utility>

#include "linalg/base/errors.hpp"
#include "linalg/processes/all_processes.hpp"
#include "sim/app/output/piece_files.hpp"
#include "sim/app/run/signals.hpp"

namespace hodge::sim {

RunResult run(const Job& job, RunOptions options) {
  options.place_of = [&job](const std::string& key) { return place_of(job.file, key).text(); };
  return with_places(job, [&] { return run(job.settings, job.problem, options); });
}

Simulation::Simulation(Job job, FlowLeader* leader)
    : job_(std::move(job)),
      flow_(
          with_places(job_, [&] { return make_shared_flow(leader, job_.settings, job_.problem); })),
      steps_(*flow_, job_.settings, job_.problem) {
  with_places(job_, [&] { steps_.check_first_step(job_.problem); });
  if (const auto complaint = steps_.blow_up.complaint(steps_.diagnostics)) fail(*complaint);
}

bool Simulation::step() {
  if (ended()) return false;
  const NextStep next = steps_.next();
  if (const auto complaint = steps_.refusal(next)) fail(*complaint);
  report_ = steps_.take(next);
  if (!report_.ok) fail(report_.failure);
  if (const auto complaint = steps_.look()) fail(*complaint);
  if (const auto complaint = missed_divergence(report_, diagnostics())) fail(*complaint);
  const bool has_forces = steps_.steady.is_wanted() && !job_.problem.prescribed_velocity;
  steps_.steady.add(report_, diagnostics(),
                    has_forces ? flow_->forces() : std::vector<BodyForce>{});
  return true;
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
