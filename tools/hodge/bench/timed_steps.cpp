#include "tools/hodge/bench/timed_steps.hpp"

#include "linalg/base/errors.hpp"
#include "linalg/base/timing.hpp"
#include "sim/time/stability.hpp"
#include "sim/time/step_size.hpp"

namespace hodge::tools::bench {

TimedSteps time_steps(sim::Flow& flow, const Job& job, const StepCounts& counts) {
  TimedSteps timed;
  timed.statistics.cells = flow.grid().cell_count();
  const sim::StableStep stable(job.settings, job.problem, flow.grid());
  sim::Diagnostics now = flow.diagnostics();
  double dt = 0;
  for (long step = 0; step < counts.settling + counts.timed; ++step) {
    const linalg::Clock clock;
    dt = sim::next_step_size(job.settings.time.step,
                             {.time = flow.time(),
                              .next_stop = job.settings.time.end,
                              .cfl_rate = now.cfl_rate,
                              .previous_dt = dt,
                              .limit = stable.largest(now.cfl_rate, now.max_speed)});
    const sim::StepReport report = flow.advance(dt);
    if (!report.ok) throw NumericalError(report.failure);
    const linalg::Clock looking;
    now = flow.diagnostics();
    if (step < counts.settling) continue;
    timed.statistics.add(report);
    timed.statistics.seconds.diagnostics += looking.seconds();
    timed.statistics.seconds.total += clock.seconds();
    timed.assembly_seconds.push_back(report.assembly_seconds);
    const SolveBytes bytes = solve_bytes_of(job, report);
    timed.bytes.transport += bytes.transport;
    timed.bytes.pressure += bytes.pressure;
  }
  return timed;
}

}  // namespace hodge::tools::bench
