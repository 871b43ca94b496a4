#include "tools/hodge/program/flow_processes.hpp"

#include "sim/app/config/settings_yaml.hpp"
#include "sim/app/output/piece_files.hpp"
#include "sim/app/run/signals.hpp"
#include "sim/processes/follow.hpp"
#include "sim/time/stability.hpp"
#include "tools/hodge/program/job.hpp"

namespace hodge::tools {
namespace {

sim::FlowLeader* leader_of_program = nullptr;

sim::FlowInput read_flow_input(const std::string& config, bool has_state) {
  Job job = load_job_text(config, !has_state);
  return {std::move(job.settings), std::move(job.problem), sim::make_piece_files};
}

int lead(linalg::Communicator& all, const std::function<int()>& action) {
  sim::FlowLeader leader(all, sim::SignalGuard::take_over);
  leader_of_program = &leader;
  try {
    const int code = action();
    leader_of_program = nullptr;
    return code;
  } catch (...) {
    leader_of_program = nullptr;
    throw;
  }
}

}  // namespace

int lead_or_follow(linalg::Communicator& all, const std::function<int()>& action) {
  if (all.rank() == 0) return lead(all, action);
  // Until this process ends: what comes behind the last step ends nothing.
  static sim::SignalGuard signals(sim::SignalGuard::Second::is_ignored);
  sim::follow(all, read_flow_input, [] { return signals.take(); });
  return 0;
}

std::unique_ptr<sim::Flow> make_shared_flow(const sim::Settings& settings,
                                            const sim::Problem& problem) {
  if (leader_of_program == nullptr) return sim::make_flow(settings, problem);
  sim::Settings written = settings;  // without what has no effect in the case: it would be refused
  const sim::Carried carried = sim::carried_in(problem);
  written.carries_velocity = carried.velocity;
  written.carries_scalars = carried.scalars;
  return sim::make_leading_flow(*leader_of_program, settings, problem,
                                sim::settings_to_yaml(written));
}

sim::FlowLeader* flow_leader() {
  return leader_of_program;
}

}  // namespace hodge::tools
