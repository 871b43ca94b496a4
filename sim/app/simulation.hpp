// hodge as a library: what the program, tests and other front ends call.
//
//   const sim::Job job = sim::load_job({.file = "cavity.yaml"}, cases::known_cases());
//   sim::Simulation cavity(job);                    a flow, stepped from outside, without files
//   while (cavity.time() < 1 && cavity.step()) ...
//   cavity.fields({"velocity"});
//
//   sim::run(job, {.overwrite = true});             a run with its directory, as `hodge run` makes
//
// A caller needs no state of the process: threads, signals and the environment stay as they are,
// but that run() takes the signals of signals.hpp while it lasts. One flow follows the other in one
// process as often as one likes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/app/job.hpp"
#include "sim/app/run/run.hpp"
#include "sim/app/run/stepper.hpp"
#include "sim/processes/follow.hpp"

namespace hodge::sim {

// Errors: those of run.hpp, with the places of the job's file.
RunResult run(const Job& job, RunOptions options);

class Simulation {
 public:
  // Makes the flow, by all processes that the leader leads; null: by this one. The leader must
  // outlive it. Errors: ConfigError, which names the place in the file; MemoryError, DeviceError;
  // NumericalError where the initial state is none.
  explicit Simulation(Job job, FlowLeader* leader = nullptr);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // A step as a run takes it: of the size that the settings ask for, onto the times of frames and
  // the end. False, and no step, where the settings end the run. Errors: NumericalError, after
  // which the flow cannot go on.
  bool step();
  // Why there is no next step.
  std::optional<RunEnd> ended() const { return steps_.ended(); }

  double time() const { return flow_->time(); }
  long steps() const { return flow_->step(); }
  const StepReport& report() const { return report_; }  // of the last step
  // Of the present fields: Courant number per time, kinetic energy, max |u|, ...
  const Diagnostics& diagnostics() const { return steps_.diagnostics; }
  // Arrays at cell centres, as frames have them: velocity, pressure, vorticity, scalars by name.
  std::vector<CellArray> fields(const std::vector<std::string>& names) const {
    return flow_->cell_arrays(names);
  }
  // Everything else: quantities, forces, values at points, state.
  Flow& flow() { return *flow_; }
  const Job& job() const { return job_; }

 private:
  [[noreturn]] void fail(const std::string& reason) const;

  const Job job_;
  std::unique_ptr<Flow> flow_;
  Stepper steps_;
  StepReport report_;
};

// Collective: process 0 runs the action as the leader of the others, whose exit code this returns;
// they have parts of its flows until it is done, and return 0. `take_signal`: of this process,
// where it is not process 0 (follow.hpp).
int lead_or_follow(
    linalg::Communicator& all, KnownCases cases, const std::function<int(FlowLeader&)>& action,
    const TakeSignal& take_signal = [] { return 0; });

// The same by those that a launcher has started (mpirun), from the start of MPI to its end; where
// it has started none, the action runs without a leader. Once per process. Returns the largest
// code.
int by_launched_processes(KnownCases cases, const std::function<int(FlowLeader*)>& action);

}  // namespace hodge::sim
