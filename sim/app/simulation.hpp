// hodge as a library: what the program, tests and other front ends call.
//
//   const sim::Job job = sim::load_job({.file = "cavity.yaml"}, cases::known_cases());
//   sim::Simulation cavity(job);                    a flow, stepped from outside, without files
//   while (cavity.time() < 1 && cavity.step()) ...
//   cavity.fields({"velocity"});
//
//   sim::run(job, {.overwrite = true});             a run with its directory, as `hodge run` makes
//
//   sim::Simulation both(job, {.overwrite = true}); the same directory, stepped from outside
//   while (both.step()) ...
//   both.finish();
//
// A caller needs no state of the process: threads, signals and the environment stay as they are,
// but that run() takes the signals of signals.hpp while it lasts. One flow follows the other in one
// process as often as one likes.
#pragma once

#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/app/job.hpp"
#include "sim/app/run/open_run.hpp"
#include "sim/app/run/run.hpp"
#include "sim/app/run/stepper.hpp"
#include "sim/base/csv_row.hpp"
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
  // The same with the files of a run (run/open_run.hpp), which begin here. Errors: also those of
  // run().
  Simulation(Job job, RunOptions options);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  // A step as a run takes it: of the size that the settings ask for, onto the times of frames and
  // the end, and no further than `limit`, which is later than now. False, and no step, where the
  // settings end the run. Errors: NumericalError, after which the flow cannot go on.
  bool step(double limit = std::numeric_limits<double>::infinity());
  // Why there is no next step.
  std::optional<RunEnd> ended() const { return stepper().ended(); }
  // Of a simulation with files: ends the run here, as the signal of this number would (0: as a
  // caller that wants no more). The fields can still be read. Errors: those of run().
  RunResult finish(int signal = 0);

  // From the next step on formulas are others, by assignments as those of --set:
  // with_other_formulas of job.hpp says which. The step size follows them, and a test for a steady
  // state begins anew. With files config.yaml has the new ones, so that a restart goes on with
  // them. Errors: ConfigError, which leaves everything as it was.
  void set(const std::vector<std::string>& assignments);

  double time() const { return flow_->time(); }
  long steps() const { return flow_->step(); }
  const StepReport& report() const;  // of the last step
  // Of the present fields: Courant number per time, kinetic energy, max |u|, ...
  const Diagnostics& diagnostics() const { return stepper().diagnostics; }
  // Arrays at cell centres, as frames have them: velocity, pressure, vorticity, scalars by name.
  std::vector<CellArray> fields(const std::vector<std::string>& names) const {
    return flow_->cell_arrays(names);
  }
  // As the files history.csv and forces.csv have them of the present step; the latter is empty
  // without bodies or momentum.
  CsvRow history() const;
  CsvRow forces() const;
  // Everything else: quantities, values at points, state.
  Flow& flow() { return *flow_; }
  const Job& job() const { return job_; }

 private:
  const Stepper& stepper() const { return opened_ ? opened_->steps() : *own_; }
  void step_without_files(double limit);
  [[noreturn]] void fail(const std::string& reason) const;

  Job job_;
  bool leads_ = false;  // other processes
  int signal_ = 0;
  std::unique_ptr<Flow> made_;
  std::optional<Stepper> own_;     // without files
  std::optional<OpenRun> opened_;  // with them
  Flow* flow_;
  StepReport report_;
  double cfl_ = 0, seconds_ = 0;  // of the last step without files
};

// Collective: process 0 runs the action as the leader of the others, whose exit code this returns;
// they have parts of its flows until it is done, and return 0. `take_signal`: of this process,
// where it is not process 0 (follow.hpp).
int lead_or_follow(
    linalg::Communicator& all, KnownCases cases, const std::function<int(FlowLeader&)>& action,
    const TakeSignal& take_signal = [] { return 0; });

// Processes that a launcher has started and that run one program together, as scripts do: what
// each of them calls, process 0 does with the others, and all have its answer. Once per process.
class ProcessesOfOneProgram {
 public:
  explicit ProcessesOfOneProgram(KnownCases cases);  // starts MPI, where there are several
  ~ProcessesOfOneProgram();
  ProcessesOfOneProgram(const ProcessesOfOneProgram&) = delete;
  ProcessesOfOneProgram& operator=(const ProcessesOfOneProgram&) = delete;

  int rank() const;
  int size() const;
  FlowLeader* leader();  // null: of one process, and of those that follow
  // Collective: the action is that of process 0, the others do as it orders; the text is given to
  // all. An error that leaves the others waiting ends all processes.
  std::string together(const std::function<std::string()>& action);
  void end();  // collective; nothing may follow

 private:
  class Parts;
  std::unique_ptr<Parts> parts_;  // null: one process
};

// The same by those that a launcher has started (mpirun), from the start of MPI to its end; where
// it has started none, the action runs without a leader. Once per process. Returns the largest
// code.
int by_launched_processes(KnownCases cases, const std::function<int(FlowLeader*)>& action);

}  // namespace hodge::sim
